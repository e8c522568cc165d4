import { columnSizes, Picture } from '../../components/picture.tsx';
import { formatDuration } from '../../lib/format.ts';
import type { Article } from '../../model/content.ts';
import { isEmbeddable, plainVideo, playerOf } from '../../model/player-address.ts';
import './video-still.css';

type Props = {
  video: NonNullable<Article['video']>;
  sample?: boolean | undefined;
  name: string;
  /** Hosts allowed by the content security policy. */
  hosts: readonly string[] | undefined;
};

/** Nothing loads before the visitor presses. */
export function VideoStill({ video, sample, name, hosts }: Props) {
  const player = playerOf(video.href);
  const isHere = isEmbeddable(player, hosts);
  return (
    <div className="video-still">
      {isHere && plainVideo.test(player) ? (
        // biome-ignore lint/a11y/useMediaCaption: the whole text stands below
        <video
          src={player}
          poster={video.still?.src}
          width={640}
          height={360}
          controls
          preload="none"
          playsInline
          aria-label={name}
        />
      ) : (
        <VideoLink video={video} name={name} player={isHere ? player : undefined} />
      )}
      <p>
        {sample && 'Образец: рисунки вместо съёмки. '}
        {originOf(player, isHere)}
        Полный текст ниже.
      </p>
    </div>
  );
}

function originOf(player: string, isHere: boolean): string {
  if (!isHere) return 'Видео откроется на другом сайте. ';
  return player.startsWith('/') ? '' : 'Видео загрузится с другого сайта, когда вы нажмёте. ';
}

/** A script plays it in place, if the policy allows. */
function VideoLink({ video, name, player }: Pick<Props, 'video' | 'name'> & { player: string | undefined }) {
  return (
    <a href={video.href} rel="noopener" data-module={player && 'video'} data-video={player} data-title={player && name}>
      {video.still && <Picture eager picture={video.still} sizes={columnSizes} />}
      <span className="video-press">
        <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
          <path d="M16 10v28l22-14z" fill="currentColor" />
        </svg>
        Смотреть видео, {formatDuration(video.duration)}
      </span>
    </a>
  );
}

import { formatDuration } from '../design/format.ts';
import { heroSizes } from '../design/hero-picture.tsx';
import { Picture } from '../design/picture.tsx';
import type { Article } from '../model/content.ts';
import { isEmbeddable, playerOf } from '../model/player.ts';
import './video-still.css';

type Props = {
  video: NonNullable<Article['video']>;
  name: string;
  /** Hosts allowed by the content security policy. */
  hosts: readonly string[] | undefined;
};

/** A link that plays in place if scripts and the policy allow it. Nothing loads before the click. */
export function VideoStill({ video, name, hosts }: Props) {
  const player = playerOf(video.href);
  const isHere = isEmbeddable(player, hosts);
  return (
    <div className="video-still">
      <a
        href={video.href}
        rel="noopener"
        data-module={isHere ? 'video' : undefined}
        data-video={isHere ? player : undefined}
        data-title={isHere ? name : undefined}
      >
        {video.still && <Picture eager picture={video.still} sizes={heroSizes} />}
        <span className="video-press">
          <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
            <path d="M16 10v28l22-14z" fill="currentColor" />
          </svg>
          Смотреть видео, {formatDuration(video.duration)}
        </span>
      </a>
      <p>
        {isHere ? 'Видео загрузится с другого сайта, когда вы нажмёте.' : 'Видео откроется на другом сайте.'} Полный
        текст ниже.
      </p>
    </div>
  );
}

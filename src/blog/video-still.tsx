import { formatDuration } from '../design/format.ts';
import { heroSizes } from '../design/hero-picture.tsx';
import { IllustrationPicture } from '../design/picture.tsx';
import type { Article } from '../model/content.ts';
import './video-still.css';

type Props = { video: NonNullable<Article['video']>; name: string };

/** A frame that leads to the video, which loads only when it is pressed. JSON-LD tells search engines of it. */
export function VideoStill({ video, name }: Props) {
  return (
    <div className="video-still">
      <a href={video.href} rel="noopener">
        {video.still ? (
          <IllustrationPicture eager picture={video.still} sizes={heroSizes} />
        ) : (
          <b className="video-title">{name}</b>
        )}
        <span className="video-press">
          <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
            <path d="M16 10v28l22-14z" fill="currentColor" />
          </svg>
          Смотреть видео, {formatDuration(video.duration)}
        </span>
      </a>
      <p>Видео откроется с другого сайта. Полный текст стоит ниже.</p>
    </div>
  );
}

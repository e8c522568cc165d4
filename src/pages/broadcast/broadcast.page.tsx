import { LinkButton } from '../../components/action.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { type FixedDrawing, InlineDrawing } from '../../components/picture.tsx';
import { BulletList } from '../../components/prose/bullet-list.tsx';
import type { BroadcastState } from '../../model/broadcast.ts';
import type { Content } from '../../model/content.ts';
import { isEmbeddable, videoFile } from '../../model/player-address.ts';
import { defineView } from '../page.ts';
import { cameraWords } from './camera-words.ts';
import './broadcast.css';

type Props = BroadcastState & {
  content: Content;
  still: FixedDrawing;
  now: Date;
};

const name = 'Прямая трансляция';
const headingOf = ({ status, content }: Props) => {
  const { camera } = content.company;
  return status ? (camera?.on ?? name) : (camera?.off ?? 'Сейчас эфира нет');
};
const hoursOf = ({ content: { company }, now }: Props) => {
  const { camera, workingHours } = company;
  return `${camera ? cameraWords(workingHours, camera.from, now) : company.broadcast}.`;
};

/** Where the link leads without scripts. */
export const broadcastView = defineView({
  name: 'broadcast',
  head: (props: Props) => ({
    path: '/broadcast',
    title: headingOf(props),
    description: `${headingOf(props)}. ${hoursOf(props)}`,
    crumbs: [{ path: '/broadcast', text: name }],
    noindex: true,
  }),
  data: ({ status }) => ({ status }),
  Body(props) {
    const { status, url, content, still } = props;
    const { camera } = content.company;
    return (
      <div className="live fill" data-dated="">
        <PageHeading heading={headingOf(props)} intro={status ? undefined : hoursOf(props)} />
        <div className="live-view">
          {status ? <LiveVideo url={url} hosts={content.integrations.videoHosts} /> : <InlineDrawing drawing={still} />}
        </div>
        <div className="live-about">
          {camera && (
            <>
              <h2>Что видно</h2>
              <BulletList items={camera.shows} />
            </>
          )}
          <p>
            <LinkButton href="/" text="На главную" quiet={status} />
          </p>
        </div>
      </div>
    );
  },
});

function LiveVideo({ url, hosts }: { url: string; hosts: readonly string[] | undefined }) {
  const isShown = isEmbeddable(url, hosts);
  const [, ending] = videoFile.exec(url) ?? [];
  // Only a script can tell whether the browser plays HLS; without one, this is a link.
  if (!isShown || ending?.toLowerCase() === 'm3u8') {
    const script = isShown && { 'data-module': 'video', 'data-video': url, 'data-title': name };
    return (
      <div>
        <a className="action" href={url} rel="noopener" {...script}>
          Смотреть эфир
        </a>
        <p>
          {isShown
            ? 'Если браузер такое видео не показывает, оно откроется отдельно.'
            : 'Эфир откроется на другом сайте.'}
        </p>
      </div>
    );
  }
  return (
    <>
      {ending ? (
        // biome-ignore lint/a11y/useMediaCaption: a live stream has no captions
        <video src={url} controls aria-label={name} />
      ) : (
        <iframe src={url} title={name} allow="autoplay" allowFullScreen />
      )}
      <p>
        Видео не показывается?{' '}
        <a href={url} rel="noopener">
          Открыть отдельно
        </a>
      </p>
    </>
  );
}

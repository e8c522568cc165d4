import { LinkButton } from '../design/action.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { defineView } from '../document/page.ts';
import type { Content } from '../model/content.ts';
import { isEmbeddable, videoFile } from '../model/player.ts';
import type { BroadcastState } from './broadcast.ts';
import './broadcast.css';

type Props = BroadcastState & { content: Content };

const name = 'Прямая трансляция';
const headingOf = ({ status }: Props) => (status ? name : 'Сейчас трансляции нет');

/** The live video as a page of its own: where its link leads without a script. */
export const broadcastView = defineView({
  name: 'broadcast',
  head: (props: Props) => ({
    path: '/broadcast',
    title: headingOf(props),
    description: props.status ? `${name} идёт сейчас.` : `${headingOf(props)}. ${props.content.company.broadcast}.`,
    crumbs: [{ path: '/broadcast', text: name }],
    noindex: true,
  }),
  data: ({ status }) => ({ status }),
  Body(props) {
    const { status, url, content } = props;
    return (
      <div className="live fill">
        <PageHeading
          heading={headingOf(props)}
          lead={status ? 'Эфир идёт прямо сейчас.' : `${content.company.broadcast}.`}
        />
        {status ? (
          <LiveVideo url={url} hosts={content.integrations.videoHosts} />
        ) : (
          <p>Когда эфир начнётся, видео появится на этой странице: обновите её.</p>
        )}
        <p>
          <LinkButton href="/" text="На главную" quiet={status} />
        </p>
      </div>
    );
  },
});

function LiveVideo({ url, hosts }: { url: string; hosts: readonly string[] | undefined }) {
  return (
    <>
      {isEmbeddable(url, hosts) &&
        (videoFile.test(url) ? (
          // biome-ignore lint/a11y/useMediaCaption: nobody can write captions for what is happening now
          <video className="live-player" src={url} controls aria-label={name} />
        ) : (
          <iframe className="live-player" src={url} title={name} allow="autoplay" allowFullScreen />
        ))}
      <p>
        Если видео здесь не появилось,{' '}
        <a href={url} rel="noopener">
          откройте его отдельно
        </a>
        .
      </p>
    </>
  );
}

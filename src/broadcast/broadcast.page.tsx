import { LinkButton } from '../design/action.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import type { View } from '../document/page.ts';
import type { Content } from '../model/content.ts';
import { isEmbeddable, videoFile } from '../model/player.ts';
import type { BroadcastState } from './broadcast.ts';
import './broadcast.css';

/** The live video as a page of its own: where its link leads without a script. */
export function broadcastView(content: Content, { status, url }: BroadcastState): View {
  const name = 'Прямая трансляция';
  const heading = status ? name : 'Сейчас трансляции нет';
  const schedule = content.company.broadcast;
  return {
    page: 'broadcast',
    head: {
      path: '/broadcast',
      title: heading,
      description: status ? `${name} идёт сейчас.` : `${heading}. ${schedule}.`,
      crumbs: [{ path: '/broadcast', text: name }],
      noindex: true,
    },
    body: (
      <div className="live fill">
        <PageHeading heading={heading} lead={status ? 'Эфир идёт прямо сейчас.' : `${schedule}.`} />
        {status ? (
          <LiveVideo name={name} url={url} hosts={content.integrations.videoHosts} />
        ) : (
          <p>Когда эфир начнётся, видео появится на этой странице: обновите её.</p>
        )}
        <p>
          <LinkButton href="/" text="На главную" quiet={status} />
        </p>
      </div>
    ),
    data: { status },
  };
}

function LiveVideo({ name, url, hosts = [] }: { name: string; url: string; hosts?: readonly string[] | undefined }) {
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

import { Callout } from '../../components/callout.tsx';
import { HeroPicture } from '../../components/hero-picture.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import { ExternalLink } from '../../components/prose/external-link.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { Section } from '../../components/section.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import { postAt } from '../../model/post-kinds.ts';
import { ArticleCard, lengthOf, summariseArticle } from './article-card.tsx';
import { CardList } from './post-card.tsx';
import { postPage } from './post-page.tsx';
import { VideoStill } from './video-still.tsx';
import './article.css';

export const article = postPage({
  name: 'article',
  kind: 'article',
  share: { drawing: '/images/services/package.svg' },
  props: (content, item) => ({
    related: item.related.flatMap((slug) => postAt(content, 'article', slug) ?? []).map(summariseArticle(content)),
    videoHosts: content.integrations.videoHosts,
  }),
  Body: ({ item, related, videoHosts, next }) => (
    <>
      <article>
        <PageHeading heading={item.heading} intro={item.summary} drawing={<Drawing image={item.image} />}>
          <p className="article-meta">
            <UnpublishedMark post={item} />
            <b>{item.author}</b>
            <span>
              <DateText date={item.published} />
            </span>
            {item.updated && (
              <span>
                обновлено <DateText date={item.updated} />
              </span>
            )}
            <span>{lengthOf({ video: item.video, minutes: item.body.minutes })}</span>
          </p>
        </PageHeading>
        <HeroPicture picture={item.picture} />
        {item.video && <VideoStill video={item.video} name={item.heading} hosts={videoHosts} />}
        <Guide prose={item.body} label={item.video ? 'Расшифровка' : 'Содержание'} />
        {item.sources && (
          <Section heading="Источники">
            <ul className="article-sources">
              {item.sources.map(({ text, href }) => (
                <li key={href}>
                  <ExternalLink href={href} text={text} />
                </li>
              ))}
            </ul>
          </Section>
        )}
      </article>
      {related.length > 0 && (
        <Section look="wide" heading="Читайте также">
          <CardList>
            {related.map((one) => (
              <ArticleCard key={one.slug} item={one} level={3} />
            ))}
          </CardList>
        </Section>
      )}
      <Callout next={next} />
    </>
  ),
});

import { Callout } from '../../components/callout.tsx';
import { HeroPicture } from '../../components/hero-picture.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { columnSizes, Drawing, Picture } from '../../components/picture.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import { ExternalLink } from '../../components/prose/external-link.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import { Section } from '../../components/section.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import { formatDuration } from '../../lib/format.ts';
import type { Article, Content } from '../../model/content.ts';
import { postAt, postPath } from '../../model/post-kinds.ts';
import { listPages } from './list-page.tsx';
import { CardList, PostCard } from './post-card.tsx';
import { postPage } from './post-page.tsx';
import { VideoStill } from './video-still.tsx';
import './article.css';

const lists = listPages({ kind: 'article', summarise: summariseArticle, Card: ArticleCard });

/** `kind` is the category in words, in lists of several. */
type ArticleSummary = Omit<Article, 'body'> & { minutes: number; kind: string | undefined };

function summariseArticle(
  { categories }: Pick<Content, 'categories'>,
  only?: string,
): (article: Article) => ArticleSummary {
  return ({ body, ...article }) => ({
    ...article,
    minutes: body.minutes,
    kind: categories.blog.find(({ slug }) => slug === article.category && slug !== only)?.text,
  });
}

/** «видео 3 мин 20 с» or «5 мин» */
export function lengthOf({ video, minutes }: Pick<ArticleSummary, 'video' | 'minutes'>): string {
  return video ? `видео ${formatDuration(video.duration)}` : `${minutes}\u00A0мин`;
}

function ArticleCard({ item, level }: { item: ArticleSummary; level: Level }) {
  const { published, video, description, image, kind } = item;
  const label = (
    <>
      {kind && `${kind} · `}
      <DateText date={published} /> · {lengthOf(item)}
    </>
  );
  const still = video?.still && { ...video.still, alt: '' };
  const large = kind === undefined && still;
  const small = still ? <Picture picture={still} sizes="6rem" /> : <Drawing image={image} />;
  return (
    <PostCard post={item} href={postPath('article', item)} level={level} label={label} picture={!large && small}>
      {level === 2 && <p className="card-text">{description}</p>}
      {large && (
        <div className="card-still">
          <Picture picture={large} sizes={columnSizes} />
        </div>
      )}
    </PostCard>
  );
}

const post = postPage({
  kind: 'article',
  linkedInMenus: true,
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
        {item.video && <VideoStill video={item.video} sample={item.sample} name={item.heading} hosts={videoHosts} />}
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
        <Section variant="wide" heading="Читайте также">
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

export const articlePages = [...lists, post];

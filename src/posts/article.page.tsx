import { Callout, nextStep } from '../design/callout.tsx';
import { CardList } from '../design/card-list.tsx';
import { DateText } from '../design/date-text.tsx';
import { ExternalLink } from '../design/external-link.tsx';
import { formatDuration } from '../design/format.ts';
import { Guide } from '../design/guide.tsx';
import { HeroPicture, heroSizes } from '../design/hero-picture.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Section } from '../design/section.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { definePage, type Subject, wordedHead } from '../document/page.ts';
import { articlePath } from '../model/addresses.ts';
import { type Article, wordsOf } from '../model/content.ts';
import { ArticleCard, summariseArticle } from './article-card.tsx';
import { VideoStill } from './video-still.tsx';
import './article.css';

const indexes = new WeakMap<readonly Article[], ReadonlyMap<string, Article>>();

/** By slug, `category/slug` and `category/id`; cached per list. */
function namesOf(articles: readonly Article[]): ReadonlyMap<string, Article> {
  const known = indexes.get(articles);
  if (known) return known;
  const names = new Map(
    articles.flatMap((item): [string, Article][] =>
      [item.slug, `${item.category}/${item.slug}`, `${item.category}/${item.id}`].map((name) => [name, item]),
    ),
  );
  indexes.set(articles, names);
  return names;
}

/** Slug and id are both valid addresses. */
export const article = definePage({
  name: 'article',
  path: '/blog/:category/:id',
  share: { drawing: '/images/services/package.svg' },
  paths: (content) =>
    content.articles.flatMap(({ category, slug, id }) => [
      { category, id: slug },
      { category, id: String(id) },
    ]),
  props(content, { category, id }: { category: string; id: string }) {
    const articles = namesOf(content.articles);
    const item = articles.get(`${category}/${id}`);
    const section = content.categories.blog.find(({ slug }) => slug === category);
    if (!item || !section) return undefined;
    const related = item.related.flatMap((slug) => articles.get(slug) ?? []);
    return {
      item,
      path: articlePath(item),
      blog: wordsOf(content, 'blog').heading,
      section: section.text,
      related: related.map(summariseArticle),
      videoHosts: content.integrations.videoHosts,
      next: nextStep(content, item.callout ?? wordsOf(content, 'blog').callout),
    };
  },
  head: ({ item, path, blog, section }) => ({
    ...wordedHead(path, item, [
      { path: '/blog', text: blog },
      { path: `/blog/${item.category}`, text: section },
    ]),
    article: true,
    noindex: item.unpublished !== undefined,
    hero: item.picture && { picture: item.picture, sizes: heroSizes },
    subjects: subjects(item),
  }),
  dates: ({ item }) => [item.published, item.updated],
  Body: ({ item, related, next, videoHosts }) => (
    <>
      <article className="article">
        <PageHeading heading={item.heading} lead={item.summary}>
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
            <span>
              {item.video ? `видео ${formatDuration(item.video.duration)}` : `${item.body.minutes}\u00A0мин чтения`}
            </span>
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

function subjects({
  category,
  heading,
  description,
  author,
  published,
  updated,
  video,
  sources,
  body,
}: Article): Subject[] {
  const type = category === 'articles' ? 'BlogPosting' : 'NewsArticle';
  const text: Subject = {
    type,
    headline: heading,
    description,
    author,
    published,
    updated,
    sources,
  };
  if (!video) return [text];
  return [text, { type: 'VideoObject', name: heading, description, published, ...video, transcript: body.text }];
}

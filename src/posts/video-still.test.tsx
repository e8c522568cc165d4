import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { all, type Element, one, parseHtml, textOf } from '../testing/html.ts';
import { shownSite, textAt } from '../testing/test-site.ts';
import { VideoStill } from './video-still.tsx';

const site = await shownSite();
const videos = site.content.articles.filter(({ video }) => video !== undefined);

function still(slug: string): Element {
  const html = textAt(site, `/blog/video-news/${slug}`);
  expect(all(parseHtml(html), 'video, iframe, embed, object')).toEqual([]);
  return one(parseHtml(html), 'div.video-still');
}

describe('video news', () => {
  test('show a frame of the video, which a press leads to and nothing loads before', () => {
    const item = videos.find(({ video }) => video?.still);
    const link = one(still(item?.slug ?? ''), 'a');
    expect(link.attrs.href).toBe(item?.video?.href);
    expect(one(link, 'img').attrs).toMatchObject({ src: item?.video?.still?.src, alt: item?.video?.still?.alt });
    expect(textOf(link)).toContain('Смотреть видео');
  });

  test.each([
    ['from a host that is allowed', ['rutube.ru'], 'https://rutube.ru/play/embed/0123456789abcdef0123456789abcdef/'],
    ['from another', ['video.example'], undefined],
    ['while no host is allowed', undefined, undefined],
  ])('%s: the link knows what may be played here', (_which, hosts, player) => {
    const href = 'https://rutube.ru/video/0123456789abcdef0123456789abcdef/';
    const html = renderToStaticMarkup(<VideoStill video={{ duration: 'PT1M', href }} name="Видео" hosts={hosts} />);
    const { attrs } = one(parseHtml(html), 'a');
    expect([attrs.href, attrs['data-video'], attrs['data-module']]).toEqual([href, player, player && 'video']);
    expect(html).toContain(player ? 'Видео загрузится' : 'Видео откроется');
  });
});

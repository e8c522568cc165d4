import { videoFile } from '../model/player-address.ts';

/** Links to the video too, because frames hide their errors. @returns `undefined` for unsupported formats */
export function player(url: string, title: string): DocumentFragment | undefined {
  const [, ending = ''] = videoFile.exec(url) ?? [];
  const video = document.createElement('video');
  const type = /m3u8/i.test(ending) ? 'application/vnd.apple.mpegurl' : `video/${ending}`;
  if (ending && !video.canPlayType(type)) return undefined;

  const { content } = document.createElement('template');
  const shown = ending ? video : document.createElement('iframe');
  const words = document.createElement('p');
  words.innerHTML =
    '<span role="status">Видео не показывается?</span> <a target="_blank" rel="noopener">Открыть отдельно</a>';
  const [status, link] = words.children as unknown as [HTMLElement, HTMLAnchorElement];
  link.href = url;
  video.onerror = () => {
    status.textContent = 'Видео не загрузилось.';
  };
  // Each ignores the other's properties.
  const both = {
    controls: true,
    autoplay: true,
    playsInline: true,
    allow: 'autoplay',
    allowFullscreen: true,
  };
  content.append(Object.assign(shown, { src: url, title, ...both }), words);
  return content;
}

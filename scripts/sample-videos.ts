import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'node-html-parser';
import sharp from 'sharp';
import { tone } from '../src/components/tone.ts';

// npm run sample-videos: draws the sample videos of the blog and their stills; needs ffmpeg

const root = join(import.meta.dirname, '..');
const folder = join(root, 'src/content/blog/video-news');
const size = { width: 640, height: 360 };
const framesPerSecond = 10;
/** Per drawing: it appears part by part, then stays. */
const seconds = { drawn: 2, shown: 1 };

/** Files without `.svg`; the last one is the still. */
const videos: Readonly<Record<string, readonly string[]>> = {
  'kak-my-merim-korob': ['public/images/services/package', 'src/content/blog/articles/carton-dimensions'],
  'kuda-kleit-etiketku': ['public/images/services/marking', 'src/content/blog/articles/label-on-carton'],
  'noyabr-u-vorot': ['public/images/way/shelves', 'public/images/way/gate'],
  'pochemu-otkazyvayut-v-priemke': [
    'public/images/services/marketplace-delivery',
    'public/images/services/verification',
  ],
};

/** @param share of the drawing's parts, in their order */
function frame(drawing: string, share: number): string {
  const svg = parse(readFileSync(join(root, `${drawing}.svg`), 'utf8')).querySelector('svg');
  if (svg === null) throw new Error(`${drawing}.svg is no drawing.`);
  const parts = svg.childNodes.slice(0, Math.ceil(svg.childNodes.length * share));
  const scale = Math.min((size.width - 40) / Number(svg.attrs.width), (size.height - 20) / Number(svg.attrs.height));
  const [width, height] = [Number(svg.attrs.width) * scale, Number(svg.attrs.height) * scale];
  const [x, y] = [(size.width - width) / 2, (size.height - height) / 2];
  svg.setAttributes({ ...svg.attributes, width: `${width}`, height: `${height}`, x: `${x}`, y: `${y}` });
  svg.removeAttribute('xmlns');
  svg.set_content(parts);
  const { width: w, height: h } = size;
  const ground = `<path fill="${tone['kraft-pale']}" d="M0 0h${w}v${h}H0z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${ground}${svg}</svg>`;
}

async function encode(file: string, frames: readonly string[]): Promise<void> {
  const input = ['-f', 'image2pipe', '-framerate', `${framesPerSecond}`, '-c:v', 'png', '-i', '-'];
  // Plays on every phone: baseline, 4:2:0, its index before its frames.
  const picture = ['-c:v', 'libx264', '-profile:v', 'baseline', '-pix_fmt', 'yuv420p', '-preset', 'veryslow'];
  const output = ['-tune', 'animation', '-crf', '30', '-g', '100', '-an', '-movflags', '+faststart', '-y', file];
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', ...input, ...picture, ...output], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(ffmpeg, 'exit');
  for (const svg of frames) ffmpeg.stdin.write(await sharp(Buffer.from(svg)).png().toBuffer());
  ffmpeg.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}.`);
}

for (const [name, drawings] of Object.entries(videos)) {
  const drawn = seconds.drawn * framesPerSecond;
  const frames = drawings.flatMap((drawing) =>
    Array.from({ length: drawn + seconds.shown * framesPerSecond }, (_, index) =>
      frame(drawing, Math.min(1, (index + 1) / drawn)),
    ),
  );
  const file = join(folder, `${name}.mp4`);
  await encode(file, frames);
  writeFileSync(join(folder, `${name}.svg`), frames.at(-1) ?? '');
  const duration = frames.length / framesPerSecond;
  process.stderr.write(`${name}.mp4 PT${duration}S, ${statSync(file).size} bytes\n`);
}

import { readFileSync } from 'node:fs';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Font } from 'satori';
import { tone } from '../design/tone.ts';
import { shareSize } from '../document/document.tsx';
import type { View } from '../document/page.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import { paths } from '../lib/paths.ts';
import { loadSharp } from '../lib/sharp.ts';
import type { Company } from '../model/content.ts';
import type { Assets } from '../reading/assets.ts';
import { drawingPath, type PictureFile } from '../reading/pictures.ts';

/*
 * What a link to a page shows in a messenger or a social network: the page's title, what kind of page it is, a
 * drawing, the company. One for each page, and a general one for what is no page of its own.
 */

/** Says what a page is about that says no more of it. */
const anyDrawing = '/images/presets/service.svg';

/** How the picture is packed: few colours, which drawings and letters have anyway. */
const packing = { palette: true, colours: 128, effort: 4, compressionLevel: 9 } as const;

/** What the picture of a page is made of. */
export type ShareCard = {
  label: string;
  title: string;
  company: string;
  phone: string;
  drawing: Hash;
  mark: Hash;
  /** Changes when the same words are painted in another way. */
  style: Hash;
};

/** Says what the picture of each page is made of. */
export type ShareCards = {
  /** Of the whole site. */
  general: ShareCard;
  /** @param view of a page at its canonical address */
  of(view: Pick<View, 'page' | 'head'>): ShareCard;
};

/**
 * Nothing is laid out or painted here, which takes long.
 *
 * @throws if the fonts are missing, which compiling puts into `dist/`
 */
export function shareCards(company: Company, assets: Assets, pictures: readonly PictureFile[]): ShareCards {
  const drawings = new Map([
    ...[...assets.values()].map(({ href, bytes }) => [href, lazy(() => ({ hash: hashOf(bytes) }))] as const),
    ...pictures.filter(({ drawing }) => drawing).map((one) => [drawingPath(one), () => ({ hash: one.file })] as const),
  ]);
  const assetAt = (path: string) => drawings.get(assets.get(path)?.href ?? '');
  const mark = hashOf(assets.get('/favicon.svg')?.bytes ?? '');

  function card(label: string, title: string, drawn = assetAt(anyDrawing)): ShareCard {
    const drawing = drawn?.().hash ?? hashOf('');
    return { label, title, company: company.name, phone: company.phone.text, drawing, mark, style: style().name };
  }

  return {
    general: card(company.name, company.slogan),
    of({ page: { share = {} }, head }) {
      // Of the way to the page, what it is a part of.
      const label = share.label ?? head.crumbs.at(-2)?.text ?? company.slogan;
      return card(label, head.title, drawings.get(head.drawing ?? '') ?? assetAt(share.drawing ?? anyDrawing));
    },
  };
}

/** Address of a page's picture. @param path of the page; without it, of the general picture */
export function sharePath(path: string | undefined, card: ShareCard): string {
  return `/share/${shareName(path)}.${keyOf(card).slice(0, 10)}.png`;
}

/** The part of the address that comes from the page; two pages may have the same. */
export function shareName(path: string | undefined): string {
  return path === undefined ? 'site' : path.slice(1).replaceAll('/', '-') || 'home';
}

/** @param read gives the bytes of a drawing */
export async function paintShareCard(card: ShareCard, read: (hash: Hash) => Buffer): Promise<Buffer> {
  const [sharp, { default: satori }] = await Promise.all([loadSharp(), import('satori')]);
  const svg = await satori(composition(card), { ...shareSize, fonts: readFonts() });
  const drawings = placed(read(card.drawing).toString(), inner(band, 30)) + placed(read(card.mark).toString(), markBox);
  return sharp(Buffer.from(svg.replace(/<\/svg>$/, () => `${drawings}</svg>`)))
    .png(packing)
    .toBuffer();
}

/** Names the way in which words become pictures, by what it makes of titles of each size. */
const style = lazy((): { name: Hash } => {
  const samples = [20, 40, 60, 80].map((length) =>
    renderToStaticMarkup(composition({ label: 'а', title: 'а'.repeat(length), company: 'а', phone: '0' })),
  );
  return { name: keyOf(packing, band, markBox, samples, ...readFonts().map(({ data }) => hashOf(data))) };
});

function inner({ left, top, width, height }: Box, margin: number): Box {
  return { left: left + margin, top: top + margin, width: width - 2 * margin, height: height - 2 * margin };
}

function readFonts(): (Font & { data: Buffer })[] {
  return ([500, 700] as const).map((weight) => ({
    name: 'Golos Text',
    weight,
    style: 'normal',
    data: readFileSync(paths.font(weight)),
  }));
}

/** Where the drawing stands: to the right, in the middle of its band. */
const band = { left: 780, top: 0, width: 420, height: 500 };
const foot = shareSize.height - band.height;
/** The company's mark, before its name. */
const markBox = { left: 64, top: band.height + 31, width: 72, height: 72 };

type Box = { left: number; top: number; width: number; height: number };

/** A drawing within a box; it stays an SVG of its own, which scales by itself. */
function placed(svg: string, { left, top, width, height }: Box): string {
  const place = `x="${left}" y="${top}" width="${width}" height="${height}"`;
  return svg
    .slice(Math.max(0, svg.indexOf('<svg')))
    .replace(/^<svg[^>]*/, (root) => `${root.replace(/\s(?:width|height|x|y)="[^"]*"/g, '')} ${place}`);
}

type Words = Pick<ShareCard, 'label' | 'title' | 'company' | 'phone'>;

/** Everything but the drawing. Styles are an object here because that is how the library takes them. */
function composition({ label, title, company, phone }: Words): ReactElement {
  return (
    <div
      style={{ display: 'flex', width: '100%', height: '100%', backgroundColor: tone.paper, fontFamily: 'Golos Text' }}
    >
      <div style={{ position: 'absolute', ...band, backgroundColor: tone['kraft-pale'] }} />
      <div
        style={{
          position: 'absolute',
          top: 0,
          left: 0,
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'center',
          boxSizing: 'border-box',
          width: band.left,
          height: band.height,
          padding: '40px 40px 40px 64px',
        }}
      >
        <div style={{ fontSize: 27, fontWeight: 500, color: tone['ink-soft'], lineClamp: 1 }}>{label}</div>
        <div
          style={{
            display: 'block',
            marginTop: 20,
            fontSize: titleSize(title),
            fontWeight: 700,
            lineHeight: 1.12,
            letterSpacing: '-0.02em',
            color: tone.ink,
            lineClamp: 5,
          }}
        >
          {title}
        </div>
      </div>
      <div
        style={{
          position: 'absolute',
          left: 0,
          top: band.height,
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          boxSizing: 'border-box',
          width: shareSize.width,
          height: foot,
          padding: `0 64px 0 ${markBox.left + markBox.width + 20}px`,
          borderTop: `4px solid ${tone.ink}`,
          backgroundColor: tone.paper,
          color: tone.ink,
        }}
      >
        <div style={{ fontSize: 52, fontWeight: 700, letterSpacing: '-0.02em' }}>{company}</div>
        <div style={{ fontSize: 36, fontWeight: 500 }}>{phone}</div>
      </div>
    </div>
  );
}

/** Pixels; the longest title that content may have takes five lines of the smallest. */
function titleSize({ length }: string): number {
  if (length <= 34) return 84;
  if (length <= 50) return 72;
  if (length <= 70) return 62;
  return 54;
}

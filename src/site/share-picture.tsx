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

/* Open Graph pictures. */

/** For pages without a drawing of their own. */
const anyDrawing = '/images/presets/service.svg';

/** PNG options; drawings and text need few colours. */
const packing = { palette: true, colours: 128, effort: 4, compressionLevel: 9 } as const;

/** Hashed to name the picture. */
export type ShareCard = {
  label: string;
  title: string;
  company: string;
  phone: string;
  /** SVG, as is the mark. */
  drawing: string;
  mark: string;
  /** Hash of layout and fonts. */
  style: Hash;
};

export type ShareCards = {
  general: ShareCard;
  /** @param view of a page at its canonical address */
  of(view: Pick<View, 'page' | 'head'>): ShareCard;
};

type Parts = { company: Company; assets: Assets; drawings: readonly PictureFile[]; read(file: Hash): Buffer };

/** Does not render, which is slow. @throws without fonts in `dist/` */
export function shareCards({ company, assets, drawings, read }: Parts): ShareCards {
  const byAddress = new Map([
    ...[...assets.values()].map(({ href, bytes }) => [href, bytes] as const),
    ...drawings.map((drawing) => [drawingPath(drawing), read(drawing.file)] as const),
  ]);

  function card(label: string, title: string, drawing = assets.get(anyDrawing)?.bytes): ShareCard {
    return {
      label,
      title,
      company: company.name,
      phone: company.phone.text,
      drawing: String(drawing ?? ''),
      mark: String(assets.get('/favicon.svg')?.bytes ?? ''),
      style: style(),
    };
  }

  return {
    general: card(company.name, company.slogan),
    of({ page: { share = {} }, head }) {
      // The parent in the breadcrumbs.
      const label = share.label ?? head.crumbs.at(-2)?.text ?? company.slogan;
      return card(
        label,
        head.title,
        byAddress.get(head.drawing ?? '') ?? assets.get(share.drawing ?? anyDrawing)?.bytes,
      );
    },
  };
}

export async function paintShareCard(card: ShareCard): Promise<Buffer> {
  const [sharp, { default: satori }] = await Promise.all([loadSharp(), import('satori')]);
  const svg = await satori(composition(card), { ...shareSize, fonts: readFonts() });
  const drawings = placed(card.drawing, inner(band, 30)) + placed(card.mark, markBox);
  return sharp(Buffer.from(svg.replace(/<\/svg>$/, () => `${drawings}</svg>`)))
    .png(packing)
    .toBuffer();
}

/** Hashes samples, so that addresses change with the design. */
const style = lazy((): Hash => {
  const samples = [20, 40, 60, 80].map((length) =>
    renderToStaticMarkup(composition({ label: 'а', title: 'а'.repeat(length), company: 'а', phone: '0' })),
  );
  return keyOf(packing, band, markBox, samples, ...readFonts().map(({ data }) => hashOf(data)));
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

/** On the right, for the drawing. */
const band = { left: 780, top: 0, width: 420, height: 500 };
const foot = shareSize.height - band.height;
const markBox = { left: 64, top: band.height + 31, width: 72, height: 72 };

type Box = { left: number; top: number; width: number; height: number };

/** A nested SVG scales by its own viewBox. */
function placed(svg: string, { left, top, width, height }: Box): string {
  const place = `x="${left}" y="${top}" width="${width}" height="${height}"`;
  return svg
    .slice(Math.max(0, svg.indexOf('<svg')))
    .replace(/^<svg[^>]*/, (root) => `${root.replace(/\s(?:width|height|x|y)="[^"]*"/g, '')} ${place}`);
}

type Words = Pick<ShareCard, 'label' | 'title' | 'company' | 'phone'>;

/** Styles are objects because satori requires it. */
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

/** Pixels; the longest title takes five lines. */
function titleSize({ length }: string): number {
  if (length <= 34) return 84;
  if (length <= 50) return 72;
  if (length <= 70) return 62;
  return 54;
}

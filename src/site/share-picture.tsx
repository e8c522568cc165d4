import { readFileSync } from 'node:fs';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Font } from 'satori';
import { tone } from '../components/tone.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import { paths } from '../lib/paths.ts';
import { loadSharp } from '../lib/sharp.ts';
import type { Assets } from '../loading/assets.ts';
import { drawingPath, type PictureFile } from '../loading/read-pictures.ts';
import type { Company } from '../model/content.ts';
import { typeset } from '../model/typography.ts';
import type { PageView } from '../pages/page.ts';
import { shareSize } from './document.tsx';

const anyDrawing = '/images/presets/service.svg';

/** PNG options; drawings and text need few colours. */
const packing = { palette: true, colours: 128, effort: 4, compressionLevel: 9 } as const;

/** Pixels. */
type Size = { width: number; height: number };
const drawingSize: Size = { width: 360, height: 440 };
const logoSize: Size = { width: 72, height: 72 };

export type ShareCard = {
  label: string;
  title: string;
  company: string;
  phone: string;
  /** SVG data URL, like `logo`. */
  drawing: string;
  logo: string;
};

export type ShareCards = {
  general: ShareCard;
  of(view: Pick<PageView, 'page' | 'head'>): ShareCard;
};

type Parts = { company: Company; assets: Assets; drawings: readonly PictureFile[] };

export function shareCards({ company, assets, drawings }: Parts): ShareCards {
  const byAddress = new Map([
    ...[...assets.values()].map(({ href, bytes }) => [href, bytes] as const),
    ...drawings.map((drawing) => [drawingPath(drawing), drawing.drawing] as const),
  ]);
  const asset = (path: string) => assets.get(path)?.bytes;
  const logo = dataAddress(asset('/favicon.svg'));

  function card(label: string, title: string, drawing: Buffer | undefined): ShareCard {
    const texts = { label: typeset(label), title: typeset(title), company: typeset(company.name) };
    return { ...texts, phone: company.phone.text, drawing: dataAddress(drawing), logo };
  }

  return {
    general: card(company.name, company.slogan, asset(anyDrawing)),
    of({ page: { share = {} }, head }) {
      const label = share.label ?? head.crumbs.at(-2)?.text ?? company.slogan;
      return card(label, head.title, byAddress.get(head.drawing ?? '') ?? asset(share.drawing ?? anyDrawing));
    },
  };
}

function dataAddress(svg: Buffer | undefined): string {
  return `data:image/svg+xml;base64,${svg?.toString('base64') ?? ''}`;
}

export async function paintShareCard(card: ShareCard): Promise<Buffer> {
  const [sharp, { default: satori }] = await Promise.all([loadSharp(), import('satori')]);
  const [drawing, logo] = await Promise.all([painted(card.drawing, drawingSize), painted(card.logo, logoSize)]);
  const svg = await satori(composition({ ...card, drawing, logo }), { ...shareSize, fonts: [...fonts()] });
  return sharp(Buffer.from(svg)).png(packing).toBuffer();
}

/** Satori fails for drawings that browsers and the check accept, such as those with sizes in millimetres. */
async function painted(svg: string, size: Size): Promise<string> {
  const sharp = await loadSharp();
  const bytes = Buffer.from(svg.slice(svg.indexOf(',') + 1), 'base64');
  const png = await sharp(bytes)
    .resize({ ...size, fit: 'contain', background: '#0000' })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** @throws without fonts in `dist/` */
export function shareKey(card: ShareCard): Hash {
  return keyOf(renderToStaticMarkup(composition(card)), packing, fontHashes());
}

const fonts = lazy((): readonly (Font & { data: Buffer })[] =>
  ([500, 700] as const).map((weight) => ({
    name: 'Golos Text',
    weight,
    style: 'normal',
    data: readFileSync(paths.font(weight)),
  })),
);

const fontHashes = lazy(() => fonts().map(({ data }) => hashOf(data)));

/** Satori requires inline style objects. */
function composition({ label, title, company, phone, drawing, logo }: ShareCard): ReactElement {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: '100%',
        height: '100%',
        backgroundColor: tone.paper,
        fontFamily: 'Golos Text',
        color: tone.ink,
      }}
    >
      <div style={{ display: 'flex', height: 500 }}>
        <div
          style={{
            display: 'flex',
            flexDirection: 'column',
            justifyContent: 'center',
            width: 780,
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
              lineClamp: 5,
            }}
          >
            {title}
          </div>
        </div>
        <div style={{ display: 'flex', padding: 30, backgroundColor: tone['kraft-pale'] }}>
          <img src={drawing} alt="" {...drawingSize} style={{ objectFit: 'contain' }} />
        </div>
      </div>
      <div
        style={{
          display: 'flex',
          alignItems: 'center',
          height: 130,
          padding: '0 64px',
          borderTop: `4px solid ${tone.ink}`,
        }}
      >
        <img src={logo} alt="" {...logoSize} />
        <div style={{ flexGrow: 1, marginLeft: 20, fontSize: 52, fontWeight: 700, letterSpacing: '-0.02em' }}>
          {company}
        </div>
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

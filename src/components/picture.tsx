import type { Illustration } from '../model/illustration.ts';
import './picture.css';

/** Must match `.picture-hero`, and `--measure` of `prose-block.css`; also used by the preload in the head. */
export const columnSizes = '(min-width: 44rem) 42rem, calc(100vw - 2rem)';

type Props = {
  /** `alt` is empty for decorative drawings. */
  picture: Illustration;
  /** Required with `srcset`. */
  sizes?: string;
  /** For pictures above the fold. */
  eager?: boolean;
};

/** Writes every `img` but the logo. Inside `picture` React does not preload it; the head decides that. */
export function Picture({ picture: { src, alt, width, height, srcset }, sizes, eager = false }: Props) {
  return (
    <picture className="picture">
      {srcset && <source type="image/avif" srcSet={srcset.avif} sizes={sizes} />}
      <img
        src={src}
        srcSet={srcset?.webp}
        sizes={srcset && sizes}
        alt={alt}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
      />
    </picture>
  );
}

export type FixedDrawing = {
  href: string;
  /** Absent if the drawing is an editor's. */
  svg?: string;
};

/** A separate image would be painted last in the first screen. */
export function InlineDrawing({ drawing: { href, svg } }: { drawing: FixedDrawing }) {
  if (svg === undefined) return <Picture picture={{ src: href, alt: '', ...drawingSize }} eager />;
  return <InlineSvg className="picture" svg={svg} />;
}

/** @param props.svg a file of this repository */
export function InlineSvg({ className, svg }: { className?: string; svg: string }) {
  // HTML needs neither the namespace nor line breaks.
  const html = svg.replace(/ xmlns="[^"]*"|\n/g, '');
  // biome-ignore lint/security/noDangerouslySetInnerHtml: no editor or visitor writes it
  return <div className={className} aria-hidden="true" dangerouslySetInnerHTML={{ __html: html }} />;
}

export function Drawing({ image }: { image: string | undefined }) {
  return image ? <Picture picture={{ src: image, alt: '', ...drawingSize }} /> : null;
}

const drawingSize = { width: 240, height: 180 } as const;

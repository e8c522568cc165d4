import type { Illustration } from '../model/illustration.ts';
import './picture.css';

type Props = {
  /** `alt` is empty for decorative drawings. */
  picture: Illustration;
  /** Required with `srcset`. */
  sizes?: string;
  /** True above the fold. */
  eager?: boolean;
};

/**
 * The only component that writes `img`. The `picture` around it stops React from preloading it: the head decides what
 * is preloaded.
 */
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

/** Inlined, because a separate image would be the last thing painted in the first screen. */
export function InlineDrawing({ svg }: { svg: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of `public/`
  return <div className="picture" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />;
}

export function Drawing({ image }: { image: string | undefined }) {
  return image ? <Picture picture={{ src: image, alt: '', width: 240, height: 180 }} /> : null;
}

import type { Illustration } from '../model/illustration.ts';
import './picture.css';

type Props = {
  src: string;
  /** Empty for decorative drawings. */
  alt: string;
  width: number;
  height: number;
  /** `sizes` is required with `srcset`. */
  srcset?: { avif: string; webp: string } | undefined;
  sizes?: string;
  /** True above the fold. */
  eager?: boolean;
};

/**
 * The only component that writes `img`. The `picture` around it stops React from preloading it: the head decides what
 * is preloaded.
 */
export function Picture({ src, alt, width, height, srcset, sizes, eager = false }: Props) {
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
  return image ? <Picture src={image} alt="" width={240} height={180} /> : null;
}

export function IllustrationPicture({
  picture: { src, alt, width, height, srcset },
  sizes,
  eager = false,
}: {
  picture: Illustration;
  sizes: string;
  eager?: boolean;
}) {
  return <Picture src={src} alt={alt} width={width} height={height} srcset={srcset} sizes={sizes} eager={eager} />;
}

import type { Illustration } from '../model/illustration.ts';
import './picture.css';

type Props = {
  src: string;
  /** Empty for a drawing that says nothing the text does not say. */
  alt: string;
  width: number;
  height: number;
  /** The same picture in several widths, and the width that it is shown in, as `sizes` of an `img` has it. */
  srcset?: { avif: string; webp: string } | undefined;
  sizes?: string;
  /** True for what stands in the first screen. */
  eager?: boolean;
};

/**
 * The only component that writes `img`. It stands inside `picture`, because React adds
 * a preload for every plain image, and the head of the page says what is preloaded.
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

/** A drawing written into the page, for a first screen in which an image of its own would be the last to be painted. */
export function InlineDrawing({ svg }: { svg: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of `public/`
  return <div className="picture" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** A drawing of a service, of a preset of the request form and the like, all of one size; nothing if there is none. */
export function Drawing({ image, eager = false }: { image: string | undefined; eager?: boolean }) {
  return image ? <Picture src={image} alt="" width={240} height={180} eager={eager} /> : null;
}

/** A picture that editors put beside their text; `sizes` says how wide it is shown. */
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

import './picture.css';

type Props = {
  src: string;
  /** Empty for a drawing that says nothing the text does not say. */
  alt: string;
  width: number;
  height: number;
  /** True for what stands in the first screen. */
  eager?: boolean;
};

/**
 * The only place that writes `img`. It stands inside `picture`, because React
 * adds a preload for every plain image, and the shell decides what is preloaded.
 */
export function Picture({ src, alt, width, height, eager = false }: Props) {
  return (
    <picture className="picture">
      <img src={src} alt={alt} width={width} height={height} loading={eager ? 'eager' : 'lazy'} decoding="async" />
    </picture>
  );
}

/** A drawing of a service, of a preset of the request form and the like, all of one size; nothing if there is none. */
export function Drawing({ image, eager = false }: { image: string | undefined; eager?: boolean }) {
  return image ? <Picture src={image} alt="" width={240} height={180} eager={eager} /> : null;
}

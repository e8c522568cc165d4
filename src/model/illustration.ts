/** Plain data, for the payload. */
export type Illustration = {
  alt: string;
  width: number;
  height: number;
  /** The fallback for every browser. */
  src: string;
  /** Values of `srcset`; absent for drawings. */
  srcset?: { avif: string; webp: string };
};

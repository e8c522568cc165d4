/** A picture as pages show it: plain data that goes into the payload. */
export type Illustration = {
  /** What it shows, for those who do not see it. */
  alt: string;
  width: number;
  height: number;
  /** Address that every browser can show. */
  src: string;
  /** The same in several widths, as `srcset` has them; a drawing needs no more than one. */
  srcset?: { avif: string; webp: string };
};

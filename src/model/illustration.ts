/** Plain data, for the payload. */
export type Illustration = {
  alt: string;
  width: number;
  height: number;
  src: string;
  /** Absent for drawings. */
  srcset?: { avif: string; webp: string };
};

/** What may be kept of an answer, and for how long. */
export const cacheFor = {
  /** Kept, but asked about each time; the answer is mostly a 304. */
  revalidate: 'no-cache',
  /** The address changes when the bytes do. */
  ever: 'public, max-age=31536000, immutable',
  /** Files with a fixed name that change rarely: icons. */
  hour: 'public, max-age=3600',
  /** Kept by the visitor's own browser, which else could not go back to an answer to a form. */
  history: 'private, no-cache',
  /** Never kept at all. */
  never: 'no-store',
} as const;

export const cacheFor = {
  /** Usually answered with a 304. */
  revalidate: 'no-cache',
  /** For URLs that contain a hash. */
  ever: 'public, max-age=31536000, immutable',
  /** For icons, whose names are fixed. */
  hour: 'public, max-age=3600',
  /** For forms: with `no-store`, Back would load another form, or an error after a POST. */
  history: 'private, no-cache',
  never: 'no-store',
} as const;

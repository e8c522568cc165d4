export const cacheFor = {
  /** Usually answered with a 304. */
  revalidate: 'no-cache',
  /** For URLs that contain a hash. */
  ever: 'public, max-age=31536000, immutable',
  /** For icons, whose names are fixed. */
  hour: 'public, max-age=3600',
  /** `no-store` would break the Back button after a form response. */
  history: 'private, no-cache',
  never: 'no-store',
} as const;

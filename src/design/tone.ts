/** Tones of `tokens.css`, by its names, for what no style sheet reaches: pictures, icons and a phone's own bars. */
export const tone = { paper: '#faf6ef', 'kraft-pale': '#f4ead9', ink: '#1d1a16', 'ink-soft': '#544a3e' } as const;

/** Copies of `tokens.css` for where CSS does not reach: pictures, icons, browser bars. */
export const tone = { paper: '#faf6ef', 'kraft-pale': '#f4ead9', ink: '#1d1a16', 'ink-soft': '#544a3e' } as const;

/** Copies of `tokens.css` for pictures, icons, browser bars and scripts, which CSS does not reach. */
export const tone = {
  paper: '#faf6ef',
  'kraft-pale': '#f4ead9',
  ink: '#1d1a16',
  'ink-soft': '#544a3e',
  accent: '#0d572d',
  error: '#9c2118',
} as const;

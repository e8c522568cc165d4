import type { Content } from './content.ts';

/** Title of a lead's preset; its name, if editors have since taken it away. */
export function presetTitle({ presets }: Content, slug: string): string {
  return presets.find((preset) => preset.slug === slug)?.title ?? slug;
}

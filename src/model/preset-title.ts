import type { Content } from './content.ts';

/** Deleted presets show their slug. */
export function presetTitle({ presets }: Content, slug: string): string {
  return presets.find((preset) => preset.slug === slug)?.title ?? slug;
}

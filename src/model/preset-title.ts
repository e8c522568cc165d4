import type { Content, Preset } from './content.ts';
import { generalPreset } from './schemas/presets-schema.ts';

type Presets = Pick<Content, 'presets'>;

/** Deleted presets show their slug. */
export function presetTitle({ presets }: Presets, slug: string): string {
  return presets.find((preset) => preset.slug === slug)?.title ?? slug;
}

export function generalPresetOf(content: Presets): Pick<Preset, 'slug' | 'title'> {
  return { slug: generalPreset, title: presetTitle(content, generalPreset) };
}

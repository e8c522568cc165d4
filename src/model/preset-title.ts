import type { Content, Preset } from './content.ts';
import { generalPreset } from './schemas/presets-schema.ts';

type Presets = Pick<Content, 'presets'>;

/** Deleted presets show their slug. */
export function presetTitle({ presets }: Presets, slug: string): string {
  return presets.find((preset) => preset.slug === slug)?.title ?? slug;
}

/** What a lead is about: a title may be a command to the visitor. */
export function presetSubject(content: Presets, slug: string): string {
  return content.presets.find((preset) => preset.slug === slug)?.subject ?? presetTitle(content, slug);
}

export function generalPresetOf(content: Presets): Pick<Preset, 'slug' | 'title'> {
  return { slug: generalPreset, title: presetTitle(content, generalPreset) };
}

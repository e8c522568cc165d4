import type { Assets } from './assets.ts';
import type { ContentFiles } from './content-files.ts';
import { drawingPath, type Pictures } from './read-pictures.ts';

/** In the content folder. */
export const logoFile = 'logo.svg';

export const logoAsset = '/favicon.svg';

/** The logo and drawings of the content replace those of the same name in `public/`. */
export function withOwnDrawings(shipped: Assets, files: ContentFiles, pictures: Pictures): Assets {
  const assets = new Map(shipped);
  for (const file of files.keys()) {
    const path = replacedBy(file) ?? '';
    const picture = pictures.get(file);
    if (!picture || 'message' in picture || !picture.drawing || !shipped.has(path)) continue;
    const href = path === logoAsset ? path : drawingPath(picture);
    assets.set(path, { href, bytes: picture.drawing, immutable: href !== path, own: true });
  }
  return assets;
}

/** The path of the asset that a file of the content replaces, if there is one. */
export function replacedBy(file: string): string | undefined {
  if (file === logoFile) return logoAsset;
  return file.startsWith('images/') ? `/${file}` : undefined;
}

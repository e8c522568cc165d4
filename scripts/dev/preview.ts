import type { Workshop } from '../../src/edition/code.ts';
import { type Edition, type Prerendered, prerendered } from '../../src/edition/open.ts';
import { makePicture } from '../../src/edition/polish.ts';
import { manifests, openPages, press } from '../../src/edition/prerender.ts';
import { type Profile, type Resource, sharePath } from '../../src/edition/resource.ts';
import { type Hash, hashOf, keyOf } from '../../src/lib/hash.ts';
import type { Content } from '../../src/model/content.ts';
import { readAssets } from '../../src/reading/assets.ts';
import type { ContentFiles } from '../../src/reading/content-files.ts';
import { loadContent } from '../../src/reading/load.ts';
import { readPictures } from '../../src/reading/pictures.ts';
import { ContentError } from '../../src/reading/problem.ts';
import { contentReader } from '../../src/reading/source.ts';
import { sections, taken } from '../../src/routes.ts';
import { memoIn } from '../../src/store/memo.ts';
import type { EditionStore } from '../../src/store/store.ts';

export type Preview = Edition & { makePicture(path: string): Promise<void> };

/**
 * An edition of which each page is rendered when a browser asks for it, and nothing compressed: for a writer who wants
 * to see it at once. Posts are shown, marked, that visitors do not see yet.
 *
 * @param store remembers what was read before
 * @throws {ContentError} if the content cannot be read; links to nowhere are not looked for
 */
export async function previewEdition(files: ContentFiles, workshop: Workshop, store: EditionStore): Promise<Preview> {
  const { code, publicDir, siteUrl, integrations } = workshop;
  const memo = memoIn(store, code.id);
  const assets = readAssets(publicDir);
  const pictures = await readPictures(files, memo);
  const reader = contentReader(files, memo);
  const loaded = loadContent(files, assets, { sections, taken, integrations, pictures, memo, reader });
  const errors = reader.problems.filter(({ warning }) => !warning);
  if (errors.length > 0) throw new ContentError(errors);
  const content: Content = loaded.preview ?? loaded.content;
  const bytes = new Map([...files.values()].map((file) => [file.hash, file]));
  const read = (hash: Hash) => bytes.get(hash)?.bytes() ?? Buffer.alloc(0);
  for (const { file } of loaded.pictures) store.keep(read(file));
  for (const asset of assets.values()) store.keep(asset.bytes);
  const pages = openPages(content);
  const printing = press(
    {
      content,
      pictures: loaded.pictures,
      rootFiles: loaded.rootFiles,
      read,
      assets,
      siteUrl,
      integrations,
      code,
      memo,
    },
    pages,
  );
  const id = keyOf(
    [...files].map(([name, { hash }]) => [name, hash]),
    code,
  ).slice(0, 16);
  const resources = new Map(
    [...printing.others(pages), ...manifests(id, Date.now(), [], content.redirects, siteUrl)].map((one) => [
      one.path,
      one,
    ]),
  );

  function bodyOf(resource: Resource): Buffer | undefined {
    if ('body' in resource) return resource.body;
    const made = 'recipe' in resource ? store.memo(recipeName(resource)) : resource.hash;
    return made === undefined ? undefined : store.bytes(made);
  }

  function recipeName(resource: Resource): Hash {
    return store.keep(JSON.stringify('recipe' in resource ? resource.recipe : ''));
  }

  return {
    id,
    until: undefined,
    snapshot: '',
    demo: content.company.demo,
    pages: () => pages.map(({ path }) => path),
    redirects: content.redirects,
    images: printing.images,
    dictionary: printing.dictionary,
    find(path): Prerendered | undefined {
      const resource = resources.get(path);
      if (resource === undefined) return undefined;
      const profile: Profile = resource.profile;
      return prerendered({ ...profile, name: keyOf(profile) }, hashOf(path), id, () => {
        const body = bodyOf(resource);
        return body && { encoding: 'identity', bytes: body };
      });
    },
    sharePicture(path) {
      const mark = printing.shareMarks.get(path);
      return mark === undefined ? printing.images.share : sharePath(path, mark);
    },
    content: () => content,
    refresh: () => {},
    damaged: () => false,
    async makePicture(path) {
      const resource = resources.get(path);
      if (resource && 'recipe' in resource) await makePicture(recipeName(resource), store);
    },
  };
}

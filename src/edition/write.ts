import { createHash, randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Headers } from '../document/security-headers.ts';
import type { Content } from '../site/content.ts';
import { type BuildCache, buildCache } from './build-cache.ts';
import { compress, type Encoded } from './compress.ts';
import type { EditionIndex, IndexEntry } from './edition-index.ts';
import { nginxIncludes } from './nginx-include.ts';
import type { Draft } from './prerender.ts';
import type { MadeResource, Resource } from './resource.ts';

/** Editions that stay on disk, so that a web server has time to move to the newest. */
const kept = 3;

const hour = 3_600_000;

export type WriteOptions = {
  /** Holds a folder for each edition and the link `current`. */
  editionsDir: string;
  cacheDir: string;
  inputs: string;
  /** From then on the same inputs make another edition. */
  until: Date | undefined;
};

/**
 * Writes an edition to disk and makes it the current one.
 *
 *     {editionsDir}/{id}/site/…         a plain static site, with .br and .gz beside the files
 *     {editionsDir}/{id}/errors/…       error pages for a web server whose upstream is down
 *     {editionsDir}/{id}/edition.conf   addresses and what answers them, for nginx to include
 *     {editionsDir}/{id}/headers.conf   headers that protect an answer, for nginx to include
 *     {editionsDir}/{id}/index.json     the same, for this server
 *     {editionsDir}/{id}/bodies         every body in every encoding, one after another: one file is soon read
 *     {editionsDir}/{id}/content.json   what pages are rendered from on demand
 *     {editionsDir}/current             -> {id}
 *
 * @returns the folder of the edition
 */
export async function writeEdition(draft: Draft, content: Content, options: WriteOptions): Promise<string> {
  const { editionsDir, cacheDir, inputs, until } = options;
  const dir = join(editionsDir, draft.id);
  const unfinished = `${dir}.${randomUUID()}`;
  const cache = buildCache(cacheDir);

  const security: Headers[] = [];
  const entries: IndexEntry[] = [];
  const bodies: Buffer[] = [];
  for (const batch of batches<Resource | MadeResource>([...draft.resources, ...draft.made], 16)) {
    const encoded = await Promise.all(
      batch.map(async (described) => {
        const resource = 'make' in described ? await finished(described, cache) : described;
        return { resource, body: await compress(resource.type, resource.body, cache) };
      }),
    );
    for (const { resource, body } of encoded) {
      await put(join(unfinished, 'site', resource.file), body);
      entries.push(indexEntry(resource, body, security));
      bodies.push(...storedBodies(body));
    }
  }
  for (const { status, document } of draft.errorPages) {
    await put(join(unfinished, 'errors', `${status}.html`), { identity: Buffer.from(document.html) });
  }
  const index: EditionIndex = {
    id: draft.id,
    timestamp: draft.timestamp,
    inputs,
    until: until?.toISOString() ?? null,
    demo: content.company.demo,
    prerendered: draft.prerendered,
    redirects: content.redirects,
    images: draft.images,
    security,
    entries,
  };
  await writeFile(join(unfinished, 'bodies'), bodies);
  await writeFile(join(unfinished, 'content.json'), JSON.stringify(content));
  for (const [name, text] of Object.entries(nginxIncludes(index, draft.errorPages))) {
    await writeFile(join(unfinished, name), text);
  }
  await writeFile(join(unfinished, 'index.json'), JSON.stringify(index));

  // Made before, by other code: nothing comes between the two renames, so the old one is hardly missing.
  const old = `${unfinished}.old`;
  if (existsSync(dir)) renameSync(dir, old);
  renameSync(unfinished, dir);
  await rm(old, { recursive: true, force: true });
  await pointTo(editionsDir, draft.id);
  await pruneEditions(editionsDir, draft.id);
  await cache.prune();
  return dir;
}

async function finished({ make, ...resource }: MadeResource, cache: BuildCache): Promise<Resource> {
  return { ...resource, body: await cache.keep(resource.file.replaceAll('/', '-'), make) };
}

function indexEntry(resource: Resource, encoded: Encoded, security: Headers[]): IndexEntry {
  const { path, file, type, cacheControl, versionedCacheControl, query } = resource;
  const known = security.findIndex((headers) => JSON.stringify(headers) === JSON.stringify(resource.security));
  const position = known === -1 ? security.push(resource.security) - 1 : known;
  // The headers count too: a 304 must not keep a page under an old policy.
  const hash = createHash('sha256')
    .update(JSON.stringify([type, resource.security]))
    .update(encoded.identity);
  return {
    path,
    file,
    type,
    etag: `W/"${hash.digest('hex').slice(0, 20)}"`,
    length: encoded.identity.length,
    stored: storedBodies(encoded).map(({ length }) => length),
    cacheControl,
    ...(versionedCacheControl !== undefined && { versionedCacheControl }),
    query,
    security: position,
  };
}

const nothing = Buffer.alloc(0);

/** The bodies that the server keeps: br, gzip and identity, the last only where it cannot be had from the gzip. */
function storedBodies({ identity, br = nothing, gzip }: Encoded): Buffer[] {
  return [br, gzip ?? nothing, gzip ? nothing : identity];
}

async function put(file: string, encoded: Encoded): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, encoded.identity);
  if (encoded.br) await writeFile(`${file}.br`, encoded.br);
  if (encoded.gzip) await writeFile(`${file}.gz`, encoded.gzip);
}

/** A link replaced by renaming is never missing, not even for a moment. */
async function pointTo(editionsDir: string, id: string): Promise<void> {
  const draft = join(editionsDir, `current.${randomUUID()}`);
  await symlink(id, draft);
  await rename(draft, join(editionsDir, 'current'));
}

async function pruneEditions(editionsDir: string, current: string): Promise<void> {
  // Another build may take away what this one has just listed.
  const madeAt = (name: string) =>
    lstat(join(editionsDir, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
  const names = await readdir(editionsDir);
  const aged = await Promise.all(names.map(async (name) => ({ name, made: await madeAt(name) })));
  const others = aged.filter(({ name }) => /^[0-9a-f]{16}$/.test(name) && name !== current);
  others.sort((a, b) => b.made - a.made);
  // What a build that was killed has left; one that is running is younger.
  const left = aged.filter(({ name, made }) => /^([0-9a-f]{16}|current)\./.test(name) && made < Date.now() - hour);
  for (const { name } of [...others.slice(kept - 1), ...left]) {
    await rm(join(editionsDir, name), { recursive: true, force: true });
  }
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

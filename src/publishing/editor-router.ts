import { readdirSync } from 'node:fs';
import type { Router } from 'express';
import editorPage from '../../views/editor.njk';
import { exactRouter, refusingOthers } from '../http/router.ts';
import { referrer, sendDocument } from '../http/send-document.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { paths } from '../lib/paths.ts';
import { markup, template } from '../lib/template.ts';
import type { Repository } from '../loading/repository.ts';
import { protectEditor } from '../site/security-headers.ts';
import type { Site } from '../site/site.ts';
import { publicationView } from './publication.page.tsx';
import { publicationOf } from './publication.ts';

const page = template(editorPage, markup);

type Options = {
  repository: Repository | undefined;
  site: Site;
  /** Folder of the revisions; `undefined` where drafts are shown. */
  published: string | undefined;
  siteUrl: string;
};

const fresh = { 'Cache-Control': cacheFor.never };
const unlisted = { 'X-Robots-Tag': 'noindex, nofollow', ...referrer.none };

/** For files whose addresses name their content or version. */
const files = { root: paths.editor, maxAge: '1y', immutable: true };

/**
 * `/admin/` says what is published, to anybody. `/admin/editor/` runs in the browser and uses the repository directly,
 * with the user's own login.
 *
 * @param repository without it, there is no editor
 */
export function editorRouter({ repository, site, published, siteUrl }: Options): Router {
  const router = exactRouter();
  router.use('/admin', (_req, res, next) => {
    res.set(unlisted);
    next();
  });
  router.get('/admin', (_req, res) => {
    res.set(fresh).redirect(308, '/admin/');
  });
  router.get('/admin/', (_req, res) => {
    const publication = published === undefined ? undefined : publicationOf(published, site.revision);
    const view = publicationView({ publication, site, editor: repository !== undefined, now: new Date() });
    sendDocument(res, site.render(view), { ...unlisted, ...fresh });
  });
  if (repository !== undefined) serveEditor(router, { repository, site, siteUrl });
  return refusingOthers(router);
}

type EditorOptions = { repository: Repository; site: Site; siteUrl: string };

function serveEditor(router: Router, { repository, site, siteUrl }: EditorOptions): void {
  const entry = readdirSync(paths.editor).find((name) => name.startsWith('editor-'));
  if (entry === undefined) throw new Error(`No editor in ${paths.editor}; run the build again.`);

  router.get('/admin/editor', (_req, res) => {
    res.set(fresh).redirect(308, '/admin/editor/');
  });
  router.get('/admin/editor/', protectEditor(repository), (_req, res) => {
    res
      .set(fresh)
      .type('html')
      .send(page({ company: site.content.company.name, entry: entry.replace(/\.gz$/, '') }));
  });
  router.get('/admin/config.json', async (_req, res) => {
    // Loaded on demand, because it brings a generator of JSON Schemas.
    const { editorConfig } = await import('../loading/editor-config.ts');
    res.set(fresh).json(editorConfig({ repository, content: site.content, ids: site.nextIds, siteUrl }));
  });
  router.get('/admin/:name.js', (req, res) => {
    // Every browser that runs the editor accepts gzip.
    const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Content-Encoding': 'gzip' };
    res.sendFile(`${req.params.name}.js.gz`, { ...files, headers });
  });
  router.get('/admin/*path', (req, res, next) => {
    res.sendFile(req.params.path.join('/'), files, (error) => error && !res.headersSent && next('router'));
  });
}

import { readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { RequestHandler, Router } from 'express';
import editorPage from '../../views/editor.njk';
import { type Headers, securityHeaders } from '../document/security-headers.ts';
import { exactRouter, refusingOthers } from '../http/router.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { filesBelow } from '../lib/files.ts';
import { paths } from '../lib/paths.ts';
import { markup, template } from '../lib/template.ts';
import { apiOf, type Repository } from '../reading/repository.ts';
import type { Site } from '../site/site.ts';

const page = template(editorPage, markup);

type Options = { repository: Repository | undefined; site: Site; siteUrl: string };

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript; charset=utf-8', '.woff2': 'font/woff2' };

/**
 * `/admin/`: the editor in the browser. It is a program of its own, which works on the repository by what the editor
 * signs in with; this server only hands it out.
 *
 * @param repository without it, there is no such address
 */
export function editorRouter({ repository, site, siteUrl }: Options): Router {
  const router = exactRouter();
  if (repository === undefined) return router;
  const names = filesBelow(paths.editor).map((path) => relative(paths.editor, path).replaceAll(sep, '/'));
  const files = new Map(names.map((name) => [name.replace(/\.gz$/, ''), name]));
  const entry = [...files.keys()].find((name) => /^editor-\w+\.js$/.test(name));
  if (entry === undefined) throw new Error(`No editor in ${paths.editor}; run the build again.`);
  const own: Headers = { ...securityHeaders(siteUrl), ...editorHeaders(repository) };
  const protect: RequestHandler = (_req, res, next) => next(void res.set(own));

  router.get('/admin', protect, (_req, res) => {
    res.set('Cache-Control', cacheFor.never).redirect(308, '/admin/');
  });
  router.get('/admin/', protect, (_req, res) => {
    res
      .set('Cache-Control', cacheFor.never)
      .type('html')
      .send(page({ company: site.content.company.name, entry }));
  });
  router.get('/admin/config.json', protect, async (_req, res) => {
    // It brings with it what makes JSON Schemas, which no visitor needs.
    const { editorConfig } = await import('../reading/editor-config.ts');
    res.set('Cache-Control', cacheFor.never).json(editorConfig({ repository, content: site.content, siteUrl }));
  });
  for (const [path, name] of files) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    router.get(`/admin/${path}`, protect, (_req, res) => {
      res.set({ 'Cache-Control': cacheFor.ever, 'Content-Type': type });
      // Every browser that the editor runs in takes it so.
      if (name !== path) res.set('Content-Encoding', 'gzip');
      res.send(readFileSync(join(paths.editor, name)));
    });
  }
  return refusingOthers(router);
}

/** The editor styles itself as it goes, shows pictures that it has read, and calls the repository and nobody else. */
function editorHeaders(repository: Repository): Headers {
  const { rest, graphql = rest, state = rest, pictures } = apiOf(repository);
  const origins = new Set([rest, graphql, state].map((url) => new URL(url).origin));
  const policy = {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'connect-src': ["'self'", 'blob:', 'data:', ...origins],
    'font-src': ["'self'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    'frame-src': ['blob:'],
    'img-src': ["'self'", 'blob:', 'data:', ...pictures],
    'media-src': ['blob:'],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
  };
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources.join(' ')}`)
      .join(';'),
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'no-referrer',
  };
}

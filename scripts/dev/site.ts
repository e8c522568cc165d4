import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import type { Code } from '../../src/edition/code.ts';
import { paths } from '../../src/lib/paths.ts';
import { readFolder } from '../../src/reading/content-files.ts';
import { startServer } from '../../src/server.ts';
import { type EditionStore, openEditionStore } from '../../src/store/store.ts';
import { previewEdition } from './preview.ts';

/** The site as it is developed, compiled anew whenever its code changes. */
export type DevSite = {
  /** Shows the content as it is now. @throws {ContentError} and goes on as it was */
  reload(code: Code): Promise<void>;
  stop(): Promise<void>;
};

/** What was read of the content; it outlives the code that has read it, unless that reads in another way. */
export type Memory = EditionStore;

export function newMemory(): Memory {
  return openEditionStore(':memory:', { for: 'make' });
}

/**
 * Serves the content of `CONTENT_DIR`, each page rendered when a browser asks for it.
 *
 * @param port on loopback
 * @param siteUrl where visitors come in
 * @throws {ContentError}
 */
export async function serveSite(port: number, siteUrl: string, code: Code, memory: Memory): Promise<DevSite> {
  const config = { ...loadConfig({ SITE_URL: siteUrl, ...process.env }, paths.content), port, host: '127.0.0.1' };
  const logger = pino({ level: process.env.LOG_LEVEL || 'error', base: null });
  const preview = (code: Code) => {
    const { contentDir, integrations } = config;
    const workshop = { code, publicDir: paths.public, siteUrl: config.siteUrl, integrations };
    return previewEdition(readFolder(contentDir), workshop, memory);
  };
  let shown = await preview(code);
  const makePicture = (path: string) => shown.makePicture(path).catch((error) => logger.error(error));
  const server = await startServer({ config, code, edition: shown, makePicture, logger });
  return {
    async reload(code) {
      shown = await preview(code);
      server.show(shown, code);
    },
    stop: server.stop,
  };
}

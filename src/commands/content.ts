import { basename, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Workshop } from '../edition/build.ts';
import { inputsOf, readCode } from '../edition/inputs.ts';
import { readIndex } from '../edition/open.ts';
import { paths } from '../paths.ts';
import { type Command, configOf, note, parse } from './command.ts';

export const contentCommands: readonly Command[] = [
  {
    name: 'check',
    usage: '',
    does: 'checks everything that editors wrote; each finding names its file and line',
    async run(args, io) {
      parse(args, {});
      const { draftEdition } = await import('../edition/build.ts');
      const { draft } = await draftEdition(workshopOf(configOf(io)));
      note(io, `Nothing to mend: ${draft.prerendered.length} pages.`);
    },
  },
  {
    name: 'prerender',
    usage: '[--out DIR]',
    does: 'makes the edition for the present content, in DATA_DIR/editions unless told otherwise',
    async run(args, io) {
      const { values } = parse(args, { out: { type: 'string' } });
      const config = configOf(io);
      const workshop = workshopOf(config);
      const editionsDir = resolve(values.out ?? paths.ownEditions(config.dataDir));
      const current = readIndex(join(editionsDir, 'current'));
      if (current?.inputs === inputsOf(workshop)) {
        note(io, `Edition ${current.id} is up to date.`);
        return;
      }
      const started = performance.now();
      const { buildEdition } = await import('../edition/build.ts');
      const dir = await buildEdition(workshop, editionsDir);
      note(io, `Edition ${basename(dir)} made in ${Math.round(performance.now() - started)} ms: ${dir}`);
    },
  },
];

/** What an edition is made from. */
export function workshopOf({ contentDir, siteUrl, integrations }: Config): Workshop {
  return { code: readCode(paths.code), contentDir, publicDir: paths.public, siteUrl, integrations };
}

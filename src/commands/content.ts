import { basename, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Workshop } from '../edition/build.ts';
import { inputsOf, readCode } from '../edition/inputs.ts';
import { isCurrent, readIndex } from '../edition/open.ts';
import { paths } from '../paths.ts';
import { type Command, configOf, note, parse, UsageError } from './command.ts';

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
    usage: '[--out DIR] [--preview] [--at TIME]',
    does:
      'makes the edition for the present content, in DATA_DIR/editions unless told otherwise; ' +
      '--preview shows drafts and posts whose day has not come, --at makes it for another time than now',
    async run(args, io) {
      const { values } = parse(args, {
        out: { type: 'string' },
        preview: { type: 'boolean', default: false },
        at: { type: 'string' },
      });
      const config = configOf(io);
      const at = values.at === undefined ? new Date() : readTime(values.at);
      const workshop = { ...workshopOf(config), preview: values.preview, at };
      const editionsDir = resolve(values.out ?? paths.ownEditions(config.dataDir));
      const current = readIndex(join(editionsDir, 'current'));
      if (values.at === undefined && isCurrent(current, inputsOf(workshop))) {
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

function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new UsageError(`"${text}" is no time; write 2026-12-01T09:00:00+03:00.`);
  return time;
}

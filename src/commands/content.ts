import { basename, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Workshop } from '../edition/build.ts';
import { inputsOf, readCode } from '../edition/inputs.ts';
import { isCurrent, readIndex } from '../edition/open.ts';
import { paths } from '../paths.ts';
import type { Finding } from '../site/lint.ts';
import { type Command, CommandError, configOf, count, note, parse, print, UsageError } from './command.ts';

export const contentCommands: readonly Command[] = [
  {
    name: 'check',
    usage: '[--strict]',
    does: 'checks everything that editors wrote, a line for each finding; errors make it exit with 1, with --strict warnings do too',
    async run(args, io) {
      const { values } = parse(args, { strict: { type: 'boolean' } });
      const { inspectContent } = await import('../edition/build.ts');
      const { drafted, findings } = await inspectContent(workshopOf(configOf(io)));
      await print(io, findings.map(lineFor));
      const warnings = findings.filter(({ severity }) => severity === 'warning').length;
      const errors = findings.length - warnings;
      if (errors > 0 || (values.strict && warnings > 0)) {
        throw new CommandError(`${count(errors, 'error')} and ${count(warnings, 'warning')} to mend.`);
      }
      const pages = count(drafted?.draft.prerendered.length ?? 0, 'page');
      note(io, warnings > 0 ? `${count(warnings, 'warning')} on ${pages}.` : `Nothing to mend: ${pages}.`);
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

/** `cases/a.md:3: warning: title: expected …, found …` */
function lineFor({ file, line, severity, field, expected, found }: Finding): string {
  const where = `${file}:${line}: ${severity}:${field === '' ? '' : ` ${field}:`}`;
  return `${where} expected ${expected}, found ${found}\n`;
}

/** What an edition is made from. */
export function workshopOf({ contentDir, siteUrl, integrations }: Config): Workshop {
  return { code: readCode(paths.code), contentDir, publicDir: paths.public, siteUrl, integrations };
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new UsageError(`"${text}" is no time; write 2026-12-01T09:00:00+03:00.`);
  return time;
}

import { messageOf } from '../../lib/message-of.ts';
import { type Command, configOf, count, parse, print, printable } from '../command.ts';
import { examineAccess } from './examine-access.ts';
import { examineBackup } from './examine-backup.ts';
import { examineCertificate } from './examine-certificate.ts';
import { examineChannels } from './examine-channels.ts';
import { examineConfiguration } from './examine-configuration.ts';
import { examineContent } from './examine-content.ts';
import { examineLimits } from './examine-limits.ts';
import { examinePublished } from './examine-published.ts';
import { examineServer } from './examine-server.ts';
import { examineStore } from './examine-store.ts';
import { type Examination, type Finding, fail } from './finding.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--no-send]',
  does: 'checks configuration, server, store, backup, channels and content; sends a test message to every channel unless --no-send is given',
  async run(args, io) {
    const { values } = parse(args, { 'no-send': { type: 'boolean' } });
    const examined = { config: configOf(io), send: !values['no-send'] };
    let failed = 0;
    for (const [about, examine] of Object.entries(examinations)) {
      for await (const { verdict, text } of toItsEnd(examine(examined))) {
        if (verdict === 'fail') failed += 1;
        const lines = text.trim().split('\n').map(printable);
        await print(io, [`${verdict.padEnd(6)}${about.padEnd(15)}${lines.join(`\n${' '.repeat(21)}`)}\n`]);
      }
    }
    if (failed > 0) throw new Error(`${count(failed, 'check')} failed.`);
  },
};

const examinations: Readonly<Record<string, Examination>> = {
  configuration: examineConfiguration,
  server: examineServer,
  certificate: examineCertificate,
  store: examineStore,
  backup: examineBackup,
  access: examineAccess,
  limits: examineLimits,
  content: examineContent,
  published: examinePublished,
  channels: examineChannels,
};

/** One failure must not stop the other checks. */
async function* toItsEnd(findings: AsyncGenerator<Finding>): AsyncGenerator<Finding> {
  try {
    yield* findings;
  } catch (error) {
    yield fail(messageOf(error));
  }
}

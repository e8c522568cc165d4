import { constants, setPriority } from 'node:os';
import { broadcastCommands } from './commands/broadcast-commands.ts';
import { canaryCommand } from './commands/canary-command.ts';
import { type Command, type CommandIo, note, print, UsageError } from './commands/command.ts';
import { contentCommands } from './commands/content-commands.ts';
import { deskCommands } from './commands/desk-commands.ts';
import { actCommand } from './commands/destruction-act.ts';
import { doctorCommand } from './commands/doctor/doctor.ts';
import { leadCommands } from './commands/lead-commands.ts';
import { newCommand } from './commands/new-command.ts';
import { nginxCommand } from './commands/nginx-command.ts';
import { notFoundCommand } from './commands/not-found.ts';
import { findCommand } from './commands/personal-data.ts';
import { publishCommand } from './commands/publish-command.ts';
import { storeCommands } from './commands/store-commands.ts';
import { messageOf } from './lib/message-of.ts';
import { userName } from './lib/user-name.ts';
import { nearestName } from './loading/nearest-name.ts';

const commands: readonly Command[] = [
  ...leadCommands,
  findCommand,
  actCommand,
  ...deskCommands,
  ...storeCommands,
  ...broadcastCommands,
  newCommand,
  ...contentCommands,
  publishCommand,
  notFoundCommand,
  nginxCommand,
  doctorCommand,
  canaryCommand,
];

/** @returns the exit code: 0 success, 1 failure, 2 usage error */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  // An error also reaches the callback of the write; without a listener it would be uncaught.
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => {});
  const command = commands.find(({ name }) => `${argv.join(' ')} `.startsWith(`${name} `));
  try {
    if (argv.includes('--help') || argv.includes('-h') || argv[0] === 'help') {
      await print(io, [help(command ? [command] : commands.filter(({ internal }) => !internal))]);
      return 0;
    }
    if (!command) throw new UsageError(`${unknown(argv)} "--help" lists the commands.`);
    await command.run(argv.slice(command.name.split(' ').length), io);
    return 0;
  } catch (error) {
    note(io, messageOf(error));
    if (isForbidden(error))
      note(io, `This command runs as the user ${userName()}, who must have the right to do that.`);
    if (!(error instanceof UsageError)) return 1;
    if (command) note(io, help([command]).trimEnd());
    return 2;
  }
}

/** Operators forget that the script `korob` changes the user. */
function isForbidden(error: unknown): boolean {
  return Error.isError(error) && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}

function unknown(argv: readonly string[]): string {
  if (argv.length === 0) return 'Which command?';
  const names = commands.map(({ name }) => name);
  const nearest = nearestName(argv.slice(0, 2).join(' '), names) ?? nearestName(argv[0] ?? '', names);
  return `There is no command "${argv.join(' ')}"${nearest ? `; did you mean "${nearest}"?` : '.'}`;
}

function help(about: readonly Command[]): string {
  const lines = about.map(({ name, usage, does }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${does}\n`);
  return `Usage: node dist/cli.js COMMAND\n\n${lines.join('')}`;
}

export async function main(): Promise<void> {
  // Jobs exit with the server that started them.
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
  // Encoding must not slow down requests.
  if (process.argv[2] === 'pictures') setPriority(constants.priority.PRIORITY_LOW);
  process.exitCode = await run(process.argv.slice(2), process);
}

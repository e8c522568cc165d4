import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesBelow } from '../lib/files.ts';
import { korob } from './support/commands.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What the documents show as code, in backticks or in a block, without a comment behind it. */
const code = ['README.md', 'src/README.md', 'src/content/README.md', 'scripts/deploy/README.md'].flatMap((document) => {
  const [texts, blocks] = Object.values(Object.groupBy(read(document).split('```'), (_, index) => String(index % 2)));
  const spans = texts?.flatMap((text) => [...text.matchAll(/`([^`\n]+)`/g), ...text.matchAll(/^ {4}(?! )(.+)$/gm)]);
  const lines = [
    ...(spans ?? []).map(([, span = '']) => span),
    ...(blocks ?? []).flatMap((block) => block.split('\n')),
  ];
  return lines.map((line) => line.replace(/ {2,}#.*/, '').trim());
});
const found = (pattern: RegExp) => code.flatMap((text) => [...text.matchAll(pattern)].map(([, one = '']) => one));

test('every script that the documents run exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const names = found(/\bnpm (?:run )?(?!ci\b)([\w:-]+)/g);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test('every command that the documents run exists, with the flags that they give it', async () => {
  const commands = found(
    /(?:^|&& |exec app )(?:korob|node dist\/cli\.js|cli\.ts) ([a-z][\w-]*(?: (?!--help)(?:--)?[\w-]+)*)/g,
  );
  expect(commands.length).toBeGreaterThan(30);
  const unknown: string[] = [];
  for (const command of commands) {
    const { stdout } = await korob(temporaryFolder(), [...command.split(' '), '--help']);
    const [first = ''] = command.split(' ');
    const lines = stdout.trim().split('\n');
    const flags = command.match(/--[\w-]+/g) ?? [];
    if (!stdout.includes(first) || lines.length > 6 || flags.some((flag) => !stdout.includes(flag)))
      unknown.push(command);
  }
  expect(unknown).toEqual([]);
});

test('every variable, alert, function, file and message that the documents name exists', () => {
  const folders = ['src', 'scripts', 'public', '.ci'].map((folder) => join(root, folder));
  const files = folders
    .flatMap(filesBelow)
    .filter((file) => !/(?:README|DECISIONS)\.md|documents\.test\.ts|\.(?:webp|png|ttf|woff2)$/.test(file));
  const project = [...files, join(root, 'package.json'), join(root, '.env.example')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const names = found(/^([a-z]+[A-Z]\w*|[A-Z][A-Z0-9]+_[A-Z0-9_]+|Korob[A-Z]\w+)$/g);
  const paths = found(/^((?:\.?[\w-]+\/)*[\w.-]+\.(?:tsx?|ya?ml|json|csv|service|timer|conf|nft|env))$/g);
  const messages = found(/^((?!for|korob|npm|docker|systemctl|node|cd|curl|git)[a-z]+(?: [a-z]+){2,}.*)$/g);
  const isFile = (path: string) => files.some((file) => file.endsWith(`/${path}`));
  expect(Math.min(names.length, paths.length, messages.length)).toBeGreaterThan(8);
  expect([
    names.filter((name) => !name.startsWith('NODE_') && !project.includes(name)),
    paths.filter((path) => !/[A-Z]{4}/.test(path) && !project.includes(path) && !isFile(path)),
    messages.filter((message) => !project.includes(message.split(' ').slice(0, 4).join(' '))),
  ]).toEqual([[], [], []]);
});

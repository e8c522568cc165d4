import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nginxFiles } from '../../http/nginx-files.ts';
import { type Command, configOf, note, parse } from './command.ts';

export const nginxCommand: Command = {
  name: 'nginx',
  usage: 'DIR [--compose]',
  does: "writes nginx's configuration for SITE_URL into DIR; --compose: as the image of compose.yaml needs it",
  async run(args, io) {
    const { values, positionals } = parse(args, { compose: { type: 'boolean' } }, ['DIR']);
    const [folder = ''] = positionals;
    const { siteUrl } = configOf(io);
    const files = Object.entries(nginxFiles(siteUrl, values.compose ? 'compose' : 'debian'));
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    note(io, `${files.map(([name]) => name).join(', ')} in ${folder}, for ${siteUrl}.`);
  },
};

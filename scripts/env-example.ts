import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { meaningOf, variables } from '../src/operator/config.ts';

// node scripts/env-example.ts: writes .env.example from src/operator/config.ts

export function envExample(): string {
  const entries = variables.map((name) => {
    const { meaning, value } = meaningOf(name) ?? { meaning: '', value: { example: '' } };
    const [how, text] = 'byDefault' in value ? ['', value.byDefault] : [' Not set; for example:', value.example];
    return `# ${meaning}${how}\n#${name}=${text}\n`;
  });
  return [
    '# All that Korob is told from outside, with its defaults.',
    '# What has a password or a key in it may stand in a file instead, which NAME_FILE names.\n',
    ...entries,
  ].join('\n');
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../.env.example'), envExample());

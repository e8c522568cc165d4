import { unnamedChannels } from '../../leads/channels/configured.ts';
import { publishable } from '../../publishing/check-site.ts';
import { inspect } from '../content-commands.ts';
import { channelsOf } from './examine-channels.ts';
import { type Examined, type Finding, ok, warn } from './finding.ts';

export async function* examineContent({ config }: Examined): AsyncGenerator<Finding> {
  const { content, paths } = publishable(await inspect(config));
  yield ok(`no errors on ${paths.length} pages`);
  const { sample } = content;
  if (sample.length > 0) {
    const remedy = 'edit them, and remove them from "sample" in company.yaml';
    yield warn(`these are still the shipped sample: ${sample.join(', ')}; ${remedy}`);
  }
  const unnamed = unnamedChannels(content.legal.policy.body.text, channelsOf(config));
  if (unnamed.length > 0) {
    const remedy = 'name the recipients there and in consent.md, or remove the channels';
    yield warn(`legal/policy.md does not say that leads go to ${unnamed.join(', ')}; ${remedy}`);
  }
}

import type { Config } from '../../config.ts';
import type { Channel } from '../../leads/channels/channel.ts';
import { channels, type LookUp, lookUps } from '../../leads/channels/configured.ts';
import type { Notification } from '../../leads/messages/notification.ts';
import { unstoredLead } from '../../leads/store/lead.ts';
import { messageOf } from '../../lib/message-of.ts';
import { within } from '../../lib/within.ts';
import { askTimeoutMs, type Examined, type Finding, fail, ok, warn } from './finding.ts';

const sendTimeoutMs = 10_000;

export async function* examineChannels({ config, send }: Examined): AsyncGenerator<Finding> {
  const all = channelsOf(config);
  yield* await Promise.all(lookUps(config.channels).map(lookedUp));
  if (all.length === 0) {
    yield warn('none configured; leads are visible only at /desk and by "leads list"');
  } else if (!send) {
    yield ok(`${all.map(({ name }) => name).join(', ')}: nothing was sent`);
  } else {
    // In parallel, so that several that hang take no longer than one.
    yield* await Promise.all(all.map((channel) => test(channel, testMessage(config.siteUrl))));
  }
}

async function lookedUp({ channel, variable, advice, find }: LookUp): Promise<Finding> {
  const missing = `${channel}: ${variable} is missing`;
  try {
    const found = await find(AbortSignal.timeout(askTimeoutMs));
    return warn(`${missing}; ${found.length > 0 ? `set ${variable}=${found.join(' or ')}` : advice}`);
  } catch (error) {
    return fail(`${missing}, and could not be looked up: ${messageOf(error)}`);
  }
}

export function channelsOf({ channels: values, siteUrl: url }: Config): Channel[] {
  return channels(values, { name: new URL(url).hostname, url, timeZone: 'Europe/Moscow' });
}

async function test(channel: Channel, message: Notification): Promise<Finding> {
  try {
    await within(sendTimeoutMs, channel.deliver([message], AbortSignal.timeout(sendTimeoutMs)));
    return ok(`${channel.name} has taken a test message`);
  } catch (error) {
    return fail(`${channel.name}: ${messageOf(error)}`);
  }
}

function testMessage(siteUrl: string): Notification {
  const lead = unstoredLead({
    receipt: '',
    preset: 'request',
    name: 'Проверка связи',
    phone: '+70000000000',
    message: 'Это проверка: звонить никому не нужно.',
    page: '/',
    consent: '',
  });
  const deliveryId = `msg_test_${Date.parse(lead.receivedAt)}`;
  return { deliveryId, reason: 'test', lead, presetTitle: 'Проверка', takeUrl: `${siteUrl}/` };
}

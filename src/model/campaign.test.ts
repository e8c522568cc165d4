import { expect, test } from '@jest/globals';
import { isCampaign, pageIsTheSame } from './campaign.ts';

test.each(['utm_source', 'utm_anything', 'yclid', 'ttclid', 'erid', 'vk_ads', 'campaign_id', 'roistat_visit', 'from'])(
  '%s marks a campaign',
  (name) => {
    expect(isCampaign(['page', name])).toBe(true);
  },
);

test('what search adds, and what pages read, mark none', () => {
  expect(isCampaign(['ysclid', 'etext', 'page', 'q', 'preset', 'units', 'reference'])).toBe(false);
});

test('search engines are told of both', () => {
  expect(pageIsTheSame).toEqual(expect.arrayContaining(['utm_source', 'yclid', 'erid', 'from', 'ysclid', 'etext']));
});

import { expect, test } from '@jest/globals';
import { withAsciiHost } from './host.ts';
import { asciiMail, mailPattern } from './mail-address.ts';

test.each([
  ['info@example.ru', 'info@example.ru'],
  ['info@пример.рф', 'info@xn--e1afmkfd.xn--p1ai'],
  ["o'neil+site@Почта.Пример.РФ", "o'neil+site@xn--80a1acny.xn--e1afmkfd.xn--p1ai"],
])('%s is an address, which mail servers read as %s', (typed, read) => {
  expect([mailPattern.test(typed), asciiMail(typed), mailPattern.test(read)]).toEqual([true, read, true]);
});

test.each(['info@пример', 'инфо@пример.рф', 'a@b.ru; c@d.ru', '@пример.рф'])('%s is no address', (typed) => {
  expect(mailPattern.test(typed)).toBe(false);
});

test.each([
  ['smtps://user:p%23@почта.рф:465?requireTLS=true', 'smtps://user:p%23@xn--80a1acny.xn--p1ai:465?requireTLS=true'],
  ['postgres://a:b@[::1]:5432/korob', 'postgres://a:b@[::1]:5432/korob'],
  ['redis://:a@Cache:6379', 'redis://:a@Cache:6379'],
])('the host of %s is read as in %s', (typed, read) => {
  expect(withAsciiHost(typed)).toBe(read);
});

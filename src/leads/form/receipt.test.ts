import { expect, test } from '@jest/globals';
import { messageLink } from './receipt.page.tsx';

const text = '?text=%D0%97%D0%B0%D1%8F%D0%B2%D0%BA%D0%B0%20%E2%84%96%204';

test.each([
  ['https://t.me/example', `https://t.me/example${text}`],
  ['https://wa.me/74950000000', `https://wa.me/74950000000${text}`],
  ['https://wa.me/74950000000?text=Hello', `https://wa.me/74950000000${text}`],
  [
    'https://api.whatsapp.com/send?phone=74950000000',
    `https://api.whatsapp.com/send?phone=74950000000${text.replace('?', '&')}`,
  ],
  ['https://chat.example/?text=t.me', 'https://chat.example/?text=t.me'],
  ['viber://chat?number=74950000000', 'viber://chat?number=74950000000'],
])('a message is typed in where the messenger can do that: %s', (href, link) => {
  expect(messageLink(href, 'Заявка № 4')).toBe(link);
});

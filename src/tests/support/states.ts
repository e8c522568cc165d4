import { afterEach } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Notification } from '../../leads/messages/notification.ts';
import type { BroadcastState } from '../../model/broadcast.ts';
import { eventually } from './eventually.ts';
import { fakeBroadcast } from './fake-broadcast.ts';
import { formLink } from './journey.ts';
import { calculationPreset, plainService } from './sample-pages.ts';
import { moduleRan, type Visitors, withVisitors } from './visitors.ts';

/** A state that a page can reach after it has loaded. */
export type State = {
  name: string;
  /** The widths at which it exists, in CSS pixels at a text size of 16; by default all. */
  widths?: { from?: number; below?: number };
  /** Loads the page without its scripts. JavaScript stays on, because axe needs it. */
  bare?: true;
  /** Brings a new page into the state. */
  reach(page: Page): Promise<unknown>;
};

/** The width from which the bar replaces the menu. */
const bar = 1024;
const video = 'https://video.example/live.mp4';
const order =
  'mp=wb&scheme=fbo&units=1200&length=20&width=15&height=8&weight=0.4&pack=bag&mark=barcode&check=none&place=box&places=40&to=koledino&pickup=none';
const withCalculation = `/contact?preset=${calculationPreset}&calc=${encodeURIComponent(order)}`;
const spam = {
  preset: 'request',
  name: 'Ы'.repeat(60),
  phone: '89161234567',
  message: 'Ы'.repeat(300),
  consent: 'yes',
  website: 'x',
};
const onAir = { status: true, url: video } as const;
const off = { status: false } as const;

/** Returns `withVisitors` with every state that a page of the site can have. */
export function withStates(): Visitors & { states: readonly State[] } {
  const broadcast = { ...fakeBroadcast(), broken: false };
  const notifications: Notification[] = [];
  const services = {
    integrations: { videoHosts: [new URL(video).host] },
    broadcast: {
      current: async () => {
        if (broadcast.broken) throw new Error('The broadcast is broken.');
        return broadcast.state;
      },
      read: async () => broadcast.state,
      set: async (state: BroadcastState) => {
        broadcast.state = state;
      },
    },
    channels: [
      {
        name: 'chat',
        parallel: 1,
        deliver: async (some: readonly Notification[]) => void notifications.push(...some),
      },
    ],
  };
  const visitors = withVisitors(services);
  afterEach(() => {
    broadcast.state = off;
    broadcast.broken = false;
  });

  const visit = (path: string) => (page: Page) => page.goto(path);
  const openMenu = async (page: Page) => {
    await page.goto('/search');
    await page.locator('.burger > summary').click();
    await page.locator('.burger .dropdown a').first().waitFor();
  };
  const openList = (last: boolean) => async (page: Page) => {
    await page.goto('/search');
    const list = page.locator('.bar .dropdown');
    await (last ? list.last() : list.first()).locator('summary').click();
    await page.locator('.bar [open] a').first().waitFor();
  };
  const sendForm = async (page: Page) => {
    await page.goto(withCalculation);
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await page.getByLabel('Телефон').fill('8 (916) 123-45-67');
    await page.locator('textarea').fill('Сколько стоит упаковка?\nИ как быстро?');
    await page.getByLabel(/обработку персональных данных/).check();
    await page.locator('main form [type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
  };
  const openLead = async (page: Page) => {
    notifications.length = 0;
    await sendForm(page);
    await eventually(() => notifications.length, 1);
    await page.goto(new URL(notifications[0]?.takeUrl ?? '').pathname);
  };
  const openDesk = async (page: Page) => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const token = await visitors.site().services.links.add({ lead: null, name: 'Анна', until });
    await page.goto(`/desk/link/${token}`);
  };
  const goOnAir = (path: string) => async (page: Page) => {
    broadcast.state = onAir;
    await page.route(video, (route) => route.fulfill({ contentType: 'video/mp4', body: '' }));
    await page.goto(path);
  };

  return {
    ...visitors,
    states: [
      { name: 'menu with a list unfolded', widths: { below: bar }, reach: openMenu },
      { name: 'menu with a list unfolded, no script', widths: { below: bar }, bare: true, reach: openMenu },
      { name: 'list of services', widths: { from: bar }, reach: openList(false) },
      { name: 'list about the company', widths: { from: bar }, bare: true, reach: openList(true) },
      {
        name: 'skip link',
        reach: async (page) => {
          await page.goto('/search');
          await page.keyboard.press('Tab');
        },
      },
      {
        name: 'request dialog',
        reach: async (page) => {
          await page.goto(plainService);
          await page.locator(formLink).first().click();
          await page.locator('dialog .contact').waitFor();
        },
      },
      {
        name: 'form that was sent empty',
        reach: async (page) => {
          await page.goto('/contact?preset=request');
          await page.locator('main form [type=submit]').click();
          await page.locator('[role=alert]').waitFor();
        },
      },
      {
        name: 'form with one error and long values',
        reach: async (page) => {
          await page.goto('/contact?preset=request');
          await page.getByLabel('Телефон').fill('1'.repeat(40));
          await page.locator('textarea').fill('Ы'.repeat(500));
          await page.getByLabel(/обработку персональных данных/).check();
          await page.locator('main form [type=submit]').click();
          await page.locator('[role=alert]').waitFor();
        },
      },
      {
        name: 'form with a calculation',
        reach: async (page) => {
          await page.goto(withCalculation);
          await page.locator('.contact summary').click();
        },
      },
      {
        name: 'request dialog with errors',
        reach: async (page) => {
          await page.goto(plainService);
          await page.locator(formLink).first().click();
          // Before the form is bound, it navigates to its own page.
          await moduleRan(page, 'contact-form');
          await page.locator('dialog [type=submit]').click();
          await page.locator('dialog [role=alert]').waitFor();
        },
      },
      {
        name: 'receipt',
        reach: async (page) => {
          await sendForm(page);
          await page.locator('.receipt summary').click();
        },
      },
      { name: 'lead to take', reach: openLead },
      {
        name: 'lead that was taken',
        reach: async (page) => {
          await openLead(page);
          await page.locator('main form [type=submit]').click();
          await page.locator('.lead-state').waitFor();
        },
      },
      { name: 'desk without a link', reach: visit('/desk') },
      {
        name: 'desk',
        reach: async (page) => {
          await sendForm(page);
          await openDesk(page);
        },
      },
      {
        name: 'quarantine at the desk',
        reach: async (page) => {
          await visitors.site().post(spam, { 'sec-fetch-site': undefined });
          await openDesk(page);
          await page.goto('/desk/quarantine');
        },
      },
      {
        name: 'lead at the desk with an empty note',
        reach: async (page) => {
          const { headers } = await visitors.site().post(spam, { 'sec-fetch-site': undefined });
          const receipt = await visitors
            .site()
            .services.leads.receipt(String(headers.location).slice('/contact/'.length));
          await openDesk(page);
          await page.goto(`/desk/leads/${receipt?.number}`);
          for (const text of ['Ы'.repeat(300), '\u200b']) {
            await page.locator('main textarea').fill(text);
            await page.getByRole('button', { name: 'Записать' }).click();
          }
          await page.locator('[role=alert]').waitFor();
        },
      },
      {
        name: 'broadcast switch at the desk',
        reach: async (page) => {
          broadcast.state = onAir;
          await openDesk(page);
          await page.goto('/desk/broadcast');
        },
      },
      {
        name: 'on air',
        reach: async (page) => {
          await goOnAir('/search')(page);
          await page.locator('.site-header-contact .on-air').waitFor();
        },
      },
      {
        name: 'on air in the menu',
        widths: { below: bar },
        reach: async (page) => {
          await goOnAir('/search')(page);
          await page.locator('.burger > summary').click();
          await page.locator('.burger .on-air').waitFor();
        },
      },
      { name: 'player', reach: goOnAir('/broadcast') },
      {
        name: 'player over the page',
        reach: async (page) => {
          await goOnAir('/search')(page);
          // Until then, the link leads to the broadcast page.
          await moduleRan(page, 'broadcast-dialog');
          await page.locator('.site-header-contact .on-air').click();
          await page.locator('dialog.modal-video').waitFor();
        },
      },
      {
        name: 'server error',
        reach: async (page) => {
          broadcast.state = off;
          broadcast.broken = true;
          await page.goto('/video-broadcast', { waitUntil: 'networkidle' });
          broadcast.broken = false;
        },
      },
      { name: 'error without specific text', reach: visit('/%E0%A4%A') },
      ...['казань+xyzzy', 'хранограмма', 'склад&page=2'].map((words) => ({
        name: `search for ${words}`,
        reach: visit(`/search?q=${words}`),
      })),
      { name: 'error with pages near the address', reach: visit('/uslugi/upakovka') },
      { name: 'second page of cases', reach: visit('/cases?page=2') },
      { name: 'second page of reviews', reach: visit('/reviews?page=2') },
      { name: 'second page of the blog', reach: visit('/blog?page=2') },
      { name: 'second page of the news', reach: visit('/about/novosti?page=2') },
    ],
  };
}

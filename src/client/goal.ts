import { allowed, decisionKey } from './analytics-decision.ts';

/**
 * Tells the counter, if the visitor allows it, that the goal of this page is reached, and nothing of the page itself:
 * its address is a secret, and the counter's own script would tell it. The form is that of the counter's vendor
 * configuration for AMP.
 */
export function bind(element: HTMLElement): void {
  const { counter, goal } = element.dataset;
  const [visit] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
  // Whoever looks at the page again, by its own link, too, has not reached it again.
  if (visit.type !== 'navigate' || !document.referrer.startsWith(location.origin)) return;
  if (localStorage[decisionKey] !== allowed) return;
  const [, visitor = ''] = /(?:^|; )_ym_uid=(\d+)/.exec(document.cookie) ?? [];
  const query = new URLSearchParams({
    'browser-info': `ar:1:en:utf-8:rn:${Math.floor(Math.random() * 1e9)}:u:${visitor}`,
    'page-url': `goal://${location.host}/${goal}`,
    'page-ref': `${location.origin}/contact`,
  });
  navigator.sendBeacon(`https://mc.yandex.ru/watch/${counter}?${query}`);
}

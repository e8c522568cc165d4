import { allowed, decisionKey } from './analytics.ts';

/** Imitates Metrika's AMP configuration, because Metrika's script would send the page's secret address. */
export function bind(element: HTMLElement): void {
  const { counter, goal } = element.dataset;
  const [visit] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
  // Not for reloads and direct visits.
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

import { broadcast } from './broadcast-check.ts';
import { burger } from './burger.ts';
import { contactLinks } from './contact-dialog.ts';
import { dropdown } from './dropdown.ts';
import { type Load, load } from './load-module.ts';
import { logo } from './logo.ts';

/* Everything here works without scripts, too. */

const newerBuildIntervalMs = 3_600_000;

type Bind = (element: HTMLElement, load: Load) => void;

const modules = {
  broadcast,
  burger,
  dropdown,
  logo,
  analytics: later(() => import('./analytics.ts')),
  calculator: later(() => import('./calculator.ts')),
  'contact-form': later(() => import('./contact-form.ts')),
  countdown: later(() => import('./countdown.ts')),
  reveal: later(() => import('./reveal.ts')),
  video: later(() => import('./video.ts')),
  'way-here': later(() => import('./way-here.ts')),
} satisfies Record<string, Bind>;

function later(module: () => Promise<{ bind: Bind }>): (element: HTMLElement) => void {
  return (element) => load(module, ({ bind }) => bind(element, load));
}

/** Errors must not stop other modules. */
function start(module: () => void): void {
  try {
    module();
  } catch (error) {
    console.error(error);
  }
}

function hydrate(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-module]')) {
    start(() => modules[element.dataset.module as keyof typeof modules](element, load));
  }
}

const page = document.body;

function askForNewer(): void {
  if (!document.hidden) later(() => import('./newer-build.ts'))(page);
}

function begin(): void {
  hydrate(document);
  start(() => contactLinks(hydrate));
  later(() => import('./loading-bar.ts'))(page);
  if (location.hash) later(() => import('./unfold.ts'))(page);
  // Only visitors from other sites bring campaign parameters.
  if (location.search && !document.referrer.startsWith(location.origin)) {
    later(() => import('./attribution.ts'))(page);
  }
  if (!HTMLScriptElement.supports?.('speculationrules')) later(() => import('./prefetch.ts'))(page);
  setInterval(askForNewer, newerBuildIntervalMs);
  document.addEventListener('visibilitychange', askForNewer);
}

// A page that is rendered in advance may never be seen, so it must not be counted.
if ((document as { prerendering?: boolean }).prerendering) {
  document.addEventListener('prerenderingchange', begin, { once: true });
} else begin();

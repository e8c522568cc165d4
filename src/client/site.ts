import { broadcast } from './broadcast.ts';
import { burger } from './burger.ts';
import { contactLinks } from './contact-dialog.ts';
import { dropdown } from './dropdown.ts';
import { type Load, load } from './load.ts';
import { logo } from './logo.ts';

/*
 * The hydration script: what pages do besides being read. Every element that it
 * binds to is a working link or native element without it.
 */

/** Milliseconds between questions for a newer build. */
const newerInterval = 3_600_000;

type Bind = (element: HTMLElement, load: Load) => void;

/** By the name that elements call them by in `data-module`. */
const modules = {
  broadcast,
  burger,
  dropdown,
  logo,
  analytics: later(() => import('./analytics.ts')),
  calculator: later(() => import('./calculator.ts')),
  'contact-form': later(() => import('./contact-form.ts')),
  countdown: later(() => import('./countdown.ts')),
  goal: later(() => import('./goal.ts')),
  reveal: later(() => import('./reveal.ts')),
  video: later(() => import('./video.ts')),
  'way-here': later(() => import('./way-here.ts')),
} satisfies Record<string, Bind>;

/** A module of its own, loaded only for pages that have an element, or another reason, for it. */
function later(module: () => Promise<{ bind: Bind }>): (element: HTMLElement) => void {
  return (element) => load(module, ({ bind }) => bind(element, load));
}

/** One module that fails leaves the others alone. */
function start(module: () => void): void {
  try {
    module();
  } catch (error) {
    console.error(error);
  }
}

/** Gives the elements below `root` what they ask for by `data-module`. */
function hydrate(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-module]')) {
    start(() => modules[element.dataset.module as keyof typeof modules](element, load));
  }
}

const page = document.body;

function askForNewer(): void {
  if (!document.hidden) later(() => import('./newer-build.ts'))(page);
}

hydrate(document);
start(() => contactLinks(hydrate));
later(() => import('./loading-bar.ts'))(page);
// A visitor who comes from elsewhere may bring along what sent them here.
if (location.search && !document.referrer.startsWith(location.origin)) {
  later(() => import('./attribution.ts'))(page);
}
later(() => import('./ahead.ts'))(page);
setInterval(askForNewer, newerInterval);
document.addEventListener('visibilitychange', askForNewer);

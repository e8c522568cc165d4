import type { ModuleName } from './module-name.ts';

declare module 'react' {
  // What elements of HTML and SVG have in common: a name that no module has does not compile.
  interface AriaAttributes {
    'data-module'?: ModuleName | undefined;
  }
}

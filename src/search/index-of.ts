import type { Content } from '../model/content.ts';
import type { SearchIndex } from './search-index.ts';
export async function prepareIndex(_content: Content): Promise<void> {}
export function indexOf(_content: Content): SearchIndex { throw new Error('later'); }

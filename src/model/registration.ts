import type { Company } from './content.ts';

/** Sole proprietors have numbers of 15 digits, under another name. */
export function isSoleProprietor({ ogrn }: Pick<Company, 'ogrn'>): boolean {
  return ogrn.length === 15;
}

export function ogrnTitle(company: Pick<Company, 'ogrn'>): string {
  return isSoleProprietor(company) ? 'ОГРНИП' : 'ОГРН';
}

import { connection } from './connection.ts';

/** Milliseconds after which a visitor who is still here may well look at another page. */
const patience = 2_000;

/**
 * Has the browser fetch what the pages share, once it has nothing else to do, so that the next ones take some hundred
 * bytes each. It keeps that for a year, and asks once an hour whether it is still the same.
 */
export function offerDictionary(): void {
  const { saveData, effectiveType = '' } = connection();
  const link = document.createElement('link');
  if (saveData || /[23]g$/.test(effectiveType) || !link.relList.supports?.('compression-dictionary')) return;
  link.rel = 'compression-dictionary';
  link.href = '/dictionary';
  setTimeout(() => document.head.append(link), patience);
}

import { formatCount } from '../lib/format.ts';
import type { Calculator } from '../model/content.ts';
import { type Calculation, containersOf, palletsFor } from './calculation.ts';
import { containersText } from './order-text.ts';

export type PalletLoad = {
  /** `1 500 шт. → 188 коробов → 12 паллет` */
  text: string;
  /** The number of cartons on each pallet that is drawn. */
  cartons: readonly number[];
};

/** More would be too small to see. */
const maxDrawn = 12;

/** @returns `undefined` if the goods do not fit on pallets */
export function loadOf(calculator: Calculator, { order, containers }: Calculation): PalletLoad | undefined {
  const isBoxed = order.container === 'box';
  const boxes = isBoxed ? containers : containersOf(calculator, { ...order, container: 'box', containers: undefined });
  const pallets = isBoxed ? palletsFor(calculator, order) : containers;
  if (pallets === undefined) return undefined;
  const onPallet = calculator.places.pallet.boxes;
  // A visitor who has more boxes packed them in some other way.
  const counted = boxes && boxes.count <= pallets.count * onPallet ? boxes : undefined;
  const counts = [counted, pallets].flatMap((one) => (one ? containersText(calculator, one) : []));
  const text = [`${formatCount(order.units)}\u00A0шт.`, ...counts].join(' → ');
  const drawn = Math.min(pallets.count, maxDrawn);
  const cartons = Array.from({ length: drawn }, (_, index) =>
    counted ? cartonsOn(index, counted.count, pallets.count, onPallet) : onPallet,
  );
  return { text: drawn < pallets.count ? `${text}, нарисованы первые\u00A0${drawn}` : text, cartons };
}

/** Pallets are full, and the last one has the rest; if there are more than the boxes need, all are alike. */
function cartonsOn(index: number, boxes: number, pallets: number, onPallet: number): number {
  const rest = boxes - onPallet * (pallets - 1);
  if (rest > 0) return index < pallets - 1 ? onPallet : rest;
  return Math.floor(boxes / pallets) + (index < boxes % pallets ? 1 : 0);
}

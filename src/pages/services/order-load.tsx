import { formatCount } from '../../lib/format.ts';
import type { Calculator } from '../../model/content.ts';
import { type Calculation, type PlaceKind, type Places, placesOf } from './calculation.ts';
import { placeCount } from './calculation-words.ts';
import './order-load.css';

export type PalletLoad = {
  /** `1 500 шт. → 188 коробов → 12 паллет` */
  text: string;
  pallets: number;
  /** Cartons on the last pallet, as drawn. */
  onLast: number;
};

/** @returns `undefined` if the goods do not fit on pallets */
export function loadOf(calculator: Calculator, { order, places }: Calculation): PalletLoad | undefined {
  const as = (place: PlaceKind) =>
    place === order.place ? places : placesOf(calculator, { ...order, place, places: undefined });
  const [boxes, pallets] = [as('box'), as('pallet')];
  if (pallets === undefined) return undefined;
  const counts = [boxes, pallets].flatMap((one) => (one ? placeCount(calculator, one) : []));
  return {
    text: [`${formatCount(order.units)}\u00A0шт.`, ...counts].join(' → '),
    pallets: pallets.count,
    onLast: cartonsOnLast(pallets, order.units),
  };
}

/** As drawn: four layers of four. */
const cartonsOnPallet = 16;

function cartonsOnLast({ count, inOne }: Places, units: number): number {
  const left = Math.max(1, units - (count - 1) * inOne);
  return Math.ceil((cartonsOnPallet * left) / inOne);
}

/** More would be too small to see. */
const maxDrawn = 12;

/** Isometric, 2 cm to a unit: a carton of 60×40×40 cm, a pallet of 120×80×15 cm. */
const [pitch, width, height] = [76, 90, 142];
const scale = 0.6;

/** From the back to the front of a layer, from the carton nearest to the viewer. */
const places = [
  [-8.7, -25],
  [-26, -15],
  [17.3, -10],
  [0, 0],
] as const;

export function OrderLoad({ load: { text, pallets, onLast } }: { load: PalletLoad }) {
  const drawn = Math.min(pallets, maxDrawn);
  const total = (drawn - 1) * pitch + width;
  const at = (index: number) => ({ x: index * pitch + 53.5, y: height - 2 });
  const full = Array.from({ length: drawn - 1 }, (_, index) => drawn - 2 - index);
  return (
    <figure className="load">
      <svg
        viewBox={`0 0 ${total} ${height}`}
        width={total * scale}
        height={height * scale}
        stroke="#1d1a16"
        strokeWidth="2.5"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <symbol id="carton" overflow="visible">
          <path fill="#d9b382" d="M0 0l-26-15v-20l26 15z" />
          <path fill="#b98a52" d="M0 0l17.3-10v-20l-17.3 10z" />
          <path fill="#eed9b8" d="M0-20l-26-15 17.3-10 26 15z" />
        </symbol>
        <symbol id="layer" overflow="visible">
          {places.map(([x, y]) => (
            <use key={x} href="#carton" x={x} y={y} />
          ))}
        </symbol>
        <symbol id="boards" overflow="visible">
          <path fill="#faf6ef" d="M0 0l-52-30v-7l52 30z" />
          <path fill="#eed9b8" d="M0 0l34.6-20v-7l-34.6 20z" />
          <path fill="#faf6ef" d="M0-7l-52-30 34.6-20 52 30z" />
        </symbol>
        <symbol id="pallet" overflow="visible">
          <use href="#boards" />
          {[0, 1, 2, 3].map((layer) => (
            <use key={layer} href="#layer" y={-7 - 20 * layer} />
          ))}
        </symbol>
        <LastPallet {...at(drawn - 1)} cartons={pallets > maxDrawn ? cartonsOnPallet : onLast} />
        {full.map((index) => (
          <use key={index} href="#pallet" {...at(index)} />
        ))}
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  );
}

function LastPallet({ x, y, cartons }: { x: number; y: number; cartons: number }) {
  const layers = Math.floor(cartons / places.length);
  const above = y - 7 - 20 * layers;
  return (
    <>
      <use href="#boards" x={x} y={y} />
      {Array.from({ length: layers }, (_, layer) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its height
        <use key={layer} href="#layer" x={x} y={y - 7 - 20 * layer} />
      ))}
      {places.slice(0, cartons % places.length).map(([dx, dy]) => (
        <use key={dx} href="#carton" x={x + dx} y={above + dy} />
      ))}
    </>
  );
}

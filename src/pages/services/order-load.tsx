import type { PalletLoad } from '../../pricing/pallet-load.ts';
import '../../components/drawing.css';
import './order-load.css';

/** Isometric, 2 cm to a unit: a carton of 60×40×40 cm, a pallet of 120×80×15 cm. */
const [pitch, width, low, layer] = [76, 90, 62, 20];
const scale = 0.6;

/** A layer has four cartons, drawn from the back to the front. */
const spots = [
  [-8.7, -25],
  [-26, -15],
  [17.3, -10],
  [0, 0],
] as const;

type OrderLoadProps = {
  load: PalletLoad;
  /** It makes ids unique where a page may show two loads, one of them in a dialog. */
  prefix?: string;
};

export function OrderLoad({ load: { text, cartons }, prefix = '' }: OrderLoadProps) {
  const total = (cartons.length - 1) * pitch + width;
  const height = low + layer * Math.ceil(Math.max(...cartons) / spots.length);
  const pallets = cartons.map((count, index) => ({ count, x: index * pitch + 53.5, y: height - 2 }));
  return (
    <figure className="load">
      <svg
        className="drawing"
        viewBox={`0 0 ${total} ${height}`}
        width={total * scale}
        height={height * scale}
        aria-hidden="true"
      >
        <symbol id={`${prefix}carton`} overflow="visible">
          <path d="M0 0l-26-15v-20l26 15z" />
          <path className="fill-carton-dark" d="M0 0l17.3-10v-20l-17.3 10z" />
          <path className="fill-kraft" d="M0-20l-26-15 17.3-10 26 15z" />
        </symbol>
        <symbol id={`${prefix}layer`} overflow="visible">
          {spots.map(([x, y]) => (
            <use key={x} href={`#${prefix}carton`} x={x} y={y} />
          ))}
        </symbol>
        <symbol id={`${prefix}boards`} overflow="visible">
          <path className="fill-paper" d="M0 0l-52-30v-7l52 30z" />
          <path className="fill-kraft" d="M0 0l34.6-20v-7l-34.6 20z" />
          <path className="fill-paper" d="M0-7l-52-30 34.6-20 52 30z" />
        </symbol>
        {pallets.toReversed().map((pallet) => (
          <Pallet key={pallet.x} {...pallet} prefix={prefix} />
        ))}
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  );
}

function Pallet({ x, y, count, prefix }: { x: number; y: number; count: number; prefix: string }) {
  const layers = Math.floor(count / spots.length);
  const above = (level: number) => y - 7 - layer * level;
  return (
    <>
      <use href={`#${prefix}boards`} x={x} y={y} />
      {Array.from({ length: layers }, (_, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its height
        <use key={level} href={`#${prefix}layer`} x={x} y={above(level)} />
      ))}
      {spots.slice(0, count % spots.length).map(([dx, dy]) => (
        <use key={dx} href={`#${prefix}carton`} x={x + dx} y={above(layers) + dy} />
      ))}
    </>
  );
}

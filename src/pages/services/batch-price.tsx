import { formatCount, formatPrice } from '../../lib/format.ts';
import type { BatchPrice, MainPrice } from '../../pricing/main-prices.ts';

/** `440 ₽ / короб при 20`; wraps before the unit and after it. */
export function PriceOfBatch({ price: { price, unit, batch } }: { price: BatchPrice }) {
  return (
    <>
      {formatPrice(price)} <small>/&nbsp;{unit}</small>
      {batch !== undefined && <small> при&nbsp;{formatCount(batch)}</small>}
    </>
  );
}

/** `FBO 12,50 ₽/шт. при 1 000`, `FBS 44 ₽/заказ при 1 000` */
export function MainPriceLines({ prices }: { prices: readonly MainPrice[] }) {
  return prices.map(({ text, price, unit, batch }) => (
    <span key={text} className="price-line">
      {text} {formatPrice(price)}/&#8288;{unit}
      {batch !== undefined && ` при\u00A0${formatCount(batch)}`}
    </span>
  ));
}

import { formatPrice } from '../../lib/format.ts';
import type { MainPrice } from '../../model/main-prices.ts';

/** `от 490 ₽ / короб`; wraps only before the unit. */
export function PriceFrom({ price: { from, unit } }: { price: Pick<MainPrice, 'from' | 'unit'> }) {
  return (
    <>
      от&nbsp;{formatPrice(from)} <small>/&nbsp;{unit}</small>
    </>
  );
}

/** `FBO от 9 ₽/шт.`, `FBS от 39 ₽/заказ` */
export function MainPriceLines({ prices }: { prices: readonly MainPrice[] }) {
  return prices.map((price) => (
    <span key={price.text} className="price-line">
      {price.text} от&nbsp;{formatPrice(price.from)}/&#8288;{price.unit}
    </span>
  ));
}

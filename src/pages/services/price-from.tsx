import { formatPrice } from '../../lib/format.ts';
import type { LeadPrice } from '../../model/lead-prices.ts';

/** `от 490 ₽ / короб`; wraps only before the unit. */
export function PriceFrom({ price: { from, unit } }: { price: Pick<LeadPrice, 'from' | 'unit'> }) {
  return (
    <>
      от&nbsp;{formatPrice(from)} <small>/&nbsp;{unit}</small>
    </>
  );
}

/** `FBO от 9 ₽/шт.`, `FBS от 39 ₽/заказ` */
export function LeadPriceLines({ prices }: { prices: readonly LeadPrice[] }) {
  return prices.map((price) => (
    <span key={price.text} className="price-line">
      {price.text} от&nbsp;{formatPrice(price.from)}/&#8288;{price.unit}
    </span>
  ));
}

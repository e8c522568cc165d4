import { formatPrice } from '../design/format.ts';
import { Drawing } from '../design/picture.tsx';
import { StretchedLink } from '../design/stretched-link.tsx';
import type { Content, Service } from '../model/content.ts';
import './service-list.css';

/** What lists show of a service; the price is the lowest of the first row of its rates. */
export type ServiceSummary = Pick<Service, 'to' | 'text' | 'subheading'> & {
  image?: string | undefined;
  price?: LowestPrice;
};

export type LowestPrice = { text: string; unit: string; from: number };

export function summariseService(content: Content): (service: Service) => ServiceSummary {
  return ({ to, text, subheading, image, rates }) => {
    const price = lowestPrice(content, rates[0]);
    return { to, text, subheading, image, ...(price && { price }) };
  };
}

/** What a group of rates starts from; `undefined` when there is no such group. */
export function lowestPrice({ rates }: Content, group: string | undefined): LowestPrice | undefined {
  const row = rates.groups.find(({ id }) => id === group)?.rows[0];
  return row && { text: row.text, unit: row.unit, from: Math.min(...row.tiers.map(({ price }) => price)) };
}

/** Services under an h2, each with the marketplaces or cities that it covers and a price to start from. */
export function ServiceList({ services }: { services: readonly ServiceSummary[] }) {
  return (
    <ul className="services">
      {services.map(({ to, text, subheading, image, price }) => (
        <li key={to}>
          <Drawing image={image} />
          <div className="services-name">
            <h3>
              <StretchedLink href={to}>{text}</StretchedLink>
            </h3>
            <p>{subheading}</p>
          </div>
          {price && (
            <p className="services-price">
              {price.text}{' '}
              <b>
                <PriceFrom price={price} />
              </b>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** `от 490 ₽ / короб`, with no-break spaces. */
export function PriceFrom({ price: { from, unit } }: { price: LowestPrice }) {
  return (
    <>
      от&nbsp;{formatPrice(from)}&nbsp;<small>/&nbsp;{unit}</small>
    </>
  );
}

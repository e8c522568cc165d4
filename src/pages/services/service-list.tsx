import { Drawing } from '../../components/picture.tsx';
import { StretchedLink } from '../../components/stretched-link.tsx';
import type { Content, Service } from '../../model/content.ts';
import { inPreview } from '../../model/written-page.ts';
import { type MainPrice, mainPricesOf } from '../../pricing/main-prices.ts';
import { PriceOfBatch } from './batch-price.tsx';
import './service-list.css';

export type ServiceSummary = Pick<Service, 'to' | 'heading' | 'subheading'> & {
  image?: string;
  prices: readonly MainPrice[];
};

export function summariseService(content: Content): (service: Service) => ServiceSummary {
  return (service) => {
    const { to, subheading, image, rates } = service;
    return {
      to,
      heading: inPreview(service, service.heading),
      subheading,
      image,
      prices: mainPricesOf(content, rates[0]),
    };
  };
}

export function ServiceList({ services }: { services: readonly ServiceSummary[] }) {
  return (
    <ul className="services">
      {services.map(({ to, heading, subheading, image, prices }) => (
        <li key={to}>
          <Drawing image={image} />
          <div className="services-name">
            <h3>
              <StretchedLink href={to}>{heading}</StretchedLink>
            </h3>
            <p>{subheading}</p>
          </div>
          {prices.length > 0 && (
            <ul className="services-prices">
              {prices.map((price) => (
                <li key={price.text}>
                  {price.text}{' '}
                  <b>
                    <PriceOfBatch price={price} />
                  </b>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

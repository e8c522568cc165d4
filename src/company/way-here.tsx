import { ExternalLink } from '../design/external-link.tsx';
import { Picture } from '../design/picture.tsx';
import type { Company } from '../model/content.ts';
import './way-here.css';

type Props = {
  address: Company['address'];
  drawing: string;
  /** Key of Yandex Maps; without it, there is only the link. */
  apiKey: string | undefined;
};

/** Where the company is: a drawing, the address and a link; the map itself comes only when it is asked for. */
export function CompanyMap({ address, drawing, apiKey }: Props) {
  const place = `${address.postalCode}, ${address.locality}, ${address.street}`;
  const point = `${address.longitude},${address.latitude}`;
  return (
    <div
      className="map"
      data-module={apiKey && 'map'}
      data-key={apiKey}
      data-point={apiKey && point}
      data-place={place}
    >
      <div className="map-view">
        <Picture src={drawing} alt="" width={960} height={400} />
        {apiKey && (
          <div className="map-panel">
            <p role="status" />
            <button className="action" type="button" hidden>
              Показать карту
            </button>
          </div>
        )}
      </div>
      <p>
        {place}
        <br />
        <ExternalLink href={`https://yandex.ru/maps/?pt=${point}&z=16&l=map`} text="Открыть в Яндекс Картах" />
      </p>
      {!apiKey && <p>На этой странице карты нет: по ссылке она откроется на сайте Яндекс Карт.</p>}
    </div>
  );
}

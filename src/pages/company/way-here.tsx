import { Picture } from '../../components/picture.tsx';
import { ExternalLink } from '../../components/prose/external-link.tsx';
import type { Company } from '../../model/content.ts';
import './way-here.css';

type Props = {
  address: Company['address'];
  /** Shown until the map loads. */
  drawing: string | undefined;
  /** Without it, only a link to Yandex Maps is shown. */
  apiKey: string | undefined;
};

/** The map loads on click. */
export function WayHere({ address, drawing, apiKey }: Props) {
  const place = `${address.postalCode}, ${address.locality}, ${address.street}`;
  const point = `${address.longitude},${address.latitude}`;
  return (
    <div
      className="way-here"
      data-module={apiKey ? 'way-here' : undefined}
      data-key={apiKey}
      data-point={apiKey && point}
      data-place={place}
    >
      {(drawing || apiKey) && (
        <div className="way-here-view">
          {drawing && <Picture picture={{ src: drawing, alt: `Схема подъезда: ${place}`, width: 960, height: 400 }} />}
          {apiKey && (
            <div className="way-here-panel">
              <p role="status" />
              <button className="action" type="button" hidden>
                Показать карту
              </button>
            </div>
          )}
        </div>
      )}
      <p>
        {place}
        <br />
        <ExternalLink href={`https://yandex.ru/maps/?pt=${point}&z=16&l=map`} text="Открыть в Яндекс Картах" />
      </p>
      {drawing && !apiKey && <p>Схема условная.</p>}
    </div>
  );
}

/** From where the visitor is, by car. */
export function RouteLink({ address: { latitude, longitude } }: Pick<Props, 'address'>) {
  const href = `https://yandex.ru/maps/?rtext=~${latitude},${longitude}&rtt=auto`;
  return (
    <a className="action action-quiet" href={href} rel="noopener">
      Построить маршрут
    </a>
  );
}

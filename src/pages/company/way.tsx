import type { ReactNode } from 'react';
import { InlineSvg, Picture } from '../../components/picture.tsx';
import carton from './carton.svg';
import './way.css';

type Station = { title: string; to: string; figure: ReactNode };
type Scene = { image: string; alt: string; stations: readonly Station[] };

/** Three make one scene, of which phones show a part and swipe to the next; CSS numbers the stations. */
export function Way({ scenes }: { scenes: readonly Scene[] }) {
  return (
    <div className={scenes.length === 3 ? 'way' : 'way way-row'}>
      {scenes.map(({ image, alt, stations }) => (
        <div key={image}>
          <Picture picture={{ src: image, alt, width: 384, height: 346 }} />
          <ol>
            {stations.map(({ title, to, figure }) => (
              <li key={title}>
                <h3>
                  <a href={to}>{title}</a>
                </h3>
                <div className="way-figure">{figure}</div>
              </li>
            ))}
          </ol>
        </div>
      ))}
      {scenes.length === 3 && <InlineSvg className="way-carton" svg={carton} />}
    </div>
  );
}

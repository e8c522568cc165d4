import type { ReactNode } from 'react';
import { Picture } from '../design/picture.tsx';
import './way.css';

type Station = { title: string; to: string; text: string; figure: ReactNode };
type Scene = { image: string; alt: string; stations: readonly Station[] };

/** One continuous scene on wide screens, a strip on phones; CSS numbers the stations. */
export function Way({ scenes }: { scenes: readonly Scene[] }) {
  return (
    <div className="way">
      {scenes.map(({ image, alt, stations }) => (
        <div key={image}>
          <Picture picture={{ src: image, alt, width: 384, height: 346 }} />
          <ol>
            {stations.map(({ title, to, text, figure }) => (
              <li key={title}>
                <h3>
                  <a href={to}>{title}</a>
                </h3>
                <div className="way-figure">{figure}</div>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}

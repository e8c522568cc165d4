import type { ReactNode } from 'react';
import { Picture } from '../design/picture.tsx';
import './way.css';

type Station = { title: string; to: string; text: string; figure: ReactNode };
type Scene = { image: string; alt: string; stations: readonly Station[] };

/** The drawings form one continuous scene on wide screens, and a strip on phones. */
export function Way({ scenes }: { scenes: readonly Scene[] }) {
  const before = (index: number) => scenes.slice(0, index).reduce((sum, { stations }) => sum + stations.length, 0);
  return (
    <div className="way">
      {scenes.map(({ image, alt, stations }, index) => (
        <div className="way-scene" key={image}>
          <Picture src={image} alt={alt} width={384} height={346} />
          <ol start={before(index) + 1}>
            {stations.map(({ title, to, text, figure }, position) => (
              <li key={title}>
                <h3>
                  <span className="way-number">{before(index) + position + 1}</span> <a href={to}>{title}</a>
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

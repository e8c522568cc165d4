import type { Illustration } from '../model/illustration.ts';
import { columnSizes, Picture } from './picture.tsx';
import './hero-picture.css';

export function HeroPicture({ picture }: { picture: Illustration | undefined }) {
  return (
    picture && (
      <div className="picture-hero">
        <Picture eager picture={picture} sizes={columnSizes} />
      </div>
    )
  );
}

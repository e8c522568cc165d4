import type { Illustration } from '../model/illustration.ts';
import { Picture } from './picture.tsx';
import './hero-picture.css';

/** Must match `.picture-hero`; also used by the preload in the head. */
export const heroSizes = '(min-width: 44rem) 42rem, calc(100vw - 2rem)';

export function HeroPicture({ picture }: { picture: Illustration | undefined }) {
  return (
    picture && (
      <div className="picture-hero">
        <Picture eager picture={picture} sizes={heroSizes} />
      </div>
    )
  );
}

import type { Illustration } from '../model/illustration.ts';
import { IllustrationPicture } from './picture.tsx';
import './hero-picture.css';

/** Width of the picture that an article or a case begins with, which `.picture-hero` limits. */
export const heroSizes = '(min-width: 50rem) 48rem, calc(100vw - 2rem)';

/** The picture that an article or a case begins with; the head of the page has it preloaded with `heroSizes`. */
export function HeroPicture({ picture }: { picture: Illustration | undefined }) {
  return (
    picture && (
      <div className="picture-hero">
        <IllustrationPicture eager picture={picture} sizes={heroSizes} />
      </div>
    )
  );
}

import type { Illustration } from '../model/illustration.ts';
import { IllustrationPicture } from './picture.tsx';
import './card-picture.css';

const sizes = '(min-width: 48rem) 10rem, calc(100vw - 4rem)';

/** For lists that fill a page; cards of a section are too narrow. */
export function CardPicture({ picture }: { picture: Illustration }) {
  return <IllustrationPicture picture={picture} sizes={sizes} />;
}

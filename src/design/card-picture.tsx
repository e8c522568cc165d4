import type { Illustration } from '../model/illustration.ts';
import { IllustrationPicture } from './picture.tsx';
import './card-picture.css';

/** Beside the words of the card, or as wide as the screen without the margins of page and card. */
const sizes = '(min-width: 48rem) 10rem, calc(100vw - 4rem)';

/** The picture of a card in a list that fills a page; the cards of a section are too narrow for one. */
export function CardPicture({ picture }: { picture: Illustration }) {
  return <IllustrationPicture picture={picture} sizes={sizes} />;
}

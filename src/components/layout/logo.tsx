import { InlineSvg } from '../picture.tsx';
import shippedLogo from './shipped-logo.svg';
import './logo.css';

/**
 * The strokes are `currentColor`, which survives forced colours. Keep the shapes in sync with `public/favicon.svg`.
 *
 * @param props.src the company's own logo
 */
export function Logo({ src }: { src: string | undefined }) {
  return src ? (
    <picture className="logo">
      <img src={src} alt="" width="32" height="32" />
    </picture>
  ) : (
    <InlineSvg className="logo" svg={shippedLogo} />
  );
}

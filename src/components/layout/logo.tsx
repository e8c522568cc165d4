import './logo.css';

/**
 * `currentColor` survives forced colours. Keep the shapes in sync with `public/favicon.svg`.
 *
 * @param src of the company's own logo
 */
export function Logo({ src }: { src: string | undefined }) {
  return src ? (
    <picture className="logo">
      <img src={src} alt="" width="32" height="32" />
    </picture>
  ) : (
    <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path d="M16 2 3.4 9.3 16 16.6l12.6-7.3z" fill="#eed9b8" />
      <path d="M3.4 9.3v13.4L16 30V16.6z" fill="#d9b382" />
      <path d="M28.6 9.3v13.4L16 30V16.6z" fill="#b98a52" />
      <path d="M20.3 4.5 7.7 11.8v6l4.2 2.4v-6l12.6-7.3z" fill="currentColor" />
      <path
        d="M16 16.6V30l12.6-7.3V9.3L16 2 3.4 9.3v13.4L16 30M3.4 9.3 16 16.6l12.6-7.3"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinejoin="round"
      />
    </svg>
  );
}

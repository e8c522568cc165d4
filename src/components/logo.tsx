/** A carton seen from a corner, its flaps taped. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <g stroke="#1d1a16" strokeWidth="2" strokeLinejoin="round">
        <path d="M16 2 29 9 16 16 3 9z" fill="#eed9b8" />
        <path d="M3 9v14l13 7V16z" fill="#d9b382" />
        <path d="M29 9v14l-13 7V16z" fill="#b98a52" />
        <path d="m9.5 5.5 13 7v4" fill="none" />
      </g>
    </svg>
  );
}

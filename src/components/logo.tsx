/** A carton seen from a corner. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path d="M16 3 28 9v14l-12 6L4 23V9z" fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
      <path d="m4 9 12 6 12-6M16 15v14M10 6l12 6v5" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}

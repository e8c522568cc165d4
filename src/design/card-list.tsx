import type { ReactNode } from 'react';
import './card-list.css';

/** Cards in as many columns as fit. Each child is one `li`. */
export function CardList({ children }: { children: ReactNode }) {
  return <ul className="card-list">{children}</ul>;
}

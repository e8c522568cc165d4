import type { ReactNode } from 'react';
import './card-list.css';

/** Each child is an `li`. */
export function CardList({ children }: { children: ReactNode }) {
  return <ul className="card-list">{children}</ul>;
}

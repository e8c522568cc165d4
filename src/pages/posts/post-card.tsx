import type { ReactNode } from 'react';
import { Heading, type Level } from '../../components/prose/heading.tsx';
import { StretchedLink } from '../../components/stretched-link.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import type { Unpublished } from '../../model/written-page.ts';
import './post-card.css';

type CardListProps = {
  /** Each is an `li`. */
  children: ReactNode;
  /** In columns, because rows of cards of all lengths have holes. */
  uneven?: boolean;
};

export function CardList({ children, uneven = false }: CardListProps) {
  return <ul className={uneven ? 'card-list card-list-uneven' : 'card-list'}>{children}</ul>;
}

type Props = {
  post: Unpublished & { heading: string; published: string };
  href: string;
  /** 2 in lists that fill a page, 3 in sections. */
  level: Level;
  label: ReactNode;
  /** Small, at the left. */
  picture?: ReactNode;
  children?: ReactNode;
};

export function PostCard({ post, href, level, label, picture, children }: Props) {
  return (
    <li className="card">
      {picture}
      <p className="card-label">
        <UnpublishedMark post={post} /> {label}
      </p>
      <Heading level={level}>
        <StretchedLink href={href}>{post.heading}</StretchedLink>
      </Heading>
      {children}
    </li>
  );
}

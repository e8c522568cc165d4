import { StretchedLink } from '../../components/stretched-link.tsx';
import { type DocumentTypeName, documentTypes } from './documents.ts';
import type { Highlighted } from './excerpt.ts';
import type { SearchResult } from './search.ts';
import './search-results.css';

export function SearchResults({ results, first }: { results: readonly SearchResult[]; first: number }) {
  return (
    <ol className="search-results" start={first}>
      {results.map(({ path, documentType, title, excerpt }) => (
        <li key={path}>
          <p className="search-results-kind">{documentTypes[documentType].label}</p>
          <h3>
            <StretchedLink href={path}>
              <MarkedText parts={title} />
            </StretchedLink>
          </h3>
          <p>
            <MarkedText parts={excerpt} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function MarkedText({ parts }: { parts: Highlighted }) {
  return parts.map(({ text, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
    isMatch ? <mark key={index}>{text}</mark> : text,
  );
}

export function PageLinks({
  pages,
}: {
  pages: readonly { path: string; title: string; documentType: DocumentTypeName }[];
}) {
  return (
    <ul className="page-links">
      {pages.map(({ path, title, documentType }) => (
        <li key={path}>
          <a href={path}>{title}</a> <span className="search-results-kind">{documentTypes[documentType].label}</span>
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import { Heading, type Level } from '../design/heading.tsx';
import { SampleMark } from '../design/sample-mark.tsx';
import { StretchedLink } from '../design/stretched-link.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { casePath } from '../model/addresses.ts';
import type { CaseStudy, Unpublished } from '../model/content.ts';
import { ChangeBars } from './change-bars.tsx';
import '../design/card.css';

export type CaseSummary = Pick<
  CaseStudy,
  'slug' | 'heading' | 'niche' | 'marketplaces' | 'sample' | 'task' | 'results' | 'published' | 'picture'
> &
  Unpublished;

export function summariseCase(item: CaseStudy): CaseSummary {
  const { slug, heading, niche, marketplaces, sample, task, published, unpublished, picture } = item;
  const results = item.results.slice(0, 1);
  const summary = { slug, heading, niche, marketplaces, sample, task, results, published };
  return { ...summary, picture, unpublished };
}

export function CaseCard({ item, level, picture }: { item: CaseSummary; level: Level; picture?: ReactNode }) {
  const [result] = item.results;
  return (
    <li className={picture ? 'card card-pictured' : 'card'}>
      {picture}
      <p className="card-label">
        <UnpublishedMark post={item} /> {item.sample && <SampleMark />} {item.niche} · {item.marketplaces.join(', ')}
      </p>
      <Heading level={level}>
        <StretchedLink href={casePath(item)}>{item.heading}</StretchedLink>
      </Heading>
      <p>{item.task}</p>
      {result && (
        <div className="card-figure">
          <p>{result.metric}</p>
          <ChangeBars result={result} />
        </div>
      )}
    </li>
  );
}

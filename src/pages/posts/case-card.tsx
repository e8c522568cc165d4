import type { Level } from '../../components/prose/heading.tsx';
import { Stamp } from '../../components/stamp.tsx';
import type { CaseStudy } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { ChangeBars } from './change-bars.tsx';
import { PostCard } from './post-card.tsx';

type CaseSummary = Omit<CaseStudy, 'body'>;

export function summariseCase({ body: _, ...item }: CaseStudy): CaseSummary {
  return item;
}

export function CaseCard({ item, level }: { item: CaseSummary; level: Level }) {
  const [result] = item.results;
  const label = (
    <>
      {item.sample && <Stamp text="Образец" />} {item.niche} · {item.marketplaces.join(', ')}
    </>
  );
  return (
    <PostCard post={item} href={postPath('case', item)} level={level} label={label}>
      {result && (
        <div className="card-figure">
          <p>{result.metric}</p>
          <ChangeBars result={result} />
        </div>
      )}
    </PostCard>
  );
}

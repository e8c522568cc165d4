import { plainText } from '../../model/plain-text.ts';
import type { Prose } from '../../model/prose.ts';
import { Action } from '../action.tsx';
import type { NextStep } from '../callout.tsx';
import { ContentsList } from './contents-list.tsx';
import { ProseBlock } from './prose-block.tsx';
import './guide.css';

/** After this much, the next heading has an action before it: a phone scrolls less than 1,500 px without one. */
const charactersPerAction = 400;

type Props = { prose: Prose; label?: string; next?: NextStep | undefined };

export function Guide({ prose, label = 'Содержание', next }: Props) {
  const [first = '', ...others] = next ? stretchesOf(prose.html) : [prose.html];
  return (
    <div className="guide">
      <ContentsList headings={prose.headings} label={label} />
      <div className="guide-text">
        <ProseBlock prose={{ html: first }} />
        {others.map((html) => (
          <div key={html}>
            <p className="actions">{next && <Action quiet preset={next.preset} />}</p>
            <ProseBlock prose={{ html }} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The text, divided before some of its headings; much else may stand before the first stretch. */
function stretchesOf(html: string): string[] {
  const [first = '', ...sections] = html.split(/(?<=.)(?=<h2)/s);
  const stretches: string[] = [];
  for (const section of sections) {
    const last = stretches.at(-1);
    if (last === undefined || plainText(last).length >= charactersPerAction) stretches.push(section);
    else stretches.splice(-1, 1, last + section);
  }
  return [first, ...stretches];
}

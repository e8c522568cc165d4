import type { Unpublished } from '../model/written-page.ts';
import { DateText } from './prose/date-text.tsx';
import './unpublished-mark.css';

type Props = { post: Unpublished & { published?: string } };

export function UnpublishedMark({ post }: Props) {
  if (post.unpublished === undefined) return null;
  return (
    <span className="unpublished-mark">
      {post.unpublished === 'scheduled' && post.published ? (
        <>
          Выйдет <DateText date={post.published} />
        </>
      ) : (
        'Черновик'
      )}
    </span>
  );
}

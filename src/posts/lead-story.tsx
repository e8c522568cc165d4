import { Drawing, IllustrationPicture } from '../design/picture.tsx';
import { type ArticleSummary, ArticleWords } from './article-card.tsx';
import './lead-story.css';

type Props = {
  item: ArticleSummary;
  /** Fallback for an article without a picture. */
  image: string | undefined;
};

export function LeadStory({ item, image }: Props) {
  return (
    <div className="lead-story">
      {item.picture ? (
        <IllustrationPicture eager picture={item.picture} sizes="(min-width: 48rem) 15rem, 7rem" />
      ) : (
        <Drawing eager image={image} />
      )}
      <div>
        <ArticleWords item={item} level={2} />
      </div>
    </div>
  );
}

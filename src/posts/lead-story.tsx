import { Drawing, IllustrationPicture } from '../design/picture.tsx';
import { type ArticleSummary, ArticleWords } from './article-card.tsx';
import './lead-story.css';

type Props = {
  item: ArticleSummary;
  /** The drawing of the blog, for an article that has no picture of its own. */
  image: string | undefined;
};

/** The article that a list begins with, larger than the others. */
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

import { basename } from 'node:path';
import { LinkButton } from '../components/action.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { kindOf, kinds } from '../loading/kinds.ts';
import { defineView } from '../pages/page.ts';
import type { Site } from '../site/site.ts';
import type { Publication } from './publication.ts';
import { type PublicationProblem, PublicationState } from './publication.tsx';

type Props = {
  /** `undefined` where drafts are shown. */
  publication: Publication | undefined;
  site: Pick<Site, 'content' | 'paths'>;
  editor: boolean;
  now: Date;
};

const path = '/admin/';
const heading = 'Публикация';

/** Anybody may open it, so it quotes nothing that is not published. */
export const publicationView = defineView({
  name: 'publication',
  uncounted: true,
  head: (_: Props) => ({
    path,
    title: heading,
    description: heading,
    crumbs: [{ path, text: heading }],
    noindex: true,
  }),
  data: () => null,
  Body: ({ publication, site, editor, now }) => {
    const { timeZone } = site.content.company.workingHours;
    const positions = [...new Set(publication?.failed?.problems.map((problem) => positionOf(problem, site)))];
    return (
      <div className="publication-page fill">
        <PageHeading heading={heading} />
        {publication ? (
          <PublicationState
            publication={publication}
            lines={positions.map((position) => ({ position }))}
            open
            now={now}
            timeZone={timeZone}
          />
        ) : (
          <p>Это просмотр с черновиками: он показывает то, что лежит в папке. Публикует команда publish.</p>
        )}
        {positions.length > 0 && (
          <p>
            Что там не так, говорит команда check или, по личной ссылке, <a href="/desk">стол заявок</a>. Здесь этого
            нет: страницу может открыть кто угодно.
          </p>
        )}
        {editor && (
          <p>
            <LinkButton href="/admin/editor/" text="Открыть редактор" />
          </p>
        )}
      </div>
    );
  },
});

/** Names the file only if visitors know its page: the name of a future post would reveal it. */
function positionOf({ file, line }: PublicationProblem, { paths }: Pick<Site, 'paths'>): string {
  const name = kindOf(file);
  if (name === undefined) return 'Ещё один файл';
  const { title, files } = kinds[name];
  const address = `/${basename(file, '.md')}`;
  const isPublished = files === file || paths.some((path) => path.endsWith(address));
  return `${title}: ${isPublished ? file : 'файл, которого нет на сайте'}, строка\u00A0${line}`;
}

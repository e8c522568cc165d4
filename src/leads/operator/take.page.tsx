import { LinkButton, SubmitButton } from '../../design/action.tsx';
import { FactList } from '../../design/fact-list.tsx';
import { PageHeading } from '../../design/page-heading.tsx';
import { defineView } from '../../document/page.ts';
import { callWithin } from '../../model/working-hours.ts';
import './take.css';

type TakeProps = {
  number: number;
  presetTitle: string;
  /** Who is to be called, and what is known; `href` is where a press leads. */
  facts: readonly { label: string; value: string; href?: string }[];
  /** Lines of what the visitor wrote. */
  message: readonly string[];
  /** What the calculator made of their order, as lines. */
  calculation: readonly string[];
  /** By whom and when the lead was taken, as a sentence; without it, it waits to be taken. */
  taken: string | undefined;
};

const headingOf = ({ number }: TakeProps) => `Заявка №\u00A0${number}`;

/** Where the person on duty sees a lead and takes it; with the link, they need no account. */
export const takeView = defineView({
  name: 'take',
  uncounted: true,
  head: (props: TakeProps) => ({
    path: '/take',
    title: headingOf(props),
    description: props.presetTitle,
    crumbs: [{ path: '/take', text: headingOf(props) }],
    noindex: true,
  }),
  data: () => null,
  Body: Take,
});

function Take(props: TakeProps) {
  const { presetTitle, facts, message, calculation, taken } = props;
  const phone = facts.find(({ href }) => href?.startsWith('tel:'));
  return (
    <div className="take fill">
      <PageHeading heading={headingOf(props)} lead={presetTitle} />
      {taken ? (
        <>
          <p className="take-state" role="status">
            {taken}
          </p>
          {phone?.href && <LinkButton href={phone.href} text={`Позвонить ${phone.value.replaceAll(' ', '\u00A0')}`} />}
        </>
      ) : (
        <form method="post">
          <SubmitButton text="Беру заявку" />
          <p>Нажмите, чтобы все видели, что звоните вы. Посетителю обещан звонок {callWithin}.</p>
        </form>
      )}
      <FactList
        facts={facts.map(({ label, value, href }) => ({
          term: label,
          value: href ? <a href={href}>{value}</a> : value,
          wide: value.length > 40,
        }))}
      />
      {message.length > 0 && (
        <section>
          <h2>Сообщение</h2>
          <blockquote className="take-message">{message.join('\n')}</blockquote>
        </section>
      )}
      {calculation.length > 0 && (
        <section>
          <h2>Расчёт</h2>
          <p className="take-message">{calculation.join('\n')}</p>
        </section>
      )}
      <p>
        <small>Ссылка только для сотрудников: не пересылайте её.</small>
      </p>
    </div>
  );
}

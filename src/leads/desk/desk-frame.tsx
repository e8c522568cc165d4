import { createElement, type ReactElement, type ReactNode } from 'react';
import { SubmitButton } from '../../components/action.tsx';
import { defineView } from '../../pages/page.ts';
import './desk-frame.css';

export type DeskState = {
  /** Name and expiry of the link that was used. */
  name: string;
  until: string;
  quarantined: number;
  /** Whether the company has one. */
  broadcast: boolean;
};

const quarantinedShown = 99;

type DeskPage = { desk: DeskState; path: string; heading: string; wrong?: boolean };

/** @param name of the page's file */
export function defineDeskView<Props extends DeskPage>(name: string, Body: (props: Props) => ReactElement) {
  return defineView<Props>({
    name,
    uncounted: true,
    staff: true,
    head: ({ path, heading, wrong }) => ({
      path,
      title: wrong ? `Ошибка: ${heading}` : heading,
      description: heading,
      crumbs: [{ path, text: heading }],
      noindex: true,
    }),
    data: () => null,
    Body: (props) => (
      <DeskFrame desk={props.desk} here={props.path}>
        {createElement(Body, props)}
      </DeskFrame>
    ),
  });
}

type FrameProps = { desk: DeskState; here: string; children: ReactNode };

function DeskFrame({ desk: { name, until, quarantined, broadcast }, here, children }: FrameProps) {
  const waiting = quarantined > quarantinedShown ? `${quarantinedShown}+` : quarantined;
  const places = [
    { path: '/desk', text: 'Сегодня' },
    { path: '/desk/leads', text: 'Все' },
    { path: '/desk/quarantine', text: quarantined > 0 ? `Карантин, ${waiting}` : 'Карантин' },
    ...(broadcast ? [{ path: '/desk/broadcast', text: 'Эфир' }] : []),
  ];
  return (
    <div className="desk fill">
      <nav aria-label="Стол заявок">
        <ul className="desk-places">
          {places.map(({ path, text }) => (
            <li key={path}>
              <a href={path} aria-current={path === here ? 'page' : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
      <form className="desk-about" action="/desk/leave" method="post">
        <p>
          <small>
            Вы вошли по ссылке на имя <bdi>{name}</bdi>. Ссылка работает до {until}, даже если выйти здесь. Не
            пересылайте её: что сделают по ней, будет записано на это имя.
          </small>
        </p>
        <SubmitButton text="Выйти" quiet />
      </form>
    </div>
  );
}

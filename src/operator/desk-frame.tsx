import type { ReactNode } from 'react';
import { SubmitButton } from '../design/action.tsx';
import './desk-frame.css';

/** What every page of the desk shows besides what is its own. */
export type DeskState = {
  /** Whose link it is, and until when that works. */
  who: string;
  until: string;
  /** How many leads are in quarantine. */
  quarantined: number;
};

/** A number that every page of the desk shows must not cost a look at all leads. */
const quarantinedShown = 99;

type Props = { desk: DeskState; here: string; children: ReactNode };

export function DeskFrame({ desk: { who, until, quarantined }, here, children }: Props) {
  const waiting = quarantined > quarantinedShown ? `${quarantinedShown}+` : quarantined;
  const places = [
    { path: '/desk', text: 'Сегодня' },
    { path: '/desk/requests', text: 'Все' },
    { path: '/desk/quarantine', text: quarantined > 0 ? `Карантин, ${waiting}` : 'Карантин' },
    { path: '/desk/broadcast', text: 'Эфир' },
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
      <form className="desk-about" action="/desk" method="post">
        <input type="hidden" name="do" value="leave" />
        <p>
          <small>
            Вы открыли стол по ссылке на имя <bdi>{who}</bdi>, она действует до {until}. Не пересылайте её: что сделают
            по ней, будет записано на это имя. Если выйти, её забудет только этот браузер, а сама она будет работать
            дальше.
          </small>
        </p>
        <SubmitButton text="Выйти" quiet />
      </form>
    </div>
  );
}

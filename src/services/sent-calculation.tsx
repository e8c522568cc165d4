import { Summary } from '../design/summary.tsx';
import { type Bill, readBill } from './bill.ts';
import { CalculationTable } from './calculation-table.tsx';
import './sent-calculation.css';

type Props = {
  bill: Bill;
  /** `Цены с 1 ноября 2026 г.` */
  prices: string;
  link: { href: string; text: string };
  open?: boolean;
};

export function SentBill({ bill, prices, link, open = false }: Props) {
  return (
    <details className="sent-bill" open={open}>
      <Summary>Расчёт: {bill.total}</Summary>
      <CalculationTable whole bill={bill} caption={`${bill.order}. ${prices}`} />
      <p>
        <a href={link.href}>{link.text}</a>
      </p>
    </details>
  );
}

/** Falls back to the stored text if it cannot be parsed, such as one from an earlier version. */
export function SentCalculation({ text, open = false }: { text: string; open?: boolean }) {
  const read = readBill(text);
  if (read !== undefined) {
    const { bill, prices, address } = read;
    return <SentBill bill={bill} prices={prices} link={{ href: address, text: 'Открыть расчёт' }} open={open} />;
  }
  return (
    <details className="sent-bill" open={open}>
      <Summary>Расчёт</Summary>
      <p className="sent-bill-text">{text}</p>
    </details>
  );
}

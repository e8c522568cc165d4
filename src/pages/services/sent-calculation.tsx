import { Summary } from '../../components/summary.tsx';
import { formatDate } from '../../lib/format.ts';
import type { DatedBill } from '../../pricing/bill.ts';
import { BillTable, BillTotal } from './calculation-table.tsx';
import { OrderLoad } from './order-load.tsx';
import { TermStrip } from './term-strip.tsx';
import './sent-calculation.css';

type Props = { bill: DatedBill; link?: { href: string; text: string }; open?: boolean };

export function SentBill({ bill, link = { href: bill.address, text: 'Открыть расчёт' }, open = false }: Props) {
  return (
    <div className="sent-bill">
      {bill.load && <OrderLoad load={bill.load} prefix="sent-" />}
      <details open={open}>
        <Summary>
          Расчёт: {bill.total} {bill.without}
        </Summary>
        <BillTotal bill={bill} />
        {bill.days && <TermStrip term={bill.days} />}
        <BillTable bill={bill} caption={`${bill.order}. Цены с ${formatDate(bill.effective)}`} />
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      </details>
    </div>
  );
}

import { ErrorSummary } from '../../components/forms/error-summary.tsx';
import { offerOf } from '../../components/offer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { ProseBlock } from '../../components/prose/prose-block.tsx';
import { QuestionList } from '../../components/prose/question-list.tsx';
import { formatDate } from '../../lib/format.ts';
import type { Content } from '../../model/content.ts';
import { generalPresetOf } from '../../model/preset-title.ts';
import { billOf } from '../../pricing/bill.ts';
import { calculate, isWhole } from '../../pricing/calculation.ts';
import { calculatorAddress, orderFields, orderQuery } from '../../pricing/order-fields.ts';
import { assumptions, isPacked, refusal, shortSummary } from '../../pricing/order-text.ts';
import { loadOf } from '../../pricing/pallet-load.ts';
import { readOrExample } from '../../pricing/read-order.ts';
import { termOf } from '../../pricing/term.ts';
import { defineSection, type QueryValues } from '../page.ts';
import { FoldedForm, OrderForm } from './calc-form.tsx';
import { CalcResultSection, CalcSum } from './calc-result.tsx';
import { waysOf } from './order-ways.tsx';
import './calc.css';

/** A GET form, so every result has an address. Shows an example until submitted. */
export const calc = defineSection({
  name: 'calc',
  refreshed: true,
  path: calculatorAddress,
  share: { drawing: '/images/presets/calculation.svg' },
  query: orderFields,
  props: calcProps,
  head: ({ text, parent, errors }) => ({
    // The page is the form.
    action: undefined,
    title: errors.length > 0 ? `Ошибка: ${text.title}` : text.title,
    crumbs: [...(parent ? [{ path: '/rates', text: parent }] : []), { path: calculatorAddress, text: text.heading }],
  }),
  dates: ({ text, effective }) => [text.updated, effective],
  Body: ({ text, calculator, prices, values, typed, errors, result, offer, request }) => {
    const counted = result?.query !== undefined;
    const example = !counted && errors.length === 0;
    return (
      <>
        <PageHeading heading={text.heading} intro={example ? text.lead : undefined} />
        <ErrorSummary errors={errors} fields={orderFields} />
        <div className="calc">
          <FoldedForm order={counted ? result.short : undefined}>
            <p className="calc-failure" aria-live="assertive">
              Пересчитать не вышло: сайт не&nbsp;ответил. Нажмите кнопку под формой или позвоните.
            </p>
            <CalcSum error={errors[0]} bill={result?.bill} example={example} />
            <OrderForm calculator={calculator} values={values} typed={typed} errors={errors} again={counted} />
          </FoldedForm>
          {result ? (
            <CalcResultSection result={result} offer={offer} request={request} prices={prices} />
          ) : (
            <section id="result" className="calc-result calc-none" aria-label="Расчёт">
              <p>Заполните поля, и здесь появится расчёт</p>
            </section>
          )}
          <p className="visually-hidden" role="status" />
        </div>
        <QuestionList
          questions={[{ question: 'Что входит в расчёт, а что нет', answer: <ProseBlock blocks={text.body.blocks} /> }]}
        />
      </>
    );
  },
});

function calcProps(content: Content, query: QueryValues) {
  const { calculator, rates } = content;
  const { values, typed, errors, order, refused } = readOrExample(calculator, query);
  const calculation = order && calculate(rates, calculator, order);
  const term = calculation && termOf(content, calculation);
  return {
    parent: content.pages.rates?.heading,
    calculator,
    effective: rates.effective,
    prices: `${rates.vat}, действуют с\u00A0${formatDate(rates.effective)}`,
    values,
    typed,
    errors,
    result: calculation && {
      bill: billOf(content, calculation, term),
      term,
      load: loadOf(calculator, calculation),
      ways: waysOf(content, calculation, values),
      short: shortSummary(calculator, calculation.order),
      remark: refused && refusal(calculator, refused, calculation.order),
      notes: assumptions(calculator, calculation),
      query: query.units === undefined ? undefined : orderQuery(values),
    },
    offer: calculation && isWhole(calculation) && isPacked(calculator, calculation) ? offerOf(content) : undefined,
    request: generalPresetOf(content),
  };
}

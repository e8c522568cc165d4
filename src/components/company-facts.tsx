import type { Company } from '../site/content.ts';
import { FactList } from './fact-list.tsx';

/** Legal details, as a contract asks for them. */
export function CompanyFacts({ company }: { company: Company }) {
  return (
    <FactList
      facts={[
        { term: 'Юридическое лицо', value: company.legalName },
        { term: 'ИНН', value: company.inn },
        ...(company.kpp ? [{ term: 'КПП', value: company.kpp }] : []),
        { term: 'ОГРН', value: company.ogrn },
      ]}
    />
  );
}

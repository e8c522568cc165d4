import { FactList } from '../../components/prose/fact-list.tsx';
import type { Company } from '../../model/content.ts';

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

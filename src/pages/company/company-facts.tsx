import { FactList } from '../../components/prose/fact-list.tsx';
import type { Company } from '../../model/content.ts';
import { isSoleProprietor, ogrnTitle } from '../../model/registration.ts';

export function CompanyFacts({ company }: { company: Company }) {
  return (
    <FactList
      facts={[
        { term: isSoleProprietor(company) ? 'Предприниматель' : 'Юридическое лицо', value: company.legalName },
        { term: 'ИНН', value: company.inn },
        ...(company.kpp ? [{ term: 'КПП', value: company.kpp }] : []),
        { term: ogrnTitle(company), value: company.ogrn },
      ]}
    />
  );
}

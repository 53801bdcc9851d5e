/** Why a run does not learn, each with its remedy, in the reader's language. */
import type { Diagnosed } from '../../../src/dashboard/model.ts';
import { diagnosisInChinese, remediesInChinese } from '../chinese.ts';
import { useLanguage, usePhrases } from '../language.ts';

export function Diagnoses({ diagnosis }: { readonly diagnosis: readonly Diagnosed[] }) {
  const t = usePhrases();
  const chinese = useLanguage() === 'zh';
  if (diagnosis.length === 0) return null;
  return (
    <ul class="warnings diagnosis">
      {diagnosis.map((found) => (
        <li key={found.kind}>
          <strong>{t('Not learning')}:</strong> {chinese ? diagnosisInChinese(found) : found.says}
          <br />
          {t('Remedy')}: {chinese ? remediesInChinese[found.kind] : found.remedy}
        </li>
      ))}
    </ul>
  );
}

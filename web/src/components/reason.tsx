/** Sentences that files hold, in the reader's language where there is data beside them: why a run ended, how two policies compare. */
import type { EvaluationComparison, RunDetail, RunSummary } from '../../../src/dashboard/model.ts';
import { causeInChinese, comparisonInChinese } from '../chinese.ts';
import { asPhrase, useLanguage, usePhrases } from '../language.ts';

/** Why a run ended; nothing where there is no reason to read. */
export function Reason({ run }: { readonly run: RunSummary }) {
  const t = usePhrases();
  const chinese = useLanguage() === 'zh';
  const { reason, cause } = run;
  if (reason === undefined || !saysWhy(run)) return null;
  const word = asPhrase(reason);
  const words = word === undefined ? reason : t(word);
  // Being stopped is no fault.
  const kind = run.status === 'stopped' ? 'why muted' : 'why';
  if (chinese && cause !== undefined) return <div class={kind}>{causeInChinese(cause, reason)}</div>;
  return (
    <div class={kind} lang={word === undefined ? 'en' : undefined}>
      {words}
    </div>
  );
}

export function ComparisonText({ comparison }: { readonly comparison: EvaluationComparison }) {
  const chinese = useLanguage() === 'zh';
  const { first, second, sentence } = comparison;
  return (
    <>
      {first} → {second}: {(chinese ? comparisonInChinese(comparison) : undefined) ?? sentence}
    </>
  );
}

/** Whether the reason is one to read: a training that has finished did so for the reason that was planned. */
function saysWhy({ kind, status }: Pick<RunDetail, 'kind' | 'status'>): boolean {
  return status !== 'finished' || kind === 'eval';
}

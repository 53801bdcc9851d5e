/** What a person should know about a run, in words. */
import type { Warning } from '../../../src/dashboard/model.ts';
import { usePhrases, type Phrase } from '../language.ts';
import { percent } from './numbers.ts';

export function Warnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  const t = usePhrases();
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings">
      {warnings.map((warning) => (
        <li key={inWords(warning, t)}>{inWords(warning, t)}</li>
      ))}
    </ul>
  );
}

export function inWords(warning: Warning, t: (phrase: Phrase) => string): string {
  switch (warning.kind) {
    case 'no-signal':
      return `${t('No signal: in every group of the last steps all samples got the same reward')} (${String(warning.steps)})`;
    case 'context':
      return `${t('The context limit was reached in a share of the episodes')}: ${percent(warning.share)}`;
    case 'unreadable':
      return `${t('No action could be read from a share of the replies')}: ${percent(warning.share)}`;
    case 'failed-episodes':
      return `${t('Episodes that failed and have no reward')}: ${String(warning.count)} (${warning.by})`;
    case 'noise':
      return `${t('Episodes so far are fewer than the noise scale of the gradient: its direction shows only over more of them')}: ${Math.round(warning.played)} < ${Math.round(warning.low)}`;
    case 'format':
      return `${t('The format that is asked for is not the one that was learned')}: ${warning.asked} ≠ ${warning.found ?? t('none that is known')} (${warning.where})`;
    case 'no-better':
      return `${t('No evaluation was better than the one before training')}: ${percent(warning.best)}`;
  }
}

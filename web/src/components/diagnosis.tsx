/** "Why does it not learn?": for each reason the verdict, what shows it (curves, episodes, groups), and what to do; in the reader's language. */
import { diagnosisInChinese, remediesInChinese } from '../../../src/run/diagnosis/chinese.ts';
import type { DiagnosisKind } from '../../../src/run/diagnosis/diagnosis.ts';
import type { Diagnosed, RunDetail } from '../../../src/dashboard/model.ts';
import { useLanguage, usePhrases } from '../language.ts';
import { href } from '../route.ts';

export function Diagnoses({ run }: { readonly run: RunDetail }) {
  const t = usePhrases();
  if (run.diagnosis.length === 0) return null;
  return (
    <section class="diagnosis" aria-label={t('Why does it not learn?')}>
      <h2>{t('Why does it not learn?')}</h2>
      <ol>
        {run.diagnosis.map((found) => (
          <Reason key={found.kind} run={run} found={found} />
        ))}
      </ol>
    </section>
  );
}

function Reason({ run, found }: { readonly run: RunDetail; readonly found: Diagnosed }) {
  const t = usePhrases();
  const chinese = useLanguage() === 'zh';
  const { metrics, looks } = evidence[found.kind];
  const last = run.episodeSteps.at(-1);
  return (
    <li>
      <p class="verdict">{chinese ? diagnosisInChinese(found) : found.says}</p>
      <dl>
        <dt>{t('Evidence')}</dt>
        <dd>
          {metrics.map((metric) => (
            <a key={metric} href={href(['run', run.id], { metric })}>
              {metric}
            </a>
          ))}
          {looks !== undefined && last !== undefined && (
            <a href={href(['run', run.id, looks], { step: last, ...(looks === 'episodes' && { purpose: 'train' }) })}>
              {looks === 'groups' ? t('Groups of the last step') : t('Episodes of the last step')}
            </a>
          )}
          {found.kind === 'collapsed' && run.episodeSteps.includes(found.peak) && (
            <a href={href(['run', run.id, 'episodes'], { step: found.peak, purpose: 'train' })}>
              {t('Episodes of the best step')} ({found.peak})
            </a>
          )}
        </dd>
        <dt>{t('Remedy')}</dt>
        <dd>{chinese ? remediesInChinese[found.kind] : found.remedy}</dd>
        <dt>{t('More')}</dt>
        <dd>
          <code>agoge docs</code>, docs/not-learning.md#{found.kind}
        </dd>
      </dl>
    </li>
  );
}

/** The curves that a rule has read (run/diagnosis/find.ts), and where its episodes are best looked at. */
const evidence: Readonly<Record<DiagnosisKind, { readonly metrics: readonly string[]; readonly looks?: 'episodes' | 'groups' }>> =
  {
    'replies-flat': { metrics: ['train/reply_accuracy', 'train/loss'] },
    'success-flat': { metrics: ['train/success', 'train/gradient_agreement_mean'], looks: 'episodes' },
    'no-signal': { metrics: ['train/groups_with_signal', 'train/success'], looks: 'groups' },
    'reward-up-success-down': { metrics: ['critic/score/mean', 'train/success'], looks: 'episodes' },
    'giving-up': { metrics: ['num_turns/mean', 'train/success'], looks: 'episodes' },
    collapsed: { metrics: ['train/success', 'actor/kl_of_update'], looks: 'episodes' },
    'entropy-gone': { metrics: ['actor/entropy'], looks: 'groups' },
    'replies-cut': { metrics: ['train/cut_replies'], looks: 'episodes' },
    'context-full': { metrics: ['train/context_limit'], looks: 'episodes' },
    unreadable: { metrics: ['train/unreadable_replies'], looks: 'episodes' },
    'rate-too-high': { metrics: ['actor/kl_of_update', 'actor/grad_norm'] },
    unlearned: { metrics: ['train/reply_accuracy', 'train/loss'] },
  };

/** What a demo proves: the same fresh tasks before and after training, compared in pairs, and one of them played both ways. */
import type { EpisodeView, Proof } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { Conversation } from './conversation.tsx';
import { percent, short } from './numbers.ts';
import { ShareText } from './share.tsx';

export function ProofShown({ proof }: { readonly proof: Proof }) {
  const t = usePhrases();
  const { before, after, difference, low, high, p, example } = proof;
  const verdict =
    p >= 0.05
      ? 'No difference can be told'
      : difference > 0
        ? 'More tasks are solved after training'
        : 'Fewer tasks are solved after training';
  return (
    <section class="proof">
      <h2>{t('Before and after')}</h2>
      <p>
        {after.panel}, {after.n} {t('tasks that were never trained on')}: <ShareText share={before} /> →{' '}
        <ShareText share={after} />
      </p>
      <p>
        {t('Paired difference')}: <strong>{percent(difference)}</strong> [{percent(low)}, {percent(high)}], p = {short(p, 2)}.{' '}
        <span class="muted">{t(verdict)}</span>
      </p>
      {example && (
        <details>
          <summary>
            {t('The same task before and after')}: {example.after.task}
          </summary>
          <div class="columns two">
            <Played title={t('Before')} episode={example.before} />
            <Played title={t('After')} episode={example.after} />
          </div>
        </details>
      )}
    </section>
  );
}

function Played({ title, episode }: { readonly title: string; readonly episode: EpisodeView }) {
  return (
    <article class="episode">
      <h3>{title}</h3>
      <Conversation episode={episode} />
    </article>
  );
}

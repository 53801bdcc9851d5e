/** The fields above a list of episodes. What they hold is the address, so each change is a new one. */
import type { ComponentChildren } from 'preact';
import { usePhrases } from '../language.ts';

export const outcomes = ['success', 'finished', 'truncated', 'failed'] as const;

export interface EpisodeFilterProps {
  readonly query: URLSearchParams;
  readonly steps: readonly number[];
  readonly categories: readonly string[];
  readonly set: (change: Readonly<Record<string, string>>) => void;
}

export function EpisodeFilter({ query, steps, categories, set }: EpisodeFilterProps) {
  const t = usePhrases();
  const field = (key: string) => ({
    value: query.get(key) ?? '',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => set({ [key]: event.currentTarget.value }),
  });
  return (
    <form class="controls filter" role="search" onSubmit={(event) => event.preventDefault()}>
      <Choice label={t('Step')} {...field('step')}>
        {steps.map((step) => (
          <option key={step} value={step}>
            {step}
          </option>
        ))}
      </Choice>
      <Choice label={t('Played for')} {...field('purpose')}>
        <option value="train">{t('training')}</option>
        <option value="eval">{t('evaluation')}</option>
      </Choice>
      <Choice label={t('Outcome')} {...field('outcome')}>
        {outcomes.map((outcome) => (
          <option key={outcome} value={outcome}>
            {t(outcome)}
          </option>
        ))}
      </Choice>
      <Choice label={t('Category')} {...field('category')}>
        {categories.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </Choice>
      <label>
        {t('Task')}
        <input placeholder="textcraft/test" title="textcraft/test#17, textcraft/test, textcraft" {...field('task')} />
      </label>
      <label>
        {t('Reward at least')}
        <input type="number" step="any" {...field('minReward')} />
      </label>
      <label>
        {t('Text contains')}
        <input {...field('text')} />
      </label>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
  readonly children: ComponentChildren;
}

function Choice({ label, children, ...field }: ChoiceProps) {
  const t = usePhrases();
  return (
    <label>
      {label}
      <select {...field}>
        <option value="">{t('any')}</option>
        {children}
      </select>
    </label>
  );
}

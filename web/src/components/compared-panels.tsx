/** Evaluations beside each other: one table per panel, each policy paired by task with the one that was chosen to measure by. */
import type { ComparedPanel, ComparedPolicy, RunComparison } from '../../../src/dashboard/together-model.ts';
import { comparisonInChinese } from '../chinese.ts';
import { useLanguage, usePhrases } from '../language.ts';
import { href } from '../route.ts';
import { percent, short } from './numbers.ts';
import { ShareText } from './share.tsx';

export interface ComparedPanelsProps extends Pick<RunComparison, 'panels' | 'unlike'> {
  readonly onBaseline: (label: string) => void;
}

export function ComparedPanels({ panels, unlike, onBaseline }: ComparedPanelsProps) {
  const t = usePhrases();
  if (panels.length === 0) return null;
  return (
    <section class="panels">
      <h2>{t('Evaluations, paired by task')}</h2>
      {panels.map((panel) => (
        <Panel key={panel.hash} panel={panel} onBaseline={onBaseline} />
      ))}
      {unlike.map(({ runs, panel, differences }) => (
        <p class="why" key={runs.join(' ')}>
          {t('These two answer different questions and are not compared')}: {runs.join(' · ')} ({panel}; {differences.join('; ')})
        </p>
      ))}
    </section>
  );
}

function Panel({ panel, onBaseline }: { readonly panel: ComparedPanel; readonly onBaseline: (label: string) => void }) {
  const t = usePhrases();
  const { name, hash, rows } = panel;
  const [baseline] = rows;
  return (
    <>
      <h3>
        {name} <code class="muted">{hash}</code>
      </h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={name}>
        <table class="list cards narrow">
          <thead>
            <tr>
              <th scope="col">{t('Policy')}</th>
              <th scope="col">n</th>
              <th scope="col">{t('Success')}</th>
              <th scope="col">{t('Reward')}</th>
              <th scope="col">
                {t('Difference to')} {baseline?.label}
              </th>
              <th scope="col">{t('What it says')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.label} row={row} first={baseline?.label ?? ''} panel={name} onBaseline={onBaseline} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface RowProps {
  readonly row: ComparedPolicy;
  readonly first: string;
  readonly panel: string;
  readonly onBaseline: (label: string) => void;
}

function Row({ row, first, panel, onBaseline }: RowProps) {
  const t = usePhrases();
  const chinese = useLanguage() === 'zh';
  const { run, label, policy, share, reward, against } = row;
  const comparison = against && { first, second: label, sentence: against.sentence, found: against };
  return (
    <tr>
      <th scope="row" class="first">
        <a href={href(['run', run, 'episodes'], { policy, task: panel })} title={t('Episodes behind this number')}>
          {label}
        </a>
      </th>
      <td class="number n" data-label="n">
        {share.n}
      </td>
      <td class="number" data-label={t('Success')}>
        <ShareText share={share} />
      </td>
      <td class="number" data-label={t('Reward')}>
        {short(reward)}
      </td>
      <td class="number" data-label={t('Paired difference')}>
        {against ? (
          <>
            {signed(against.success.difference)}{' '}
            <span class="muted">
              [{signed(against.low)}, {signed(against.high)}]
            </span>
          </>
        ) : label === first ? (
          <span class="muted">{t('measured by this')}</span>
        ) : (
          '–'
        )}
      </td>
      <td>
        {comparison && ((chinese ? comparisonInChinese(comparison) : undefined) ?? comparison.sentence)}{' '}
        {label !== first && (
          <button type="button" class="plain" onClick={() => onBaseline(label)}>
            {t('Measure by this')}
          </button>
        )}
      </td>
    </tr>
  );
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${percent(value)}`;
}

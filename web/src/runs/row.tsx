/** One run in the list: what it is called, how it stands, how well it does. */
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { diagnosisInChinese, remediesInChinese } from '../../../src/run/diagnosis/chinese.ts';
import { useLanguage, usePhrases, type Phrase } from '../language.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { clock, count, day, duration, percent, short } from '../components/numbers.ts';
import { Reason } from '../components/reason.tsx';
import { Status } from '../components/run-frame.tsx';
import { RunName, RunTitle } from '../components/run-name.tsx';
import { ShareText } from '../components/share.tsx';
import { inWords } from '../components/warnings.tsx';
import { href } from '../route.ts';
import type { ExtraColumn } from './columns.ts';

/** Of an evaluation with many policies. */
const mostScores = 3;

interface RowProps {
  readonly run: RunSummary;
  readonly live: boolean;
  readonly marked: boolean;
  readonly extra: readonly ExtraColumn[];
  readonly onMark: (on: boolean) => void;
}

export function Row({ run, live, marked, extra, onMark }: RowProps) {
  const t = usePhrases();
  return (
    <tr class={run.annotation?.archived === true ? 'archived' : ''}>
      <td class="mark">
        {live && (
          <input
            type="checkbox"
            aria-label={`${t('Select')} ${run.id}`}
            checked={marked}
            onChange={(event) => onMark(event.currentTarget.checked)}
          />
        )}
      </td>
      <td class="first">
        <a href={href(['run', run.id])}>
          <RunName run={run} />
        </a>
        {run.annotation?.tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
        {run.annotation !== undefined && run.annotation.note !== '' && <div class="muted note">{run.annotation.note}</div>}
      </td>
      <td>
        <Standing run={run} />
      </td>
      <td class="muted recipe">
        <RunTitle run={run} />
      </td>
      <td class={run.step === undefined ? 'number none' : 'number'} data-label={t('Step')}>
        {run.step ?? '–'}
        {run.steps !== undefined && <span class="muted"> / {run.steps}</span>}
      </td>
      <td class="number" data-label={t('Success')}>
        <Success run={run} />
      </td>
      <td class={run.sparkline.length < 2 ? 'none' : 'trend'}>
        <Trend run={run} />
      </td>
      {extra.map((column) => (
        <td key={column} class={valueText(run, column) === '–' ? 'number none' : 'number'} data-label={t(column)}>
          {valueText(run, column)}
        </td>
      ))}
      <td class="muted when">
        <span>{day(run.updatedAt)}</span> <span>{clock(run.updatedAt)}</span>
      </td>
    </tr>
  );
}

/** Status, and what a person should know. */
function Standing({ run }: { readonly run: RunSummary }) {
  const t = usePhrases();
  const chinese = useLanguage() === 'zh';
  return (
    <>
      <Status status={run.status} warnings={run.warnings.length + run.diagnosis.length} />
      <Reason run={run} />
      {run.diagnosis.map((found) => (
        <div class="why" key={found.kind} title={chinese ? remediesInChinese[found.kind] : found.remedy}>
          {chinese ? diagnosisInChinese(found) : found.says}
        </div>
      ))}
      {run.warnings.map((warning) => (
        <div class="why" key={inWords(warning, t)} title={inWords(warning, t)}>
          {inWords(warning, t)}
        </div>
      ))}
    </>
  );
}

/** The small curve, with what it is of and where it stands. */
function Trend({ run }: { readonly run: RunSummary }) {
  const t = usePhrases();
  const what = run.curve === undefined ? undefined : curves[run.curve];
  const name = what === undefined ? t('Trend') : t(what);
  const last = run.sparkline.at(-1);
  return (
    <>
      <Sparkline values={run.sparkline} label={`${name}: ${run.id}`} />
      {run.sparkline.length > 1 && (
        <span class="muted" title={run.curve}>
          {name} {run.curve === 'train/success' ? percent(last) : short(last)}
        </span>
      )}
    </>
  );
}

const curves: Readonly<Record<string, Phrase>> = {
  'train/success': 'training success',
  'critic/score/mean': 'training reward',
  'train/loss': 'training loss',
};

function valueText(run: RunSummary, column: ExtraColumn): string {
  switch (column) {
    case 'Duration':
      return run.seconds === undefined ? '–' : duration(run.seconds);
    case 'Episodes':
      return run.played === undefined ? '–' : count(run.played);
    case 'Tokens':
      return run.tokens === undefined ? '–' : count(run.tokens);
    case 'Cost':
      return run.cost === undefined ? '–' : `$${run.cost.toFixed(2)}`;
  }
}

/** Of a training the first and the last evaluation; of an evaluation its policies, the first of them. */
function Success({ run }: { readonly run: RunSummary }) {
  const t = usePhrases();
  const [first] = run.scores;
  const last = run.scores.at(-1);
  if (first === undefined || last === undefined)
    return (
      <>
        {percent(run.success)} {run.success !== undefined && <span class="muted">{t('training')}</span>}
      </>
    );
  if (run.kind !== 'eval')
    return (
      <>
        {first !== last && <span class="muted">{percent(first.success)} → </span>}
        <ShareText share={last} />
      </>
    );
  const rest = run.scores.length - mostScores;
  const several = new Set(run.scores.map(({ panel }) => panel)).size > 1;
  return (
    <>
      {run.scores.slice(0, mostScores).map((share) => (
        <div key={`${share.panel} ${share.policy}`}>
          <ShareText share={share} />
          {run.scores.length > 1 && (
            <span class="muted">
              {' '}
              {several && `${share.panel.split('/')[0] ?? ''} · `}
              {share.policy}
            </span>
          )}
        </div>
      ))}
      {rest > 0 && <span class="muted">+{rest}</span>}
    </>
  );
}

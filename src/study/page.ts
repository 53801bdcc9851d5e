/** The table of a study as Markdown: for each panel what the arms reached and gained, and what that cost; then the page around it. */
import type { ArmRow, Measured, PanelTable, StudyTable } from './gains.ts';
import { learningText } from './learning-text.ts';
import { madeOnText } from './made-on.ts';
import { count, markdown, share, signed } from './markdown.ts';

/** The tables alone, as the terminal shows them. */
export function tablesText(table: StudyTable): string {
  const { panels } = table;
  const empty = panels.filter(isEmpty);
  const rest = empty.map(({ environment, panel }) => `${environment} (${panel})`).join(', ');
  return [
    ...panels.filter((panel) => !isEmpty(panel)).map(panelText),
    ...learningText(table),
    ...(empty.length === 0 ? [] : [`Nothing has been evaluated yet: ${rest}.`]),
  ].join('\n\n');
}

function isEmpty({ hash, arms }: PanelTable): boolean {
  return hash === '' && arms.every(({ failed }) => failed.length === 0);
}

function panelText(panel: PanelTable): string {
  return [headOf(panel), armTable(panel), ...pairTable(panel), ...notes(panel)].join('\n\n');
}

/** page.md: the question, the tables, the curves, and how to repeat it. */
export function pageText(table: StudyTable): string {
  const { study, runs } = table;
  const rest = runs.planned - runs.finished - runs.failed;
  const state = [
    `${runs.finished} of ${runs.planned} runs have finished`,
    ...(runs.failed > 0 ? [`${runs.failed} failed`] : []),
    ...(rest > 0 ? [`${rest} ${rest === 1 ? 'is' : 'are'} still to be made`] : []),
  ].join(', ');
  return `${[
    `# ${study.study}`,
    ...(study.question === '' ? [] : [study.question]),
    `${state}. Seeds: ${study.seeds.join(', ')}.${runs.finished > 0 ? ` ${madeOnText(table.madeOn)}` : ''}`,
    tablesText(table),
    ...bootstrapTable(table),
    '![success on validation and in training](curves.svg)',
    '## How to read and repeat it',
    [
      '* Success is the share of solved episodes. Intervals are 95 %, over seeds and tasks together: a crossed random-effects model with',
      "  Satterthwaite's degrees of freedom. One seed gives no interval.",
      '* A gain is paired by seed and task with the weights that the arm began with. Costs are means over seeds, of the arm alone.',
      ...byTheClock(table),
      ...onCard(study),
      `* Print the table from these files: \`agoge study show studies/${study.study}\`.`,
      `* Repeat all of it: \`agoge study ${study.plan} --results again\`. More seeds: add them to the plan and give the same command.`,
    ].join('\n'),
    '## Arms',
    study.arms
      .map(({ name, after, recipe, set, checkpoint }) => {
        const begins = after === null ? '' : `, after ${after}`;
        const settings = set.length === 0 ? '' : `; ${set.map((one) => `\`${one}\``).join(' ')}`;
        return `* **${name}**: \`${recipe}\`${begins}; ${checkpoint} checkpoint${settings}`;
      })
      .join('\n'),
  ].join('\n\n')}\n`;
}

/** Arms on cores whose runs do not say their processor time. */
function byTheClock({ panels, study }: StudyTable): string[] {
  const onCores = study.environments.flatMap(({ name, device }) => (device === undefined ? [name] : []));
  const mine = panels.filter(({ environment }) => onCores.includes(environment));
  const unsaid = mine.flatMap(({ environment, arms }) =>
    arms.flatMap(({ arm, cost }) => (cost && cost.processor_minutes === undefined ? [`${environment} ${arm}`] : [])),
  );
  const rest = [...new Set(unsaid)].join(', ');
  if (rest === '') return ['* Core-minutes are processor time of training, all threads of a run together.'];
  return [`* Core-minutes are minutes by the clock times threads, which say too much beside other work, in: ${rest}.`];
}

function onCard({ environments }: StudyTable['study']): string[] {
  const there = environments.filter(({ device }) => device !== undefined);
  if (there.length === 0) return [];
  const names = there.map(({ name, device }) => `${name} (${device})`).join(', ');
  return [
    `* On the card: ${names}. Core-minutes there are a run's minutes by the clock, while others may have used the card too; its processor time is in brackets.`,
  ];
}

function headOf({ environment, panel, split, tasks, samples, temperature, hash }: PanelTable): string {
  if (hash === '') return `## ${environment}: ${panel}\n\nNothing has been evaluated here yet.`;
  return `## ${environment}: ${panel}\n\n${split}, ${tasks} tasks × ${samples} samples at temperature ${temperature}, panel ${hash}`;
}

function armTable({ arms }: PanelTable): string {
  const k = Math.max(1, ...arms.map((row) => row.k));
  const head = [
    'arm',
    'seeds',
    'start',
    'end [95 %]',
    'gain [95 %]',
    `pass@1 → pass@${k} at start`,
    'at end',
    'episodes',
    'tokens',
    'updates',
    'core-minutes',
  ];
  const rows = arms.map((row) => [
    row.after === null ? row.arm : `${row.arm} (after ${row.after})`,
    seedsText(row),
    share(row.start),
    measured(row.end),
    measured(row.gain, true),
    passes(row.start, row.passStart),
    passes(row.end?.mean, row.passEnd),
    count(row.cost?.episodes),
    count(row.cost?.tokens),
    count(row.cost?.updates),
    coreMinutes(row.cost),
  ]);
  return markdown(head, rows);
}

/** On a card the clock's, with the processor's beside it. */
function coreMinutes(cost: ArmRow['cost']): string {
  if (cost === undefined) return '–';
  const { core_minutes: core, processor_minutes: processor = core } = cost;
  return processor === core ? core.toFixed(1) : `${core.toFixed(1)} (processor ${processor.toFixed(1)})`;
}

function pairTable({ pairs }: PanelTable): string[] {
  if (pairs.length === 0) return [];
  const rows = pairs.map(({ from, to, difference, seeds }) => [
    `${to} − ${from}`,
    String(seeds),
    measured(difference, true),
    verdict(difference),
  ]);
  return [markdown(['compared', 'seeds', 'difference [95 %]', ''], rows)];
}

/** The same gains by the hierarchical bootstrap, for whoever wants that one. */
function bootstrapTable({ panels }: StudyTable): string[] {
  const rows = panels.flatMap(({ environment, panel, arms, pairs }) => [
    ...arms.map(({ arm, gain }) => [environment, panel, arm, gain] as const),
    ...pairs.map(({ from, to, difference }) => [environment, panel, `${to} − ${from}`, difference] as const),
  ]);
  const known = rows.flatMap(([environment, panel, arm, gain]) =>
    gain && gain.seeds > 1
      ? [[environment, panel, arm, signed(gain.mean), `[${signed(gain.bootstrap.low)}, ${signed(gain.bootstrap.high)}]`]]
      : [],
  );
  if (known.length === 0) return [];
  return [
    '## The same by hierarchical bootstrap',
    'Seeds are drawn, then tasks. With few seeds it can be too narrow; the intervals above are the ones to quote.',
    markdown(['environment', 'panel', 'arm', 'gain', 'bootstrap 95 %'], known),
  ];
}

function notes({ arms }: PanelTable): string[] {
  const lines = arms.flatMap(({ arm, failed, missing, chosen }) => [
    ...failed.map(({ seed, reason }) => `* ${arm}, seed ${seed}: **failed** (${reason})`),
    ...(missing > 0 ? [`* ${arm}: ${missing} episodes have no result; those tasks are averaged over the others`] : []),
    ...(chosen
      ? [
          `* ${arm}: ${settings(chosen.chosen)} was chosen on validation among ${chosen.tried.map((one) => `${settings(one.settings)} (${share(one.success ?? undefined)})`).join(', ')}`,
        ]
      : []),
  ]);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function settings(chosen: Readonly<Record<string, string>>): string {
  return Object.entries(chosen)
    .map((pair) => pair.join('='))
    .join(' ');
}

function seedsText({ seeds, planned, failed }: ArmRow): string {
  return `${seeds.length}/${planned}${failed.length > 0 ? `, ${failed.length} failed` : ''}`;
}

function measured(value: Measured | undefined, sign = false): string {
  if (!value) return '–';
  const text = sign ? signed : (number: number): string => share(number);
  return value.seeds < 2 ? `${text(value.mean)} (one seed)` : `${text(value.mean)} [${text(value.low)}, ${text(value.high)}]`;
}

function verdict(difference: Measured | undefined): string {
  if (!difference || difference.seeds < 2) return '';
  if (difference.low > 0) return 'more';
  return difference.high < 0 ? 'less' : 'not distinguishable';
}

function passes(one: number | undefined, k: number | undefined): string {
  return one === undefined ? '–' : `${share(one)} → ${share(k)}`;
}

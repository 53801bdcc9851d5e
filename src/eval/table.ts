/** Scores and comparisons as text that fits 80 columns. Numbers carry what makes them a number: n, interval, panel. */
import type { Comparison } from './compare.ts';
import type { Evaluation } from './evaluate.ts';
import type { Panel } from './panel.ts';
import type { CategoryScore, Score } from './score.ts';

export function evaluationText(evaluation: Evaluation): string {
  return evaluation.panels
    .map((panel) => {
      const scores = evaluation.scores.filter((score) => score.panel === panel.hash);
      const compared = evaluation.comparisons.filter((comparison) => comparison.panel === panel.hash);
      return [
        panelText(panel, evaluation),
        scoreTable(scores),
        ...details(scores),
        ...compared.map((each) => `\n${comparisonText(each)}`),
      ].join('\n');
    })
    .join('\n\n');
}

function panelText(panel: Panel, { repeats, sampling }: Evaluation): string {
  const { samples, seeds } = repeats;
  const times = [samples > 1 ? ` × ${samples} samples` : '', seeds > 1 ? ` × ${seeds} seeds` : ''].join('');
  return [
    `${panel.env}/${panel.split} · ${panel.tasks.length} tasks${times} · panel ${panel.hash}`,
    `format ${panel.format} · at most ${panel.limits.turns} turns of ${panel.limits.tokensPerTurn} tokens · temperature ${sampling.temperature}`,
    ...(panel.standIn
      ? [`STAND-IN · tasks of our own, not the official ones of ${panel.env}: see agoge eval --help, --generated`]
      : []),
  ].join('\n');
}

const width = 22;

function scoreTable(scores: readonly Score[]): string {
  const head = `${'policy'.padEnd(width)}  ${'success [95 %]'.padEnd(20)}  ${'reward [95 %]'.padEnd(20)}  turns failed`;
  const rows = scores.map((score) => {
    const failed = score.episodes - score.scored;
    return [
      shorten(score.policy, width).padEnd(width),
      estimate(score.success).padEnd(20),
      estimate(score.reward).padEnd(20),
      `${number(score.turns, 1).padStart(5)} ${(failed === 0 ? '–' : String(failed)).padStart(6)}`,
    ].join('  ');
  });
  return ['', head, ...rows].join('\n');
}

/** What does not fit a table: samples, categories, failures, cost; for each policy what there is to say. */
function details(scores: readonly Score[]): string[] {
  return scores.flatMap((score) => {
    const lines = [...sampleLines(score), ...categoryLines(score.categories), ...harnessLines(score)];
    return lines.length === 0 ? [] : ['', shorten(score.policy, 78), ...lines.map((line) => `  ${line}`)];
  });
}

function sampleLines(score: Score): string[] {
  const ks = Object.keys(score.passAt);
  if (ks.length === 0) return [];
  const line = (name: string, values: Readonly<Record<string, number>>): string =>
    `${name.padEnd(9)} ${ks.map((k) => `${k}: ${number(values[k] ?? Number.NaN, 3)}`).join('  ')}`;
  const most = ks.at(-1) ?? '1';
  const lines = [
    `avg@${most}`.padEnd(10) + number(score.success.mean, 3),
    line('pass@k', score.passAt),
    line('pass^k', score.passHat),
  ];
  if (score.seeds)
    lines.push(
      `${'seeds'.padEnd(9)} ${score.seeds.success.map((value) => number(value, 3)).join('  ')}  (sd ${number(score.seeds.deviation, 3)})`,
    );
  return lines;
}

function categoryLines(categories: readonly CategoryScore[]): string[] {
  if (categories.length < 2) return [];
  return categories.map(
    ({ name, tasks, success, reward }) =>
      `${shorten(name, 26).padEnd(26)} ${String(tasks).padStart(4)} tasks  ${estimate(success)}  reward ${number(reward, 3)}`,
  );
}

function harnessLines(score: Score): string[] {
  const lines: string[] = [];
  const parts = Object.entries(score.breakdown);
  if (parts.length > 0)
    lines.push(`parts of the reward: ${parts.map(([name, value]) => `${name} ${number(value, 3)}`).join(', ')}`);
  const facts = [
    score.tokens === null ? '' : `${number(score.tokens, 0)} tokens per episode`,
    score.unreadable > 0 ? `${number(score.unreadable * 100, 1)} % of replies unreadable` : '',
    ...Object.entries(score.truncated).map(([limit, n]) => `${n} ended at the limit of ${limit}`),
    score.seconds >= 0.05 ? `${number(score.seconds, 1)} s` : '',
  ].filter(Boolean);
  if (facts.length > 0) lines.push(...wrap(facts, 76));
  if (score.usage) {
    const { requests = 0, inputTokens = 0, outputTokens = 0, retries = 0, cost } = score.usage;
    lines.push(
      `${requests} requests (${retries} repeated), ${inputTokens} tokens in, ${outputTokens} out${cost === undefined ? '' : `, $${cost.toFixed(4)}`}`,
    );
  }
  const retried = Object.entries(score.retried);
  if (retried.length > 0) lines.push(...wrap(['repeated tries:', ...retried.map(([what, n]) => `${what} × ${n}`)], 76, ' '));
  const failed = score.episodes - score.scored;
  if (failed > 0) {
    lines.push(
      `${failed} of ${score.episodes} episodes have no result: ${
        Object.entries(score.failures)
          .map(([what, n]) => `${what} × ${n}`)
          .join(', ') || 'not played'
      }`,
    );
    lines.push(
      `success lies between ${number(score.bounds.low, 3)} and ${number(score.bounds.high, 3)} whatever they would have been; run again to redo them`,
    );
  }
  return lines;
}

export function comparisonText(comparison: Comparison): string {
  const { a, b, success, reward, n, leftOut } = comparison;
  const row = (name: string, { a: first, b: second, difference, low, high, p }: Comparison['reward'], test: string): string =>
    `${name.padEnd(8)} ${number(first, 3)} → ${number(second, 3)}  ${signed(difference)} [${signed(low)}, ${signed(high)}]  p ${p < 0.001 ? '< 0.001' : number(p, 3)}  ${test}`;
  return [
    `${comparison.env}/${comparison.split} · panel ${comparison.panel} · ${n} tasks${leftOut > 0 ? ` (${leftOut} without a result left out)` : ''}`,
    `A  ${shorten(a, 75)}`,
    `B  ${shorten(b, 75)}`,
    row('success', success, success.test === 'mcnemar' ? 'exact McNemar' : 'sign flips by task'),
    row('reward', reward, 'sign flips by task'),
    `better with A on ${success.onlyA} tasks, with B on ${success.onlyB}`,
    ...(comparison.sampled === undefined ? [] : [comparison.sampled]),
    comparison.verdict,
  ].join('\n');
}

function estimate({ mean, low, high }: { readonly mean: number; readonly low: number; readonly high: number }): string {
  return `${number(mean, 3)} [${number(low, 3)}, ${number(high, 3)}]`;
}

function number(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

function signed(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

/** Keeps both ends of a name: the kind at its start, the step at its end. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor(most / 2);
  return `${text.slice(0, most - end - 1)}…${text.slice(text.length - end)}`;
}

function wrap(parts: readonly string[], most: number, separator = ', '): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + separator.length + part.length <= most)
      lines[lines.length - 1] = `${last}${separator}${part}`;
    else lines.push(part);
  }
  return lines;
}

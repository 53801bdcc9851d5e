/**
 * All goals with a number on one page: ours, the peer's, their ratio, the goal, met or not. The figures are those of docs/results.md, typed in
 * when they are measured; ratios and verdicts are computed, and the table there is written by this.
 *   npx tsx bench/summary.ts            prints it
 *   npx tsx bench/summary.ts --write    puts it into docs/results.md
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Goal {
  readonly what: string;
  readonly cores: number;
  readonly unit: string;
  /** Absent where only the ratio of an alternating run was written down. */
  readonly ours?: number;
  readonly peer: number;
  readonly ratio?: number;
  /** What the peer is: another program, or ourselves with less. */
  readonly against: string;
  readonly goal: number;
  /** Where the figures are explained. */
  readonly section: string;
}

const pytorch = { against: 'PyTorch', unit: 'tokens/s' };
const training = { ...pytorch, cores: 2, section: 'embedded-engine-training' };
const wide = { ...pytorch, cores: 16, section: 'sixteen-cores-third-look' };
const grown = { cores: 16, unit: 'tokens/s', against: 'one core', section: 'sixteen-cores-third-look' };
/** On a busy machine, one thread each. */
const alone = { cores: 1, unit: 'tokens/s of processor time', against: 'PyTorch', section: 'sampling' };
const decoding = { cores: 2, unit: 'tokens/s', section: 'sampling' };

export const goals: readonly Goal[] = [
  { ...training, what: 'XS training, plain', ours: 11_568, peer: 12_140, goal: 1 },
  { ...training, what: 'S training, plain', ours: 4_636, peer: 4_834, goal: 1 },
  { ...training, what: 'M training, plain', ours: 179, peer: 210, goal: 1 },
  { ...training, what: 'XS training, GRPO-shaped', ours: 17_013, peer: 11_253, goal: 2 },
  { ...training, what: 'S training, GRPO-shaped', ours: 7_805, peer: 4_521, goal: 2 },
  { ...training, what: 'M training, GRPO-shaped', ours: 288, peer: 135, goal: 2 },
  { ...decoding, what: 'S decoding, 8 at once', ours: 4_994, peer: 2_962, against: 'PyTorch', goal: 2.5 },
  { ...decoding, what: 'S decoding, 32 at once', ours: 4_749, peer: 3_467, against: 'PyTorch', goal: 2.2 },
  { ...alone, what: 'S decoding, 8 at once, later', ours: 2_339, peer: 2_339 / 2.18, goal: 2.5 },
  { ...alone, what: 'S decoding, 32 at once, later', ours: 3_683, peer: 3_683 / 1.67, goal: 2.2 },
  { ...decoding, what: 'M decoding, 8 at once', ours: 164, peer: 81, against: 'PyTorch', goal: 2 },
  { ...decoding, what: 'M decoding, 32 at once', ours: 197, peer: 154, against: 'PyTorch', goal: 1.8 },
  { ...decoding, what: 'M decoding, 32 at once', ours: 197, peer: 173, against: 'llama.cpp f32', goal: 1.2 },
  { ...wide, what: 'XS training, plain', ours: 27_502, peer: 34_500, goal: 1 },
  { ...wide, what: 'S training, plain', ours: 15_143, peer: 21_562, goal: 1 },
  { ...wide, what: 'M training, plain', ours: 574, peer: 676, goal: 1 },
  { ...wide, what: 'XS training, GRPO-shaped', ours: 40_406, peer: 42_793, goal: 2 },
  { ...wide, what: 'S training, GRPO-shaped', ours: 18_680, peer: 20_640, goal: 2 },
  { ...wide, what: 'M training, GRPO-shaped', ours: 672, peer: 507, goal: 2 },
  { ...grown, what: 'XS sampling × 64', ours: 41_717, peer: 4_603, goal: 8 },
  { ...grown, what: 'S sampling × 64', ours: 17_596, peer: 2_491, goal: 8 },
  { ...grown, what: 'GRPO step of the base policy', unit: 'episodes/s', ours: 89.3, peer: 14.4, goal: 8 },
  {
    ...grown,
    what: 'GRPO step, 128 episodes',
    unit: 'steps/h',
    against: 'PyTorch',
    ours: 3600 / 0.614,
    peer: 3600 / 3.551,
    goal: 5,
  },
  { ...grown, what: 'Demo, 60 s', unit: 'episodes', against: 'two cores', ours: 17_024, peer: 5_120, goal: 5 },
  {
    what: 'One GRPO step, end to end',
    cores: 2,
    unit: 'steps/h',
    ours: 3600 / 1.46,
    peer: 3600 / 5.26,
    against: 'PyTorch',
    goal: 3,
    section: 'one-grpo-step-end-to-end',
  },
  {
    what: 'GRPO step, SmolLM2-135M',
    cores: 1,
    unit: 'steps/h of processor time',
    ours: 3600 / 17.136,
    peer: 3600 / 25.604,
    against: 'PyTorch',
    goal: 2,
    section: 'the-same-with-smollm2-135m',
  },
  {
    what: 'Item ids → parquet',
    cores: 2,
    unit: 'rows/s of processor time',
    ours: 94_091,
    peer: 44_737,
    against: 'pandas',
    goal: 3,
    section: 'data-agentgym-json--parquet-against-pandas',
  },
  {
    what: 'Trajectories → parquet',
    cores: 2,
    unit: 'rows/s of processor time',
    ours: 7_724,
    peer: 8_450,
    against: 'pandas',
    goal: 3,
    section: 'data-agentgym-json--parquet-against-pandas',
  },
];

export function summaryTable(rows: readonly Goal[] = goals): string {
  const lines = rows.map(({ what, cores, unit, ours, peer, against, goal, section, ratio: given }) => {
    const ratio = given ?? (ours ?? Number.NaN) / peer;
    const verdict = ratio >= goal ? 'met' : `**missed** (${((ratio / goal) * 100).toFixed(0)} %)`;
    const number = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: value < 1000 ? 3 : 4 });
    return `| [${what}](#${section}) | ${cores} | ${ours === undefined ? '–' : number(ours)} | ${number(peer)} ${unit} (${against}) | ${ratio.toFixed(2)} | ${goal} | ${verdict} |`;
  });
  return ['| | cores | ours | peer | ratio | goal | |', '|---|---|---|---|---|---|---|', ...lines].join('\n');
}

const [begin, end] = ['<!-- goals: written by bench/summary.ts -->', '<!-- /goals -->'];

/** The page with the table as it is now. */
export function withSummary(page: string): string {
  const [before, rest] = page.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new RangeError(`the page has no place for the table: ${begin} … ${end}`);
  return `${before}${begin}\n\n${summaryTable()}\n\n${end}${after}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = fileURLToPath(new URL('../docs/results.md', import.meta.url));
  if (process.argv.includes('--write')) writeFileSync(page, withSummary(readFileSync(page, 'utf8')));
  else console.log(summaryTable());
}

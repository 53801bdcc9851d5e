/**
 * All goals with a number on one page: ours, the peer's, their ratio, the goal, met or not. The figures are those of docs/results/, typed in
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
const training = { ...pytorch, cores: 2, section: 'engine.md#embedded-engine-training' };
const wide = { ...pytorch, cores: 16, section: 'engine.md#sixteen-cores-fourth-look' };
const grown = { cores: 16, unit: 'tokens/s', against: 'one core', section: 'engine.md#sixteen-cores-fourth-look' };
const decoding = { cores: 2, unit: 'tokens/s', section: 'engine.md#sampling' };

export const goals: readonly Goal[] = [
  { ...training, what: 'XS training, plain', ours: 11_568, peer: 12_140, goal: 1 },
  { ...training, what: 'S training, plain', ours: 4_636, peer: 4_834, goal: 1 },
  { ...training, what: 'M training, plain', ours: 179, peer: 210, goal: 1 },
  { ...training, what: 'XS training, GRPO-shaped', ours: 17_013, peer: 11_253, goal: 2 },
  { ...training, what: 'S training, GRPO-shaped', ours: 7_805, peer: 4_521, goal: 2 },
  { ...training, what: 'M training, GRPO-shaped', ours: 288, peer: 135, goal: 2 },
  { ...decoding, what: 'S decoding, 8 at once', ours: 3_063, peer: 1_288, against: 'PyTorch', goal: 2.5 },
  { ...decoding, what: 'S decoding, 32 at once', ours: 5_436, peer: 2_060, against: 'PyTorch', goal: 2.2 },
  { ...decoding, what: 'S decoding, 8 at once, weights in int8', ours: 3_850, peer: 1_315, against: 'PyTorch f32', goal: 2.5 },
  { ...decoding, what: 'S decoding, 32 at once, weights in int8', ours: 6_115, peer: 1_680, against: 'PyTorch f32', goal: 2.2 },
  { ...decoding, what: 'M decoding, 8 at once', ours: 115, peer: 115 / 2.2, against: 'PyTorch', goal: 2 },
  { ...decoding, what: 'M decoding, 32 at once', ours: 197, peer: 154, against: 'PyTorch', goal: 1.8 },
  { ...decoding, what: 'M decoding, 32 at once', ours: 197, peer: 173, against: 'llama.cpp f32', goal: 1.2 },
  { ...wide, what: 'XS training, plain', ours: 38_499, peer: 49_200, goal: 1 },
  { ...wide, what: 'S training, plain', ours: 23_901, peer: 24_058, goal: 1 },
  { ...wide, what: 'M training, plain', ours: 604, peer: 734, goal: 1 },
  { ...wide, what: 'XS training, GRPO-shaped', ours: 52_839, peer: 32_935, goal: 2 },
  { ...wide, what: 'S training, GRPO-shaped', ours: 31_191, peer: 19_153, goal: 2 },
  { ...wide, what: 'M training, GRPO-shaped', ours: 1_195, peer: 713, goal: 2 },
  { ...grown, what: 'XS sampling × 64', ours: 52_298, peer: 9_931, goal: 8 },
  { ...grown, what: 'S sampling × 64', ours: 19_953, peer: 4_083, goal: 8 },
  { ...grown, what: 'GRPO step of the base policy', unit: 'episodes/s', ours: 157.0, peer: 23.3, goal: 8 },
  {
    ...grown,
    what: 'GRPO step, 512 episodes',
    unit: 'steps/h',
    against: 'PyTorch',
    ours: 3600 / 1.366,
    peer: 3600 / 18.772,
    goal: 5,
  },
  { ...grown, what: 'Demo, 60 s', unit: 'episodes', against: 'two cores', ours: 31_104, peer: 8_192, goal: 5 },
  {
    what: 'One GRPO step, end to end',
    cores: 2,
    unit: 'steps/h',
    ours: 3600 / 1.46,
    peer: 3600 / 5.26,
    against: 'PyTorch',
    goal: 3,
    section: 'engine.md#one-grpo-step-end-to-end',
  },
  {
    what: 'GRPO step, SmolLM2-135M',
    cores: 2,
    unit: 'steps/h',
    ours: 3600 / 18.417,
    peer: 3600 / 40.539,
    against: 'PyTorch',
    goal: 2,
    section: 'engine.md#the-same-with-smollm2-135m',
  },
  {
    what: 'Item ids → parquet',
    cores: 2,
    unit: 'rows/s of processor time',
    ours: 94_091,
    peer: 44_737,
    against: 'pandas',
    goal: 3,
    section: 'data.md#data-agentgym-json--parquet-against-pandas',
  },
  {
    what: 'Trajectories → parquet',
    cores: 2,
    unit: 'rows/s of processor time',
    ours: 7_724,
    peer: 8_450,
    against: 'pandas',
    goal: 3,
    section: 'data.md#data-agentgym-json--parquet-against-pandas',
  },
];

export function summaryTable(rows: readonly Goal[] = goals): string {
  const lines = rows.map(({ what, cores, unit, ours, peer, against, goal, section, ratio: given }) => {
    const ratio = given ?? (ours ?? Number.NaN) / peer;
    const verdict = ratio >= goal ? 'met' : `**missed** (${((ratio / goal) * 100).toFixed(0)} %)`;
    const number = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: value < 1000 ? 3 : 4 });
    return `| [${what}](results/${section}) | ${cores} | ${ours === undefined ? '–' : number(ours)} | ${number(peer)} ${unit} (${against}) | ${ratio.toFixed(2)} | ${goal} | ${verdict} |`;
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

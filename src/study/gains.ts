/**
 * From small files to the numbers of a study: what each arm reached, what it gained over its start and over other arms, seed by seed and
 * task by task, with intervals over seeds and tasks together (learn/crossed.ts). A run that is missing is missing, never a zero.
 */
import { at } from '../core/at.ts';
import { Random } from '../core/random/random.ts';
import { crossedBootstrap, crossedMean, type CrossedMean } from '../learn/crossed.ts';
import { mean } from '../learn/rows.ts';
import { passAtK, type Interval } from '../learn/statistics.ts';
import {
  policyFile,
  readSmall,
  runFile,
  type Choice,
  type Cost,
  type CurvePoint,
  type Finished,
  type Scores,
  type StudyFacts,
} from './results.ts';
import { choiceFile } from './results.ts';
import { foretold, learningRun, type Foretold, type LearningRow } from './need.ts';

export interface Measured extends CrossedMean {
  /** The hierarchical bootstrap of the same: seeds, then tasks. */
  readonly bootstrap: Interval;
}

export interface ArmRow {
  readonly arm: string;
  readonly after: string | null;
  /** Seeds that have a result, and those that were planned. */
  readonly seeds: readonly number[];
  readonly planned: number;
  readonly failed: readonly { readonly seed: number; readonly reason: string }[];
  /** Of the weights it began with, over the same seeds; absent for a fresh model. */
  readonly start?: number;
  readonly end?: Measured;
  readonly gain?: Measured;
  /** pass@1 and pass@k, before and after. */
  readonly k: number;
  readonly passStart?: number;
  readonly passEnd?: number;
  /** Mean over seeds; of this arm alone, without what it began with. */
  readonly cost?: Cost;
  readonly missing: number;
  readonly chosen?: Choice;
  readonly curves: readonly {
    readonly seed: number;
    readonly validation: readonly CurvePoint[];
    readonly training: readonly CurvePoint[];
  }[];
}

export interface PairRow {
  readonly from: string;
  readonly to: string;
  readonly difference?: Measured;
  readonly seeds: number;
}

export interface PanelTable {
  readonly environment: string;
  readonly panel: string;
  readonly split: string;
  readonly tasks: number;
  readonly samples: number;
  readonly temperature: number;
  readonly hash: string;
  readonly arms: readonly ArmRow[];
  readonly pairs: readonly PairRow[];
}

export interface StudyTable {
  readonly study: StudyFacts;
  readonly panels: readonly PanelTable[];
  /** Arms that learned by playing. */
  readonly learning: readonly LearningRow[];
  readonly foretold: readonly Foretold[];
  readonly runs: { readonly finished: number; readonly failed: number; readonly planned: number };
  /** Where each finished run was made. */
  readonly madeOn: readonly (string | undefined)[];
}

type Scored = ReadonlyMap<number, Scores>;

/** Everything that the small files of a folder say. */
export async function studyTable(folder: string, study: StudyFacts): Promise<StudyTable> {
  const panels: PanelTable[] = [];
  const learning: LearningRow[] = [];
  const runs = { finished: 0, failed: 0, planned: 0 };
  const madeOn: (string | undefined)[] = [];
  for (const { name: environment, panels: names, arms, starts } of study.environments) {
    const results = new Map<string, Map<number, Finished>>();
    const failures = new Map<string, { seed: number; reason: string }[]>();
    for (const arm of arms) {
      const [finished, failed] = [new Map<number, Finished>(), [] as { seed: number; reason: string }[]];
      for (const seed of study.seeds) {
        const result = await readSmall(folder, 'runs', runFile(environment, arm, seed));
        if (result?.status === 'finished') finished.set(seed, result);
        else if (result) failed.push({ seed, reason: result.reason });
      }
      const learned = [...finished].flatMap(
        ([seed, { cost, ...run }]) => learningRun(seed, { ...run, episodes: cost.episodes }, study.threshold) ?? [],
      );
      if (learned.length > 0) learning.push({ environment, arm, runs: learned });
      results.set(arm, finished);
      failures.set(arm, failed);
      runs.finished += finished.size;
      madeOn.push(...[...finished.values()].map(({ made_on }) => made_on));
      runs.failed += failed.length;
      runs.planned += study.seeds.length;
    }
    const policies = new Map<string, Readonly<Record<string, Scores>>>();
    for (const policy of new Set(Object.values(starts)))
      policies.set(policy, (await readSmall(folder, 'policies', policyFile(environment, policy)))?.panels ?? {});
    for (const panel of names) {
      const scoresOf = (arm: string): Scored =>
        new Map([...(results.get(arm) ?? [])].flatMap(([seed, { panels: of }]) => (of[panel] ? [[seed, of[panel]]] : [])));
      const startOf = (arm: string): Scored => {
        const after = study.arms.find(({ name }) => name === arm)?.after ?? null;
        if (after !== null) return scoresOf(after);
        const scores = policies.get(starts[arm] ?? '')?.[panel];
        return new Map(scores ? study.seeds.map((seed) => [seed, scores]) : []);
      };
      const rows: ArmRow[] = [];
      for (const arm of arms) {
        const choice = await readSmall(folder, 'choices', choiceFile(environment, arm));
        const finished = results.get(arm) ?? new Map<number, Finished>();
        rows.push({
          arm,
          after: study.arms.find(({ name }) => name === arm)?.after ?? null,
          planned: study.seeds.length,
          failed: failures.get(arm) ?? [],
          ...armNumbers(scoresOf(arm), startOf(arm), `${environment} ${panel} ${arm}`),
          ...(finished.size > 0 ? { cost: meanCost([...finished.values()].map(({ cost }) => cost)) } : {}),
          ...(choice ? { chosen: choice } : {}),
          curves: [...finished].map(([seed, { validation, training }]) => ({ seed, validation, training })),
        });
      }
      const any = arms.flatMap((arm) => [...scoresOf(arm).values()])[0];
      const pairs = study.compare
        .filter((pair) => pair.every((arm) => arms.includes(arm)))
        .map(([from, to]): PairRow => {
          const table = differences(scoresOf(from), scoresOf(to));
          const key = `${environment} ${panel} ${from} ${to}`;
          return { from, to, seeds: table.length, ...(table.length > 0 ? { difference: measured(table, key, [-1, 1]) } : {}) };
        });
      panels.push({
        environment,
        panel,
        split: any?.split ?? '',
        tasks: any?.tasks.length ?? Number.NaN,
        samples: any?.samples ?? Number.NaN,
        temperature: any?.temperature ?? Number.NaN,
        hash: any?.panel ?? '',
        arms: rows,
        pairs,
      });
    }
  }
  // By the first panel of each environment, which is the one that is claimed on.
  const gained = panels.flatMap(({ environment, arms }) => arms.map((row) => ({ environment, ...row })));
  return { study, panels, learning, foretold: foretold(learning, gained), runs, madeOn };
}

function armNumbers(
  ends: Scored,
  starts: Scored,
  key: string,
): Pick<ArmRow, 'seeds' | 'start' | 'end' | 'gain' | 'k' | 'passStart' | 'passEnd' | 'missing'> {
  const seeds = [...ends.keys()];
  const own = [...ends.values()];
  const before = seeds.flatMap((seed) => starts.get(seed) ?? []);
  const k = Math.max(1, ...own.map(({ samples }) => samples));
  const missing = own.reduce((sum, scores) => sum + scores.missing, 0);
  if (own.length === 0) return { seeds, k, missing };
  const gained = differences(starts, ends);
  return {
    seeds,
    k,
    missing,
    end: measured(
      common(own).map((row) => row.map(({ share }) => share)),
      `${key} end`,
      [0, 1],
    ),
    passEnd: passOf(own, k),
    ...(before.length === own.length ? { start: mean(before.map(successOf)), passStart: passOf(before, k) } : {}),
    ...(gained.length > 0 ? { gain: measured(gained, `${key} gain`, [-1, 1]) } : {}),
  };
}

/** Per seed that both have: for each task that all of them have, what the second solved more often than the first. */
function differences(from: Scored, to: Scored): number[][] {
  const seeds = [...to.keys()].filter((seed) => from.has(seed));
  const tables = seeds.flatMap((seed) => {
    const [a, b] = [from.get(seed), to.get(seed)];
    return a && b && a.panel === b.panel ? [a, b] : [];
  });
  const rows = common(tables);
  return Array.from({ length: rows.length / 2 }, (_, pair) =>
    at(rows, 2 * pair + 1).map(({ share }, task) => share - at(at(rows, 2 * pair), task).share),
  );
}

/** Rows of the tasks that all of these have, in one order. */
function common(tables: readonly Scores[]): { readonly index: number; readonly share: number }[][] {
  const shares = tables.map(
    ({ tasks }) =>
      new Map(tasks.flatMap(([index, , outcomes]) => (outcomes === '' ? [] : [[index, shareOf(outcomes)] as const]))),
  );
  const indices = [...(shares[0]?.keys() ?? [])].filter((index) => shares.every((of) => of.has(index)));
  return shares.map((of) => indices.map((index) => ({ index, share: of.get(index) ?? Number.NaN })));
}

function shareOf(outcomes: string): number {
  return [...outcomes].filter((one) => one === '1').length / outcomes.length;
}

function successOf({ tasks }: Scores): number {
  return mean(tasks.flatMap(([, , outcomes]) => (outcomes === '' ? [] : [shareOf(outcomes)])));
}

/** Mean over tasks that have so many samples, then over seeds. */
function passOf(tables: readonly Scores[], k: number): number {
  const of = ({ tasks }: Scores): number[] =>
    tasks.flatMap(([, , outcomes]) => (outcomes.length < k ? [] : [passAtK(outcomes.length, outcomes.split('1').length - 1, k)]));
  return mean(tables.map((scores) => mean(of(scores))));
}

function measured(table: readonly (readonly number[])[], key: string, [least, most]: readonly [number, number]): Measured {
  const within = ({ low, high }: Interval): Interval => ({ low: Math.max(least, low), high: Math.min(most, high) });
  const result = crossedMean(table);
  if (table.length < 2) return { ...result, bootstrap: { low: result.low, high: result.high } };
  return { ...result, ...within(result), bootstrap: within(crossedBootstrap(table, Random.of(0, key))) };
}

function meanCost(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost): number => mean(costs.map((cost) => cost[key] ?? Number.NaN));
  /** A mean over some of the seeds would be another number. */
  const ofAll = (key: 'minutes' | 'processor_minutes'): Partial<Cost> =>
    costs.every((cost) => cost[key] !== undefined) ? { [key]: of(key) } : {};
  return {
    episodes: of('episodes'),
    tokens: of('tokens'),
    updates: of('updates'),
    core_minutes: of('core_minutes'),
    ...ofAll('minutes'),
    ...ofAll('processor_minutes'),
  };
}

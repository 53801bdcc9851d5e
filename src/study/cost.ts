/** What a run cost and how it went, from its folder: episodes, tokens, optimizer steps, minutes of training, curves of a few points. */
import { join } from 'node:path';
import { parse } from 'yaml';
import { noiseScale, noiseSteps } from '../learn/noise-scale.ts';
import { sum } from '../learn/rows.ts';
import { layout, type MetricsLine } from '../run/layout.ts';
import { readEvaluations, readMetrics } from '../run/metrics-log.ts';
import { readInside } from '../run/inside.ts';
import { readRunInfo } from '../run/run-info.ts';
import { cellName, type Cell } from '../train/run/sweep.ts';
import { madeOn } from './made-on.ts';
import type { Cost, CurvePoint, RunNoise } from './results.ts';

/** Points of a training curve that are kept at most. */
const mostPoints = 60;

export interface RunFacts {
  readonly cost: Cost;
  readonly step: number;
  readonly validation: CurvePoint[];
  readonly training: CurvePoint[];
  readonly noise?: RunNoise;
  readonly made_on: string;
}

/** Where it ran, and on how many threads. */
interface Place {
  readonly threads: number;
  readonly device: string;
}

export async function runFacts(folder: string, place: Place): Promise<RunFacts> {
  const [info, metrics, evaluations] = [await readRunInfo(folder), await readMetrics(folder), await readEvaluations(folder)];
  const minutes = minutesBySteps(metrics);
  const at = (step: number): number => minutes.filter((one) => one.step <= step).at(-1)?.minutes ?? Number.NaN;
  const byStep = new Map<number, number[]>();
  for (const { step, success } of evaluations.filter(({ n }) => n > 0)) byStep.set(step, [...(byStep.get(step) ?? []), success]);
  const validation = [...byStep].map(([step, values]): CurvePoint => [
    step,
    round(step === 0 ? 0 : at(step)),
    round(values.reduce((a, b) => a + b) / values.length),
  ]);
  const trained = metrics.flatMap(({ step, data }): CurvePoint[] => {
    const success = data['train/success'];
    return success === undefined ? [] : [[step, round(at(step)), round(success)]];
  });
  const every = Math.max(1, Math.ceil(trained.length / mostPoints));
  const noise = noiseOf(metrics, await minibatchesOf(folder));
  return {
    step: info.step,
    cost: {
      episodes: info.episodes,
      tokens: info.tokens,
      updates: info.kind === 'rl' ? optimizerSteps(metrics) : info.step,
      ...minutesCost(metrics, minutes.at(-1)?.minutes ?? Number.NaN, place),
    },
    validation: validation.filter(([, time]) => Number.isFinite(time)),
    training: trained.filter((_, i) => i % every === every - 1),
    ...(noise ? { noise } : {}),
    made_on: madeOn(info),
  };
}

/** Of the first steps, before learning has changed much: what could have been known then. */
function noiseOf(metrics: readonly MetricsLine[], minibatches: number): RunNoise | undefined {
  const early = metrics.filter(({ data }) => data['train/gradient_agreement'] !== undefined).slice(0, noiseSteps);
  const size = early[0]?.data['train/episodes'];
  if (size === undefined || early.length < 2) return undefined;
  const cosines = early.map(({ data }) => data['train/gradient_agreement'] ?? Number.NaN);
  const { episodes, low, high } = noiseScale(cosines, size / minibatches / 2);
  const known = (value: number): number | null => (Number.isFinite(value) ? Math.round(value) : null);
  return { episodes: known(episodes), low: known(low), high: known(high), steps: early.length };
}

/**
 * Processor time is what a run cost, whatever else the machine did. Runs of earlier versions do not say it: for them the clock times their
 * threads. So it is on a card, whose time is what is short there; the processor's is told beside it.
 */
function minutesCost(
  metrics: readonly MetricsLine[],
  minutes: number,
  { threads, device }: Place,
): Pick<Cost, 'core_minutes' | 'minutes' | 'processor_minutes'> {
  const processor = metrics.at(-1)?.data['perf/processor_minutes'];
  return {
    core_minutes: round(processor === undefined || device !== 'host' ? minutes * threads : processor),
    minutes: round(minutes),
    ...(processor === undefined ? {} : { processor_minutes: round(processor) }),
  };
}

/** Minutes of training up to each step, without evaluations and pauses: SFT writes the sum, RL each step's time. */
function minutesBySteps(metrics: readonly MetricsLine[]): { readonly step: number; readonly minutes: number }[] {
  let seconds = 0;
  return metrics.map(({ step, data }) => {
    seconds = data['perf/elapsed'] ?? seconds + (data['timing_s/step'] ?? Number.NaN);
    return { step, minutes: seconds / 60 };
  });
}

/** Those that RL made: a step without signal makes none, and `algorithm.target_kl` ends one early. */
function optimizerSteps(metrics: readonly MetricsLine[]): number {
  return sum(metrics.flatMap(({ data }) => data['actor/optimizer_steps'] ?? []));
}

/** Into how many parts RL cuts the batch of a step. */
async function minibatchesOf(folder: string): Promise<number> {
  const recipe = parse((await readInside(folder, layout.config, 1 << 24)) ?? '') as {
    readonly update?: { readonly minibatches?: number };
  } | null;
  return recipe?.update?.minibatches ?? 1;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** By its seed, and the settings that were tried or chosen. */
export function nameOfRun(seed: number, cell: Cell): string {
  return [`seed_${seed}`, ...(Object.keys(cell).length > 0 ? [cellName(cell)] : [])].join('_');
}

/** Folders of a study's run below its output. */
export function runFolder(
  output: string,
  environment: string,
  arm: string,
  name: string,
): { readonly parent: string; readonly path: string } {
  const parent = join(output, environment, arm);
  return { parent, path: join(parent, name) };
}

/**
 * How many requests make a lane full enough that another one is opened: measured once per process and shape of model, by the first lane on its
 * own thread (tens of milliseconds). Only speed depends on it. AGOGE_CALIBRATION=off: nothing is measured. AGOGE_CALIBRATION=keep: kept in
 * the user's cache folder for later processes; without it nothing is written.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { at } from '../../../core/at.ts';
import type { ModelConfig } from '../network/config.ts';
import type { Session } from '../runtime/session.ts';
import type { Lane } from './lane.ts';

/** Rows of the steps that are timed; steps are filled up to a multiple of the first. */
const measuredRows = [4, 8, 16, 32] as const;
/** Without a measurement. */
const usual = 4;
/** Tokens that a sequence has before it: a short conversation. */
const past = 128;
/** A lane is full where twice the rows take so many times as long: below that they are nearly free, and a lane more would only pack weights once more. */
const worthALane = 1.25;

/** Milliseconds of a step, by its rows. */
export type StepTimes = Readonly<Record<string, number>>;

export interface Calibration {
  readonly steps: StepTimes;
  /** Requests in hand per lane before another one is opened. */
  readonly requests: number;
}

/** Times steps of a lane in which nobody sits; undefined where somebody does. */
export function timeSteps<Owner>(lane: Lane<Owner>, session: Session): StepTimes | undefined {
  if (lane.slots.some(({ owner, ready }) => owner !== undefined || ready > 0)) return undefined;
  for (const slot of lane.slots) slot.ready = Math.min(past, lane.shape.capacity - 1);
  const times: Record<string, number> = {};
  for (const rows of measuredRows) {
    if (rows > lane.slots.length) break;
    for (let round = 0; round < 5; round++) {
      const from = performance.now();
      lane.step(session, rows);
      times[rows] = Math.min(times[rows] ?? Infinity, performance.now() - from);
    }
  }
  for (const slot of lane.slots) slot.ready = 0;
  return times;
}

/** The fewest rows of which twice as many take notably longer. */
export function requestsPerLane(steps: StepTimes): number {
  const sizes = measuredRows.filter((rows) => steps[rows] !== undefined);
  // Fewer rows never take longer: what looks so was interrupted.
  const least = sizes.map((_, i) => Math.min(...sizes.slice(i).map((rows) => steps[rows] ?? Infinity)));
  const full = sizes.findIndex((_, i) => (least[i + 1] ?? Infinity) >= worthALane * at(least, i));
  return sizes[full] ?? usual;
}

export const calibrates = (): boolean => process.env['AGOGE_CALIBRATION'] !== 'off';
/** Is what was measured kept on disk? Only where it is asked for: a run writes into its own folder. */
export const keepsCalibration = (): boolean => process.env['AGOGE_CALIBRATION'] === 'keep';

const measuredHere = new Map<string, StepTimes>();

/** What was measured here for models of this shape. */
export function calibrationOf(config: ModelConfig): Calibration | undefined {
  const shape = shapeOf(config);
  const steps = calibrates() ? (measuredHere.get(shape) ?? (keepsCalibration() ? stored()[shape] : undefined)) : undefined;
  return steps && { steps, requests: requestsPerLane(steps) };
}

/** Keeps a measurement for this process, and on disk where that is asked for; says where it cannot. */
export function keepCalibration(config: ModelConfig, steps: StepTimes): void {
  measuredHere.set(shapeOf(config), steps);
  if (!keepsCalibration()) return;
  const file = calibrationFile();
  const whole = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(whole, `${JSON.stringify({ ...stored(), [shapeOf(config)]: steps }, undefined, 1)}\n`);
    renameSync(whole, file);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    // Only time is lost: the next process measures again.
    process.emitWarning(`AGOGE_CALIBRATION=keep: ${file} cannot be written (${why}); set XDG_CACHE_HOME to a folder that can`);
  }
}

/** Forgets what this process measured. */
export function forgetCalibration(): void {
  measuredHere.clear();
}

export function calibrationFile(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agoge', 'lanes.json');
}

/** All measurements, by processor and shape; a file that is none is written anew. */
function stored(): Readonly<Record<string, StepTimes | undefined>> {
  try {
    const parsed = JSON.parse(readFileSync(calibrationFile(), 'utf8')) as unknown;
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, steps]) => isStepTimes(steps)));
  } catch {
    return {};
  }
}

function isStepTimes(steps: unknown): boolean {
  return (
    typeof steps === 'object' && steps !== null && Object.values(steps).every((time) => typeof time === 'number' && time > 0)
  );
}

function shapeOf({ layers, hidden, intermediate, heads, keyValueHeads, headSize, vocabulary }: ModelConfig): string {
  const processor = cpus()[0]?.model ?? process.arch;
  return `${processor}: ${layers} layers of ${hidden}, ${heads}/${keyValueHeads} heads of ${headSize}, ${intermediate}, vocabulary ${vocabulary}`;
}

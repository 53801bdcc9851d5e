/**
 * A step on its way: who takes part, what the device is told for each row, and what came back. A row of the step before may go on before
 * anybody has seen what it drew; whoever turns out to be done then took one step too many, which is thrown away.
 */
import type { TokenLogprob } from '../../../engine.ts';
import type { ActiveSample } from '../active.ts';
import { isPrompted, type Seat } from '../seating.ts';
import type { DrawKind } from './draw-graph.ts';
import { mostAlternatives } from './graphs.ts';
import { lastDrawn, type ControlColumns, type StepResult } from './step-calls.ts';

/** Who takes part in a step. */
export interface Crew {
  readonly slots: readonly Seat[];
  readonly owners: readonly ActiveSample[];
  readonly kind: DrawKind;
  readonly alternatives: boolean;
}

export interface Flight extends Crew {
  readonly rows: number;
  readonly result: () => Promise<StepResult>;
}

/** The largest float32 below one: a uniform number must not be rounded up to it. */
const belowOne = 1 - 2 ** -24;
/** More than any vocabulary: no top-k. */
const noTopK = 2 ** 25;

/** Who can take the next step while another may be on its way. */
export function crewOf(slots: readonly Seat[], before: Flight | undefined, vocabulary: number): Crew {
  const [stepping, owners]: [Seat[], ActiveSample[]] = [[], []];
  let kind: DrawKind = 'plain';
  let alternatives = false;
  const flying = isFlying(before);
  for (const slot of slots) {
    const { owner } = slot;
    if (!owner || !isPrompted(slot) || (flying(slot) && owner.left <= 1)) continue;
    stepping.push(slot);
    owners.push(owner);
    kind = wider(kind, drawKind(owner, vocabulary));
    alternatives ||= owner.topLogprobs > 0;
  }
  return { slots: stepping, owners, kind, alternatives };
}

/** Writes what the device is told for each of the first `all.length` rows. */
export function fillControls(
  columns: ControlColumns,
  all: readonly Seat[],
  { slots, owners, kind }: Crew,
  before: Flight | undefined,
  vocabulary: number,
): void {
  const flying = isFlying(before);
  // Rows without work write behind what is valid, and behind what is on its way.
  all.forEach((slot, row) => (columns.length[row] = slot.ready + (flying(slot) ? 1 : 0)));
  slots.forEach((slot, i) => {
    const row = slot.index;
    const owner = owners[i] as ActiveSample;
    const { temperature, topK, topP, minP } = owner.settings;
    const greedy = temperature === 0;
    columns.token[row] = flying(slot) ? lastDrawn : (slot.tokens[slot.ready] as number);
    columns.uniform[row] = greedy ? 0 : Math.min(owner.random.float(), belowOne);
    if (kind === 'plain') return;
    columns.inverseTemperature[row] = greedy ? 1 : 1 / temperature;
    columns.minP[row] = greedy ? 1 : minP;
    columns.topK[row] = topK > 0 ? topK : noTopK;
    columns.topP[row] = topP < 1 ? topP : 2;
    columns.truncated[row] = typeof drawKind(owner, vocabulary) === 'number' ? 1 : 0;
  });
}

/** What a row drew, with its log-probability as it was drawn and in the model's own distribution. */
export function drawnBy(owner: ActiveSample, row: number, rows: number, { drawn }: StepResult): [number, number, number] {
  const rawLogprob = drawn[2 * rows + row] as number;
  const { temperature, topK, topP, minP } = owner.settings;
  // A row that is not cut draws from the model's own distribution, whichever way the rows beside it draw.
  const plain = temperature === 1 && topK <= 0 && topP >= 1 && minP <= 0;
  const logprob = temperature === 0 ? 0 : plain ? rawLogprob : (drawn[rows + row] as number);
  return [drawn[row] as number, logprob, rawLogprob];
}

export function alternativesOf(top: Float32Array, rows: number, row: number, count: number): TokenLogprob[] {
  const width = top.length / 2 / rows;
  return Array.from({ length: Math.min(count, width, mostAlternatives) }, (_, i) => ({
    token: top[row * width + i] as number,
    logprob: top[(rows + row) * width + i] as number,
  }));
}

/** Whether a slot's owner takes part in a step. */
function isFlying(flight: Flight | undefined): (slot: Seat) => boolean {
  if (!flight) return () => false;
  const owners: (ActiveSample | undefined)[] = [];
  flight.slots.forEach((slot, i) => (owners[slot.index] = flight.owners[i]));
  return ({ index, owner }) => owner !== undefined && owners[index] === owner;
}

/** The least that draws for a request. */
function drawKind({ settings: { temperature, topK, topP, minP } }: ActiveSample, vocabulary: number): DrawKind {
  if (temperature === 0) return 'cut';
  const cutsByRank = topK > 0 && topK < vocabulary;
  // Without top-k, top-p may keep any number of tokens.
  if (cutsByRank) return [64, 1024].find((keep) => keep >= topK && keep < vocabulary) ?? vocabulary;
  if (topP < 1) return vocabulary;
  return temperature === 1 && minP <= 0 ? 'plain' : 'cut';
}

function wider(a: DrawKind, b: DrawKind): DrawKind {
  const rank = (kind: DrawKind): number => (kind === 'plain' ? -2 : kind === 'cut' ? -1 : kind);
  return rank(a) >= rank(b) ? a : b;
}

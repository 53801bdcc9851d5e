/**
 * How two scores were sampled. It is no part of the panel, since the question is the same; but what differs is then policy and sampling
 * together, so every comparison names it. Random play, experts and people are not sampled, and can be compared with everybody.
 */
import type { Sampling } from '../agent/limits.ts';

/** Whose score it is, and how its replies were sampled; undefined where a file does not say. */
export interface Sampled {
  readonly policy: string;
  readonly sampling?: Sampling | undefined;
}

const settings = [
  ['temperature', 'temperature'],
  ['top-p', 'topP'],
  ['top-k', 'topK'],
  ['min-p', 'minP'],
] as const;

/** What differs in how two were sampled, in words: `temperature: 1 and 0`; empty where they were sampled alike. */
export function samplingDifferences(a: Sampled, b: Sampled): string[] {
  return differing(a, b).map(([name, key]) => `${name}: ${valueOf(a, key)} and ${valueOf(b, key)}`);
}

/** A name with what tells it from the others by its sampling: `base (temperature 0)`. */
export function sampledName(one: Sampled, others: readonly Sampled[]): string {
  const told = settings.filter((setting) => others.some((other) => differing(one, other).includes(setting)));
  if (told.length === 0) return one.policy;
  return `${one.policy} (${told.map(([name, key]) => `${name} ${valueOf(one, key)}`).join(', ')})`;
}

function differing(a: Sampled, b: Sampled): (typeof settings)[number][] {
  if (!isSampled(a) || !isSampled(b)) return [];
  return settings.filter(([, key]) => a.sampling?.[key] !== b.sampling?.[key]);
}

function isSampled({ policy, sampling }: Sampled): boolean {
  return sampling !== undefined && !['expert', 'random', 'human'].includes(policy);
}

function valueOf({ sampling }: Sampled, key: keyof Sampling): string {
  return String(sampling?.[key] ?? 'none');
}

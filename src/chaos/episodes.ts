/**
 * The faults of episodes. Which one strikes is a function of seed, start, episode and try, never of timing. An episode is always left a
 * try without a fault, so that a run which keeps its promises plays all of them; only `episode-lost` takes every try of one start.
 */
import type { EpisodeJob } from '../agent/pool.ts';
import { defaultLimits } from '../agent/limits.ts';
import { Random } from '../core/random/random.ts';
import { formatTask } from '../core/task.ts';
import { faultKinds, type FaultName } from './kinds.ts';
import type { Orders } from './orders.ts';
import { faultyPolicy } from './reply.ts';
import { faultyEnvironment, type SessionFault, type SessionWatch } from './session.ts';

/** Milliseconds that a try with a fault waits for an answer, instead of minutes: the same deadlines, reached sooner. */
const shortened = 150;

/** How often a try is struck. */
const share = 0.7;

export type EpisodeWatch = Omit<SessionWatch, 'struck'> & { struck(kind: FaultName, where: string): void };

/** For the pool's seam: the job as this try of it is to be played. */
export function episodeFaults(orders: Orders, watch: EpisodeWatch) {
  const names = kindsAt(orders, ['session', 'reply']);
  return (job: EpisodeJob, attempt: number, retries: number): EpisodeJob => {
    const where = `${formatTask(job.task)} sample ${job.sample ?? 0} try ${attempt + 1}`;
    const own: SessionWatch = { ...watch, struck: (kind) => watch.struck(kind, where) };
    const fault = drawn(orders, names, job, attempt, retries);
    if (!fault) return { ...job, environment: faultyEnvironment(job.environment, () => undefined, own) };
    const isReply = faultKinds.some(({ name, place }) => name === fault.kind && place === 'reply');
    const limits = {
      ...job.limits,
      stepDeadline: Math.min(job.limits.stepDeadline ?? defaultLimits.stepDeadline, shortened),
      ...(isReply ? { replyDeadline: shortened } : {}),
    };
    return {
      ...job,
      environment: faultyEnvironment(job.environment, () => (isReply ? undefined : fault), own),
      ...(isReply ? { policy: faultyPolicy(job.policy, fault, own.struck) } : {}),
      ...(neverFails.has(fault.kind) ? {} : { limits }),
    };
  };
}

/** Faults that a try survives: its deadlines stay what they were, so that a slow machine does not fail it. */
const neverFails: ReadonlySet<FaultName> = new Set<FaultName>(['step-late', 'reply-late', 'close-fails']);

export function kindsAt({ kinds }: Pick<Orders, 'kinds'>, places: readonly string[]): FaultName[] {
  return faultKinds.filter(({ name, place }) => kinds.includes(name) && places.includes(place)).map(({ name }) => name);
}

function drawn(
  { seed, start, promise, kinds }: Orders,
  names: readonly FaultName[],
  job: EpisodeJob,
  attempt: number,
  retries: number,
): SessionFault | undefined {
  const path = [formatTask(job.task), job.sample ?? 0, job.seed, start];
  if (names.includes('episode-lost') && promise === 'complete' && start < 2) {
    if (Random.of(seed, 'lost', ...path).float() < 0.2) return { kind: 'episode-lost', turn: 0, ...waits };
  }
  // Broken connections are nobody's in particular: a try is kept for them.
  const room = kinds.some((kind) => kind.startsWith('wire-')) ? retries - 1 : retries;
  const choice = names.filter((name) => name !== 'episode-lost');
  const random = Random.of(seed, 'episode', ...path, attempt);
  if (attempt >= room || choice.length === 0 || random.float() >= share) return undefined;
  return { kind: random.pick(choice), turn: random.below(Math.min(3, job.limits.turns)), ...waits };
}

const waits = { overdue: 2 * shortened, late: 30 };

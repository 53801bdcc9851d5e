/**
 * An episode as one JSON object: the line format of episodes/*.jsonl.gz in run directories and of an evaluation's
 * episodes.jsonl.gz. The trainer and `agoge eval` write it; the dashboard, `agoge data` and resumed evaluations read it.
 * Tokens are exact. Log-probabilities keep six decimals; a record is for reading back and imitation, not for exact replay
 * of a gradient. Failed episodes are recorded too, with their error and no reward.
 */
import { z } from 'zod';
import { AgogeError, type ErrorCode } from '../core/error.ts';
import type { Outcome } from '../core/outcome.ts';
import { formatTask, parseTask } from '../core/task.ts';
import type { Segment, Trajectory } from '../core/trajectory.ts';

const tokens = z.array(z.number().int().nonnegative());

const segmentSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), text: z.string(), tokens }),
  z.object({ role: z.literal('user'), text: z.string(), tokens }),
  z.object({
    role: z.literal('assistant'),
    text: z.string(),
    tokens,
    logprobs: z.array(z.number()),
    policy_version: z.number().int(),
  }),
]);

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('finished'), reward: z.number(), success: z.boolean() }),
  z.object({ kind: z.literal('truncated'), reward: z.number(), limit: z.enum(['turns', 'tokens', 'context', 'loops', 'stall']) }),
  z.object({
    kind: z.literal('failed'),
    by: z.enum(['environment', 'policy', 'deadline', 'cancelled', 'reward']),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
]);

const turnSchema = z.object({
  reply: z.string(),
  action: z.string().nullable(),
  problem: z.string().optional(),
  /** The reply was cut off at the limit of tokens; records of before 17 November 2026 do not say. */
  cut: z.literal(true).optional(),
  observation: z.string(),
  reward: z.number(),
  done: z.boolean(),
  state: z.unknown().optional(),
  breakdown: z.record(z.string(), z.number()).optional(),
});

export const episodeRecordSchema = z.object({
  /** Of this format; raised when a field changes its meaning. */
  v: z.literal(1),
  /** `textcraft/test#17` */
  task: z.string(),
  /** AgentGym's id, `textcraft_17`, where the environment has one. */
  item_id: z.string().optional(),
  category: z.string(),
  sample: z.number().int(),
  seed: z.number().int(),
  policy: z.string(),
  format: z.string(),
  /** Training step that the episode was sampled for, where there is one. */
  step: z.number().int().optional(),
  /** What the episode was worth against its group, where it was trained on. */
  advantage: z.number().optional(),
  observation: z.string(),
  /** What a viewer can draw of the first state; records of before 15 November 2026 have none. */
  state: z.unknown().optional(),
  turns: z.array(turnSchema),
  segments: z.array(segmentSchema),
  outcome: outcomeSchema,
  time: z.object({ total: z.number(), policy: z.number(), environment: z.number() }),
  retries: z.number().int(),
});

/** An episode as one JSON object. */
export type EpisodeRecord = z.infer<typeof episodeRecordSchema>;

export interface RecordExtras {
  readonly itemId?: string | undefined;
  readonly step?: number | undefined;
  readonly advantage?: number | undefined;
}

/** A trajectory as the JSON object that runs and evaluations keep. */
export function episodeRecord(trajectory: Trajectory, extras: RecordExtras = {}): EpisodeRecord {
  return {
    v: 1,
    task: formatTask(trajectory.task),
    ...(extras.itemId === undefined ? {} : { item_id: extras.itemId }),
    category: trajectory.category,
    sample: trajectory.sample,
    seed: trajectory.seed,
    policy: trajectory.policy,
    format: trajectory.format,
    ...(extras.step === undefined ? {} : { step: extras.step }),
    ...(extras.advantage === undefined ? {} : { advantage: round(extras.advantage, 6) }),
    observation: trajectory.observation,
    ...(trajectory.state === undefined ? {} : { state: trajectory.state }),
    turns: trajectory.turns.map(({ progress: _, ...turn }) => turn),
    segments: trajectory.segments.map(segmentRecord),
    outcome: outcomeRecord(trajectory.outcome),
    time: {
      total: round(trajectory.time.total, 3),
      policy: round(trajectory.time.policy, 3),
      environment: round(trajectory.time.environment, 3),
    },
    retries: trajectory.retries,
  };
}

/** Reads a record back; throws RUN_BAD_EPISODE with the place of the mistake. */
export function parseEpisodeRecord(json: unknown): { readonly record: EpisodeRecord; readonly trajectory: Trajectory } {
  const parsed = episodeRecordSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue?.path.join('.') ?? '';
    throw new AgogeError(
      'RUN_BAD_EPISODE',
      `not an episode record (${place}: ${issue?.message ?? 'unreadable'}); it may come from another version: write it again`,
    );
  }
  const record = parsed.data;
  return { record, trajectory: trajectoryOf(record) };
}

function trajectoryOf(record: EpisodeRecord): Trajectory {
  return {
    task: parseTask(record.task),
    category: record.category,
    sample: record.sample,
    seed: record.seed,
    policy: record.policy,
    format: record.format,
    segments: record.segments.map((segment): Segment => {
      if (segment.role !== 'assistant') return segment;
      const { role, text, tokens } = segment;
      return { role, text, tokens, logprobs: Float32Array.from(segment.logprobs), policyVersion: segment.policy_version };
    }),
    observation: record.observation,
    ...(record.state === undefined ? {} : { state: record.state }),
    turns: record.turns.map(({ problem, cut, state, breakdown, ...turn }) => ({
      ...turn,
      ...(cut === undefined ? {} : { cut }),
      ...(breakdown === undefined ? {} : { breakdown }),
      ...(problem === undefined ? {} : { problem }),
      ...(state === undefined ? {} : { state }),
    })),
    outcome: outcomeOf(record.outcome),
    time: record.time,
    retries: record.retries,
  };
}

function segmentRecord(segment: Segment): EpisodeRecord['segments'][number] {
  const tokens = [...segment.tokens];
  if (segment.role !== 'assistant') return { role: segment.role, text: segment.text, tokens };
  return {
    role: 'assistant',
    text: segment.text,
    tokens,
    logprobs: Array.from(segment.logprobs, (value) => round(value, 6)),
    policy_version: segment.policyVersion,
  };
}

function outcomeRecord(outcome: Outcome): EpisodeRecord['outcome'] {
  return outcome.kind === 'failed' ? { kind: 'failed', by: outcome.by, error: outcome.error.toJSON() } : { ...outcome };
}

function outcomeOf(outcome: EpisodeRecord['outcome']): Outcome {
  if (outcome.kind !== 'failed') return outcome;
  const { code, message } = outcome.error;
  return { kind: 'failed', by: outcome.by, error: new AgogeError(code as ErrorCode, message) };
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

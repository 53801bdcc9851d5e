/**
 * How far a judge can be trusted: its scores beside a gold set of people's. Pairs (prompt, chosen, rejected) give the share that it ranks the
 * same way; rows with a score from 0 to 1 give the share on the same side of the middle, the mean distance and the correlation.
 * What the judge gives no score for is counted, never guessed.
 */
import { AgogeError } from '../core/error.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { pairOf } from '../data/pairs.ts';
import { recordsOf } from '../envs/data/files.ts';
import { wilson } from '../learn/statistics.ts';
import type { Message } from '../policy/conversation.ts';
import { eachOf } from '../core/each-of.ts';

/** From 0 to 1, for a conversation and, where it is known, what is right. */
export type JudgeOne = (messages: readonly Message[], truth: unknown) => Promise<number>;

export interface Agreement {
  readonly kind: 'pairs' | 'scores';
  readonly rows: number;
  /** Rows without a judgement, by reason. */
  readonly failed: number;
  readonly reasons: readonly string[];
  /** Share of rows judged as the gold set says (a tie of a pair is half), with Wilson's interval. */
  readonly agreement: number;
  readonly low: number;
  readonly high: number;
  /** Pairs that the judge gave the same score. */
  readonly ties?: number;
  /** Of scores. */
  readonly distance?: number;
  readonly correlation?: number;
}

type Fields = Readonly<Record<string, unknown>>;

export async function judgeAgreement(file: string, judge: JudgeOne, { limit = Infinity, atOnce = 16 } = {}): Promise<Agreement> {
  const records = (await recordsOf(file)).slice(0, limit);
  if (records.length === 0) throw new AgogeError('DATA_EMPTY', `${file} holds no rows: give a gold set with some`);
  const pairs = 'chosen' in (records[0] ?? {});
  const reasons: string[] = [];
  const tried = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (thrown) {
      reasons.push(thrown instanceof Error ? thrown.message : String(thrown));
      return undefined;
    }
  };
  if (pairs) {
    const read = records.map((record, i) => ({ pair: pairOf(record, `${file}: row ${i + 1}`), truth: record['ground_truth'] }));
    const judged = await eachOf(read, atOnce, ({ pair, truth }) =>
      tried(async () => (await judge(pair.chosen, truth)) - (await judge(pair.rejected, truth))),
    );
    const differences = judged.filter((one) => one !== undefined);
    const right = differences.reduce((sum, one) => sum + (one > 0 ? 1 : one === 0 ? 0.5 : 0), 0);
    return {
      ...summary('pairs', records.length, reasons, right, differences.length),
      ties: differences.filter((one) => one === 0).length,
    };
  }
  const read = records.map((record, i) => scoredRow(record, `${file}: row ${i + 1}`));
  const judged = await eachOf(read, atOnce, ({ messages, truth, gold }) =>
    tried(async () => ({ gold, said: await judge(messages, truth) })),
  );
  const both = judged.filter((one) => one !== undefined);
  const right = both.filter(({ gold, said }) => gold >= 0.5 === said >= 0.5).length;
  const distance = both.reduce((sum, { gold, said }) => sum + Math.abs(gold - said), 0) / Math.max(1, both.length);
  const related = correlation(both);
  return {
    ...summary('scores', records.length, reasons, right, both.length),
    distance,
    ...(related === undefined ? {} : { correlation: related }),
  };
}

/** What a judge of episodes reads: the first message is the task, the last one what was done. */
export function judgedTrajectory(messages: readonly Message[]): Trajectory {
  const reply = messages.at(-1)?.text ?? '';
  const asked = messages.slice(0, -1).map(({ text }) => text);
  return {
    task: { env: 'gold', split: 'test', index: 0 },
    ...{ category: '', sample: 0, seed: 0, policy: 'gold', format: 'direct', segments: [], retries: 0 },
    observation: asked.join('\n\n'),
    turns: [{ reply, action: reply, observation: '', reward: 0, done: true }],
    outcome: { kind: 'finished', reward: 0, success: false },
    time: { total: 0, policy: 0, environment: 0 },
  };
}

function summary(kind: Agreement['kind'], rows: number, reasons: readonly string[], right: number, judged: number): Agreement {
  const { low, high } = wilson(right, judged);
  const agreement = judged === 0 ? NaN : right / judged;
  return { kind, rows, failed: rows - judged, reasons: [...new Set(reasons)].slice(0, 5), agreement, low, high };
}

function scoredRow(record: Fields, where: string): { messages: readonly Message[]; truth: unknown; gold: number } {
  const score = record['score'] ?? record['gold'] ?? record['label'];
  const gold = typeof score === 'boolean' ? Number(score) : Number(score ?? NaN);
  if (!(gold >= 0 && gold <= 1))
    throw new AgogeError(
      'DATA_BAD_ROW',
      `${where} has no score from 0 to 1: each row is { prompt, answer, score } or { prompt, chosen, rejected }`,
    );
  const answer = record['answer'] ?? record['response'] ?? record['completion'];
  const { chosen } = pairOf({ prompt: record['prompt'] ?? record['question'], chosen: answer, rejected: answer }, where);
  return { messages: chosen, truth: record['ground_truth'], gold };
}

function correlation(both: readonly { readonly gold: number; readonly said: number }[]): number | undefined {
  const mean = (of: 'gold' | 'said'): number => both.reduce((sum, one) => sum + one[of], 0) / both.length;
  const [gold, said] = [mean('gold'), mean('said')];
  let [together, a, b] = [0, 0, 0];
  for (const one of both) {
    together += (one.gold - gold) * (one.said - said);
    a += (one.gold - gold) ** 2;
    b += (one.said - said) ** 2;
  }
  return a > 0 && b > 0 ? together / Math.sqrt(a * b) : undefined;
}

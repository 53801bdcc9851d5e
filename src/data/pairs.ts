/**
 * Preference pairs out of files, in the forms that TRL and AgentGym's DPO write: `prompt`, `chosen`, `rejected` as texts or as lists of
 * messages, and pairs of whole conversations without a prompt of their own. JSON, JSONL, CSV and parquet; a bad row is named.
 */
import { AgogeError } from '../core/error.ts';
import { recordsOf } from '../envs/data/files.ts';
import type { Message } from '../policy/conversation.ts';

export interface PreferencePair {
  /** Whole conversations, the preferred one first. They differ in their last replies. */
  readonly chosen: readonly Message[];
  readonly rejected: readonly Message[];
  /** How much better, where raters said so. */
  readonly margin?: number | undefined;
  /** What results are broken down by, where the row says it. */
  readonly category?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

export async function readPairs(paths: readonly string[]): Promise<PreferencePair[]> {
  const pairs: PreferencePair[] = [];
  for (const path of paths) {
    const records = await recordsOf(path);
    records.forEach((record, i) => pairs.push(pairOf(record, `${path}: row ${i + 1}`)));
  }
  if (pairs.length === 0)
    throw new AgogeError('DATA_EMPTY', `${paths.join(', ') || 'pairs.train'} holds no pairs: name a file that has some`);
  return pairs;
}

export function pairOf(record: Fields, where: string): PreferencePair {
  const prompt = sideOf(record['prompt'] ?? record['question'], 'user');
  const [chosen, rejected] = (['chosen', 'rejected'] as const).map((side) => {
    const said = sideOf(record[side], 'assistant');
    if (!said) throw bad(where, `has no "${side}"`, 'each row is { prompt, chosen, rejected }');
    const whole = prompt && !holds(said, prompt) ? [...prompt, ...said] : said;
    if (whole[0]?.role === 'assistant')
      throw bad(where, `does not say what "${side}" answers`, 'give prompt, or whole conversations as messages');
    if (whole.at(-1)?.role !== 'assistant')
      throw bad(where, `ends "${side}" without a reply`, 'its last message is the assistant’s');
    return whole;
  });
  if (!chosen || !rejected) throw bad(where, 'has not two sides', 'each row is { prompt, chosen, rejected }');
  const margin = record['margin'];
  const category = record['category'];
  return {
    chosen,
    rejected,
    ...(typeof margin === 'number' && Number.isFinite(margin) ? { margin } : {}),
    ...(typeof category === 'string' ? { category } : {}),
  };
}

/** UltraFeedback and its kind: `chosen` and `rejected` are whole conversations, and `prompt` repeats what they ask. */
function holds(said: readonly Message[], prompt: readonly Message[]): boolean {
  const asked = prompt.at(-1);
  return said.slice(0, -1).some(({ role, text }) => role === asked?.role && text === asked.text);
}

const roles = { system: 'system', user: 'user', assistant: 'assistant', tool: 'user', human: 'user', gpt: 'assistant' } as const;

/** A text by whoever would say it, or messages as OpenAI and AgentGym (`from`, `value`) write them. */
function sideOf(given: unknown, role: 'user' | 'assistant'): Message[] | undefined {
  if (typeof given === 'string') return given === '' ? undefined : [{ role, text: given }];
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const messages = given.map((message: unknown): Message | undefined => {
    const { role: who, from, content, value } = (message ?? {}) as Fields;
    const named = who ?? from;
    const text = content ?? value;
    if (typeof named !== 'string' || typeof text !== 'string' || !Object.hasOwn(roles, named)) return undefined;
    return { role: roles[named as keyof typeof roles], text };
  });
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function bad(where: string, what: string, remedy: string): AgogeError {
  return new AgogeError('DATA_BAD_ROW', `${where} ${what}: ${remedy}`);
}

/**
 * Answers to questions as Search-R1 and verl score them: what stands in the last `<answer>…</answer>`, without case, punctuation and
 * articles, equals one of the answers (`em`), contains one (`subem`), or shares words with one (`f1`, SQuAD's measure).
 */
import { AgogeError } from '../core/error.ts';
import type { Scored } from './score.ts';
import { pythonStrip, pythonWords } from '../core/python/strings.ts';

export interface QaOptions {
  readonly match?: 'em' | 'subem' | 'f1';
  /** What an answer in the right form is worth when it is wrong. */
  readonly format?: number;
}

/** More answers than this in one solution is fishing: the score is a quarter. */
const fishing = 10;

export function qa(solution: string, groundTruth: unknown, { match = 'em', format = 0 }: QaOptions = {}): Scored {
  const truths = answersOf(groundTruth);
  const said = [...solution.matchAll(/<answer>([\s\S]*?)<\/answer>/g)].at(-1)?.[1];
  if (said === undefined) return { score: 0, correct: false, answer: null };
  const answer = pythonStrip(said);
  const ours = normalise(answer);
  const correct = truths.some((truth) => (match === 'subem' ? ours.includes(normalise(truth)) : ours === normalise(truth)));
  if (match === 'f1') return { score: Math.max(...truths.map((truth) => f1(ours, normalise(truth)))), correct, answer };
  const many = match === 'em' && Math.max(count(solution, '<answer>'), count(solution, '</answer>')) > fishing;
  return { score: correct ? (many ? 1 / 4 : 1) : format, correct, answer };
}

/** SQuAD's normal form: lower case, no ASCII punctuation, no articles, single blanks. */
export function normalise(text: string): string {
  const bare = text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, '');
  return pythonWords(bare.replace(/(?<![\p{L}\p{N}_])(a|an|the)(?![\p{L}\p{N}_])/gu, ' ')).join(' ');
}

function f1(ours: string, truth: string): number {
  const [a, b] = [pythonWords(ours), pythonWords(truth)];
  const left = new Map<string, number>();
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of a) {
    const more = left.get(word) ?? 0;
    if (more > 0) common++;
    left.set(word, more - 1);
  }
  return common === 0 ? 0 : (2 * common) / (a.length + b.length);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** verl's rows have `{ target: [...] }`; a text or a list will do. */
function answersOf(groundTruth: unknown): readonly string[] {
  const target =
    typeof groundTruth === 'object' && groundTruth !== null && 'target' in groundTruth ? groundTruth.target : groundTruth;
  const list: unknown[] = Array.isArray(target) ? target : [target];
  if (list.length > 0 && list.every((one) => typeof one === 'string')) return list;
  throw new AgogeError(
    'REWARD_GROUND_TRUTH',
    'questions are scored against a text, a list of texts or { target: … }: correct reward_model.ground_truth',
  );
}

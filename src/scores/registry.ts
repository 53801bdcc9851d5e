/** The scores that ship, by name, and verl's routing: which of them a row's `data_source` asks for. */
import { AgogeError } from '../core/error.ts';
import type { Score } from './score.ts';
import { countdown } from './countdown.ts';
import { geo3k } from './geo3k.ts';
import { gsm8k } from './gsm8k.ts';
import { mathDapo } from './math-dapo.ts';
import { math } from './math.ts';
import { primeMath } from './prime-math.ts';
import { qa } from './qa.ts';

/** verl's scores by name. */
export const scores = {
  gsm8k,
  gsm8k_flexible: (solution, truth) => gsm8k(solution, truth, { method: 'flexible' }),
  math,
  math_dapo: mathDapo,
  math_dapo_box: (solution, truth) => mathDapo(solution, truth, { strictBox: true }),
  prime_math: primeMath,
  geo3k,
  qa_em: qa,
  qa_subem: (solution, truth) => qa(solution, truth, { match: 'subem' }),
  qa_f1: (solution, truth) => qa(solution, truth, { match: 'f1' }),
  countdown,
} as const satisfies Record<string, Score>;

export type ScoreName = keyof typeof scores;

export const scoreNames = Object.keys(scores) as readonly ScoreName[];

/** `prime_code` runs programs and so stands outside of this folder (score-answer.ts). */
export type RouteName = ScoreName | 'prime_code';

export const routeNames: readonly RouteName[] = [...scoreNames, 'prime_code'];

const routes: Readonly<Record<string, RouteName>> = {
  'openai/gsm8k': 'gsm8k',
  'lighteval/MATH': 'math',
  'DigitalLearningGmbH/MATH-lighteval': 'math',
  'HuggingFaceH4/MATH-500': 'math',
  math_dapo: 'math_dapo',
  math: 'math_dapo',
  math_dapo_reasoning: 'math_dapo',
  numina_aops_forum: 'prime_math',
  numina_synthetic_math: 'prime_math',
  numina_amc_aime: 'prime_math',
  numina_synthetic_amc: 'prime_math',
  numina_cn_k12: 'prime_math',
  numina_olympiads: 'prime_math',
  codecontests: 'prime_code',
  apps: 'prime_code',
  codeforces: 'prime_code',
  taco: 'prime_code',
  'hiyouga/geometry3k': 'geo3k',
  searchR1_nq: 'qa_em',
  searchR1_triviaqa: 'qa_em',
  searchR1_popqa: 'qa_em',
  searchR1_hotpotqa: 'qa_em',
  searchR1_2wikimultihopqa: 'qa_em',
  searchR1_musique: 'qa_em',
  searchR1_bamboogle: 'qa_em',
  // Ours: what verl has no score of its own for.
  countdown: 'countdown',
};

/** verl's `default_compute_score`: the score of a data source; throws REWARD_NO_SCORE. */
export function routedScore(dataSource: string): RouteName {
  const found = Object.hasOwn(routes, dataSource) ? routes[dataSource] : undefined;
  if (found !== undefined) return found;
  if (dataSource.startsWith('aime')) return 'math_dapo';
  throw new AgogeError(
    'REWARD_NO_SCORE',
    `verl has no score for the data source "${dataSource}": name one in reward (${routeNames.join(', ')}) or write your own, reward: ./my-reward.ts`,
  );
}

/**
 * Generated preferences over answers to the arithmetic word problems: the preferred answer is the whole working, the other one has one flaw
 * that can be seen in the text. Index and seed decide a pair, so that splits never end and never meet.
 */
import { Random } from '../../../core/random/random.ts';
import { arithmeticRow } from './arithmetic.ts';

const flaws = ['no answer', 'no working', 'twice', 'backwards', 'in words', 'a guess', 'another answer'] as const;
export type Flaw = (typeof flaws)[number];

export interface GeneratedPair {
  readonly prompt: string;
  readonly chosen: string;
  readonly rejected: string;
  readonly flaw: Flaw;
}

export function generatedPair(seed: number, split: string, index: number, level: number): GeneratedPair {
  const row = arithmeticRow(seed, `preferences/${split}`, index, level);
  const random = Random.of(seed, 'preferences', split, index);
  const chosen = row.solution ?? '';
  const flaw = random.pick(flaws);
  return { prompt: row.prompt.map(({ text }) => text).join('\n\n'), chosen, rejected: flawed(chosen, flaw, random), flaw };
}

function flawed(solution: string, flaw: Flaw, random: Random): string {
  const lines = solution.split('\n');
  const answer = lines.at(-1) ?? '';
  const working = lines.slice(0, -1);
  switch (flaw) {
    case 'no answer':
      return working.join('\n');
    case 'another answer': // than the working arrives at
      return [...working, answer.replace(/\d+/, (number) => other(number, random))].join('\n');
    case 'no working':
      return answer;
    case 'backwards':
      return [answer, ...working.toReversed()].join('\n');
    case 'in words': // without the mark that was asked for
      return [...working, `The answer is ${answer.replace(/\D+/, '')}.`].join('\n');
    case 'a guess':
      return `I guess ${answer.replace(/\D+/, '')}, but I am not sure.`;
    case 'twice':
      return [...working, ...working, answer].join('\n');
  }
}

function other(number: string, random: Random): string {
  const distance = 1 + random.below(9);
  return String(Number(number) > distance && random.float() < 0.5 ? Number(number) - distance : Number(number) + distance);
}

/** Countdown of TinyZero: make a target from three or four numbers, each used once. Every problem has a solution. */
import { Random } from '../../../core/random/random.ts';
import type { DataRow } from '../row.ts';

export interface CountdownProblem {
  readonly target: number;
  readonly numbers: readonly number[];
}

export function countdownRow(seed: number, split: string, index: number): DataRow {
  const random = Random.of(seed, 'countdown', split, index);
  const count = 3 + random.below(2);
  const numbers = Array.from({ length: count }, () => 1 + random.below(30));
  const { target, formula } = makeTarget(random, numbers);
  const question =
    `Using the numbers [${numbers.join(', ')}], create an equation that equals ${target}. You can use basic arithmetic ` +
    'operations (+, -, *, /) and each number once. Show your work, then write the equation in <answer> </answer> tags, ' +
    'for example <answer> (1 + 2) / 3 </answer>.';
  return {
    dataSource: 'countdown',
    prompt: [{ role: 'user', text: question }],
    groundTruth: { target, numbers },
    extraInfo: { split, index },
    solution: `${formula} = ${target}\n<answer> ${formula} </answer>`,
    category: `${count} numbers`,
  };
}

interface Term {
  readonly value: number;
  readonly formula: string;
}

/** Joins numbers at random until one is left; results are whole and not negative, so that a person can follow. */
function makeTarget(random: Random, numbers: readonly number[]): { target: number; formula: string } {
  let terms: Term[] = numbers.map((value) => ({ value, formula: String(value) }));
  while (terms.length > 1) {
    const [a, b, ...rest] = random.shuffle(terms) as [Term, Term, ...Term[]];
    const [sum, ...others] = joined(a, b);
    const ways = others.filter(({ value }) => Number.isInteger(value) && value >= 0 && value <= 1000);
    terms = [random.pick([sum as Term, ...ways]), ...rest];
  }
  const [only] = terms as [Term];
  return { target: only.value, formula: only.formula.replace(/^\((.*)\)$/, '$1') };
}

function joined(a: Term, b: Term): Term[] {
  const write = (operator: string, value: number): Term => ({ value, formula: `(${a.formula} ${operator} ${b.formula})` });
  const ways = [write('+', a.value + b.value), write('-', a.value - b.value), write('*', a.value * b.value)];
  return b.value === 0 ? ways : [...ways, write('/', a.value / b.value)];
}

/** A formula that solves a problem, found by trying; undefined where there is none. */
export function solveCountdown({ target, numbers }: CountdownProblem): string | undefined {
  const search = (terms: readonly Term[]): string | undefined => {
    const [only, second] = terms;
    if (only && !second) return Math.abs(only.value - target) < 1e-9 ? only.formula : undefined;
    for (const [i, a] of terms.entries()) {
      for (const [j, b] of terms.entries()) {
        if (i === j) continue;
        const rest = terms.filter((_, k) => k !== i && k !== j);
        for (const one of joined(a, b)) {
          const found = search([...rest, one]);
          if (found !== undefined) return found;
        }
      }
    }
    return undefined;
  };
  return search(numbers.map((value) => ({ value, formula: String(value) })));
}

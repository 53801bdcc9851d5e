/** Answers as models write them, right and wrong, for every score that verl has: made by a seed, so that a difference can be found again. */
import { Random } from '../../../src/core/random/random.ts';
import type { ScoreName } from '../../../src/scores/registry.ts';

export interface RewardCase {
  readonly score: ScoreName;
  readonly solution: string;
  readonly truth: unknown;
}

type Make = (random: Random) => RewardCase;

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;
const whole = (random: Random, most = 2000): number => random.below(most) - Math.floor(most / 4);
const grouped = (n: number): string => n.toLocaleString('en-US');

/** The same value or another, in many writings. Both sides are drawn from these. */
function writings(random: Random): readonly string[] {
  const [a, b, c] = [1 + random.below(9), 2 + random.below(8), 1 + random.below(30)];
  const kind = random.below(9);
  if (kind === 0)
    return [`\\frac{${a}}{${b}}`, `${a}/${b}`, `\\frac${a}${b}`, `\\dfrac{${a}}{${b}}`, `\\tfrac${a}{${b}}`, String(a / b)];
  if (kind === 1)
    return [`${a}\\sqrt{${b}}`, `${a} \\sqrt ${b}`, `\\sqrt{${a * a * b}}`, `${a}\\cdot\\sqrt{${b}}`, `${a}\\sqrt${b}`];
  if (kind === 2) return [`${a}\\pi`, `${a} \\pi`, String(a * Math.PI), String(a * 3.14), `\\pi \\cdot ${a}`, `${a}pi`];
  if (kind === 3)
    return [`(${a}, ${b})`, `(${a},${b})`, `\\left(${a}, ${b}\\right)`, `[${a}, ${b}]`, `(${b}, ${a})`, `${a}, ${b}`];
  if (kind === 4) return [`${c}\\%`, `${c}%`, `${c / 100}`, String(c), `${c} \\%`];
  if (kind === 5) return [`x^2+${a + b}x+${a * b}`, `(x+${a})(x+${b})`, `x^2 + ${a + b} x + ${a * b}`, `(x+${b})*(x+${a})`];
  if (kind === 6)
    return [`${c * 1000}`, grouped(c * 1000), `${c}{,}000`, `${c},\\!000`, `\\$${c}000`, `${c}000.0`, `${c}000\\text{ dollars}`];
  if (kind === 7)
    return [`${c}^\\circ`, `${c}^{\\circ}`, `${c} degrees`, String(c), `${c}\\text{ cm}`, `${c} cm`, `${c}.`, `.${c}`, `0.${c}`];
  return [
    `x = ${c}`,
    `x=${c}`,
    `${c}`,
    `\\text{${c}}`,
    `\\text{(${'ABCD'[c % 4] ?? 'A'})}`,
    '\\text{odd}',
    'odd',
    `${c}_{8}`,
    `${c}!`,
  ];
}

const openings = ['', 'Let us see. ', 'First, $2 + 2 = 4$.\nThen it follows. ', 'Step 1: think.\nStep 2: compute, 3.5 and 7. '];

function mathCase(score: ScoreName): Make {
  return (random) => {
    const forms = writings(random);
    const truth = pick(random, forms);
    const said = random.float() < 0.8 ? pick(random, forms) : pick(random, writings(random));
    const wrapped = pick(random, [
      `\\boxed{${said}}`,
      `The answer is \\boxed{${said}}.`,
      `$\\boxed{${said}}$`,
      `\\boxed ${said}$`,
      `Answer: ${said}`,
      `Answer: $${said}$`,
      `answer: \\boxed{${said}}`,
      `The final answer is ${said}`,
      `\\fbox{${said}}`,
      `\\boxed{${said}`,
      `= ${said}`,
      `${said} is the answer`,
      `<think>hm</think> \\boxed{${said}}`,
    ]);
    return { score, solution: pick(random, openings) + wrapped, truth };
  };
}

function numberCase(score: ScoreName): Make {
  return (random) => {
    const truth = whole(random);
    const said = random.float() < 0.6 ? truth : whole(random);
    const written = pick(random, [String(said), grouped(said), `$${said}`, `${said}.`, `${said}.00`, `**${said}**`]);
    const wrapped = pick(random, [
      `#### ${written}`,
      `####${written}`,
      `The answer is ${written}`,
      `#### ${written}\nThat is all.`,
      `#### ${whole(random)}\n#### ${written}`,
      `#### ${written}${'.'.repeat(random.below(320))}`,
      written,
      `no number`,
    ]);
    return { score, solution: pick(random, openings) + wrapped, truth: String(truth) };
  };
}

const names = [
  'Nile',
  'the Nile',
  'River Nile',
  'Nile River',
  'Ada Lovelace',
  'lovelace',
  'U.S.A.',
  'USA',
  '1,024',
  '1024',
  'café',
  'an  apple',
];

function questionCase(score: ScoreName): Make {
  return (random) => {
    const target = Array.from({ length: 1 + random.below(3) }, () => pick(random, names));
    const said = random.float() < 0.6 ? pick(random, target) : pick(random, names);
    const dressed = pick(random, [
      said,
      said.toUpperCase(),
      ` ${said}. `,
      `"${said}"!`,
      `The ${said}`,
      `It is ${said}`,
      `${said}\n`,
    ]);
    const wrapped = pick(random, [
      `<answer>${dressed}</answer>`,
      `<answer>${dressed}`,
      dressed,
      `<answer>${pick(random, names)}</answer> no: <answer>${dressed}</answer>`,
      `<answer>${dressed}</answer>`.repeat(12),
    ]);
    return {
      score,
      solution: pick(random, openings) + wrapped,
      truth: { target: random.float() < 0.2 ? (target[0] ?? '') : target },
    };
  };
}

const makers: Readonly<Record<string, readonly [Make, number]>> = {
  gsm8k: [numberCase('gsm8k'), 200],
  gsm8k_flexible: [numberCase('gsm8k_flexible'), 200],
  math: [mathCase('math'), 300],
  math_dapo: [mathCase('math_dapo'), 300],
  math_dapo_box: [mathCase('math_dapo_box'), 100],
  prime_math: [mathCase('prime_math'), 500],
  geo3k: [mathCase('geo3k'), 300],
  qa_em: [questionCase('qa_em'), 200],
  qa_subem: [questionCase('qa_subem'), 100],
};

export function rewardCases(seed: number): RewardCase[] {
  return Object.entries(makers).flatMap(([name, [make, count]]) =>
    Array.from({ length: count }, (_, i) => make(Random.of(seed, name, i))),
  );
}

/** Each rule of the originals (verl's reward_score, MATH, Minerva, PRM800K, ToRA, Search-R1, TinyZero) as a case of its own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arithmetic } from './arithmetic.ts';
import { insideBox, lastBoxed, primeBoxed, rulerBoxed, strictBoxed } from './boxed.ts';
import { countdown } from './countdown.ts';
import { geo3k } from './geo3k.ts';
import { gradeAnswer } from './grade-answer.ts';
import { gsm8k } from './gsm8k.ts';
import { latexToText } from './latex-text.ts';
import { mathDapo, minerva } from './math-dapo.ts';
import { mathEqual } from './math-equal.ts';
import { integerText, isDigits, lastCharacters, strip, textOf, toFloat, toInteger, words } from './python.ts';
import { normalise, qa } from './qa.ts';
import { routedScore, routeNames, scores } from './registry.ts';
import { stripString } from './strip-string.ts';

describe("Python's strings and numbers", () => {
  it.each<[string, number | undefined]>([
    ['1', 1],
    [' 1.5 ', 1.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1_000.5', 1000.5],
    ['+2', 2],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['NaN', NaN],
    ['', undefined],
    ['.', undefined],
    ['1__0', undefined],
    ['_1', undefined],
    ['0x10', undefined],
    ['1,000', undefined],
    ['1e', undefined],
    ['one', undefined],
  ])('float(%j)', (text, want) => expect(toFloat(text)).toBe(want));
  it('int() and str(int())', () => {
    expect([' 12 ', '-3', '+4', '1_0'].map(toInteger)).toEqual([12n, -3n, 4n, 10n]);
    expect(['1.0', '', '1__0', 'x'].map(toInteger)).toEqual([undefined, undefined, undefined, undefined]);
    // Halves go to the even side; all digits are written, however large.
    expect([0.5, 1.5, 2.5, -0.5, 1e21].map(integerText)).toEqual(['0', '2', '2', '0', '1000000000000000000000']);
  });
  it('blanks are those of str.strip, also the wide ones', () => {
    expect(strip('\u3000\t x\u00a0\x1c')).toBe('x');
    expect(words(' a\u2003b  c ')).toEqual(['a', 'b', 'c']);
    expect(words('  ')).toEqual([]);
  });
  it('characters outside the basic plane count once', () => {
    expect(lastCharacters('ab😀😀', 3)).toBe('b😀😀');
    expect(Array.from(lastCharacters('😀'.repeat(400), 300))).toHaveLength(300);
  });
  it('digits are those of str.isdigit', () => {
    expect(['12', '²', '٣', '', '1.', '-1', '½'].map(isDigits)).toEqual([true, true, true, false, false, false, false]);
  });
  it('a ground truth is a text or a number', () => {
    expect([textOf('a'), textOf(12), textOf(12n)]).toEqual(['a', '12', '12']);
    for (const none of [undefined, null, {}, ['a'], true]) expect(() => textOf(none)).toThrow(/compares with a text/);
  });
});

describe('boxes', () => {
  it.each<[string, string | undefined]>([
    ['\\boxed{1} then \\boxed{2}', '\\boxed{2}'],
    ['\\boxed{\\frac{1}{2}} end', '\\boxed{\\frac{1}{2}}'],
    ['\\boxed 5$ x', '\\boxed 5'],
    ['\\fbox{3}', '\\fbox{3}'],
    ['\\boxed{1', undefined],
    ['none', undefined],
  ])('MATH takes the last: %j', (text, want) => expect(lastBoxed(text)).toBe(want));
  it('what stands in it; \\fbox is no box there', () => {
    expect([insideBox('\\boxed{x}'), insideBox('\\boxed x'), insideBox('\\fbox{3}'), insideBox('3')]).toEqual([
      'x',
      'x',
      undefined,
      undefined,
    ]);
  });
  it('DAPO takes \\boxed{ alone, Prime \\fbox as well, geo3k says None', () => {
    expect([strictBoxed('\\boxed{a{b}}'), strictBoxed('\\fbox{a}'), strictBoxed('\\boxed{a')]).toEqual([
      'a{b}',
      undefined,
      undefined,
    ]);
    expect([primeBoxed('\\fbox{ a }'), primeBoxed('\\boxed a'), primeBoxed('x')]).toEqual(['a', undefined, undefined]);
    expect([rulerBoxed('\\boxed{ {a} }'), rulerBoxed('\\boxed{a'), rulerBoxed('x')]).toEqual(['{a}', 'None', 'None']);
  });
  it('hostile braces end in linear time', () => {
    const text = '\\boxed{'.repeat(20_000);
    expect([lastBoxed(text), strictBoxed(text), primeBoxed(text), rulerBoxed(text)]).toEqual([
      undefined,
      undefined,
      undefined,
      'None',
    ]);
  });
});

describe('GSM8K', () => {
  it.each<[string, string, number]>([
    ['#### 72', '72', 1],
    ['#### 72.', '72', 0],
    ['#### -3', '-3', 1],
    ['#### $5', '5', 0],
    ['#### 1,000,000', '1000000', 1],
    ['#### 72.0', '72', 0],
    ['#### 1 and #### 2', '1', 0],
    [`#### 7 ${'y'.repeat(290)}`, '7', 1],
    [`#### 7 ${'y'.repeat(300)}`, '7', 0],
  ])('strict: %j for %s', (solution, truth, want) => expect(gsm8k(solution, truth).score).toBe(want));
  it.each<[string, string, number]>([
    ['it is 3, then 4', '4', 1],
    ['4 apples .', '4', 1],
    ['4 apples .,', '4', 0],
    ['1,000', '1000', 0],
    ['none', '1', 0],
    ['.', '.', 1],
  ])('flexible: %j for %s', (solution, truth, want) => expect(gsm8k(solution, truth, { method: 'flexible' }).score).toBe(want));
  it('a wrong answer in the right form is worth what is asked for', () => {
    expect(gsm8k('#### 1', '2', { format: 0.1 })).toEqual({ score: 0.1, correct: false, answer: '1' });
    expect(gsm8k('1', '2', { format: 0.1 }).score).toBe(0);
  });
});

describe("MATH's normal form", () => {
  it.each<[string, string | undefined]>([
    ['\\dfrac{1}{2}', '\\frac{1}{2}'],
    ['\\tfrac12', '\\frac{1}{2}'],
    ['\\frac1{72}', '\\frac{1}{72}'],
    ['\\frac{1}2', '\\frac{1}2'],
    ['1/2', '\\frac{1}{2}'],
    ['01/2', '01/2'],
    ['a/b', 'a/b'],
    ['1/2/3', '1/2/3'],
    ['0.5', '\\frac{1}{2}'],
    ['.5', '\\frac{1}{2}'],
    ['{.7}', '{0.7}'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['\\sqrt{12}', '\\sqrt{12}'],
    ['2\\sqrt', undefined],
    ['x=5', '5'],
    ['ab=5', '5'],
    ['abc=5', 'abc=5'],
    ['x=y=5', 'x=y=5'],
    ['5\\text{ cm}', '5'],
    ['5\\text{cm}', '5\\text{cm}'],
    ['5\\text{ a}\\text{ b}', undefined],
    ['90^\\circ', '90'],
    ['90^{\\circ}', '90'],
    ['\\$5', '5'],
    ['50\\%', '50'],
    ['\\left( 1, 2 \\right)', '(1,2)'],
    ['1\\!000', '1000'],
    ['a\nb', 'ab'],
    ['', ''],
  ])('of %j', (text, want) => expect(stripString(text)).toBe(want));
  it('is its own normal form for whole fractions and plain numbers', () => {
    const number = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(number, number, (a, b) => {
        for (const text of [String(a), `${a}/${b}`]) expect(stripString(stripString(text) ?? '')).toBe(stripString(text));
      }),
      { seed: 1 },
    );
  });
});

describe('DAPO', () => {
  it.each<[string, string]>([
    ['x = 5', '5'],
    ['the 5 apples', 'the5apples'],
    ['\\text{5}', '5'],
    ['\\textbf{5}', '5'],
    ['\\overline{AB}', 'AB'],
    ['\\boxed{5}', '5'],
    ['a $5$ b', '5'],
    ['1,024', '1024'],
    ['1,024.5', '1,024.5'],
    ['5 cm', '5'],
    ['5 square meters', '5'],
    ['90^\\circ', '90'],
    ['\\frac12', '\\frac{1}{2}'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['x\\text{and}y', 'x,y'],
    // Digits with commas are one number, whatever the commas were.
    ['1\\text{and}2', '12'],
  ])('Minerva’s form of %j', (text, want) => expect(minerva(text)).toBe(want));
  it.each<[string, string, number, string]>([
    ['Answer: 5', '5', 1, '5'],
    ['ANSWER : 5', '5', 1, '5'],
    ['Answer: 4\nAnswer: 5', '5', 1, '5'],
    ['Answer: 4\nAnswer: 5', '4', -1, '5'],
    ['Answer:\n5', '5', 1, '5'],
    ['Answer: 5\nand more', '5', 1, '5'],
    ['no marker \\boxed{5}', '5', 1, '5'],
    ['\\boxed{5} and Answer: 6', '5', -1, '6'],
  ])('%j for %s', (solution, truth, want, answer) => expect(mathDapo(solution, truth)).toMatchObject({ score: want, answer }));
  it('the strict form looks at a box in the last hundred characters alone', () => {
    expect(mathDapo('Answer: 5', '5', { strictBox: true })).toMatchObject({ score: -1, answer: null });
    expect(mathDapo('\\boxed{5}', '5', { strictBox: true }).score).toBe(1);
    expect(mathDapo(`\\boxed{5}${' '.repeat(95)}`, '5', { strictBox: true }).score).toBe(-1);
  });
});

describe("PRM800K's comparison", () => {
  it.each<[string, string, boolean]>([
    ['\\frac{1}{2}', '\\dfrac{1}{2}', true],
    ['0.5', '\\frac{1}{2}', true],
    ['10,000', '10000', true],
    ['5 cm', '5', true],
    ['5 feet', '5', true],
    ['2 million', '2000000', false],
    ['(1, 2)', '(1,2)', true],
    ['(1,2)', '[1,2)', false],
    ['(1,2)', '(2,1)', false],
    ['(1,2,3)', '(1,2)', false],
    // Fractions that are not reduced, and whole numbers as formulas, are wrong on purpose.
    ['2/4', '1/2', false],
    ['2+2', '4', false],
    ['x+1', '1+x', true],
    ['\\sqrt{12}', '2\\sqrt{3}', true],
    ['Evelyn', 'evelyn', true],
    ['', '5', false],
    ['5', '', false],
    ['x^{10}', 'x^10', false],
    ['abc', 'cab', false],
    ['$12$', '12', true],
    ['\\text{odd}', 'odd', true],
  ])('%j and %j: %s', (given, truth, want) => expect(gradeAnswer(given, truth)).toBe(want));
  it('liters are a unit to Prime and none to geo3k', () => {
    expect(gradeAnswer('5 liters', '5')).toBe(true);
    expect(gradeAnswer('5 liters', '5', { ruler: true })).toBe(false);
  });
});

describe("ToRA's comparison", () => {
  it.each<[string, string, boolean]>([
    ['5', '5.0001', true],
    ['5', '5.01', false],
    ['50', '0.5', true],
    ['0.5', '50', true],
    ['50%', '50', true],
    ['$5', '5', true],
    ['1,000', '1000', true],
    ['(1, 2)', '(1,2)', true],
    ['[1, 2]', '1, 2', true],
    ['[1,2]', '(1,2)', false],
    ['Interval(1, 2)', '[1, 2]', true],
    ['Interval.open(1, 2)', '(1, 2)', true],
    ['Yes', 'yes', true],
    ['101_2', '101', true],
    ['x**2', 'x*x', true],
    ['', '5', false],
    ['nan', '5', false],
    ['inf', 'inf', true],
  ])('%j and %j: %s', (given, truth, want) => expect(mathEqual(given, truth)).toBe(want));
});

describe('LaTeX as text', () => {
  it.each<[string, string]>([
    ['\\frac{1}{2}', '1/2'],
    ['\\sqrt{3}', '√(3)'],
    ['\\sqrt[3]{8}', '√(8)'],
    ['2\\pi', '2π'],
    ['\\left(1\\right)', '(1)'],
    ['\\left.x\\right|', 'x|'],
    ['\\text{odd}', 'odd'],
    ['a\\,b', 'a b'],
    ['50\\%', '50%'],
    ['\\unknown{x}', 'x'],
    ['{', ''],
    ['\\', ''],
    ['\\frac', '/'],
  ])('%j', (latex, want) => expect(latexToText(latex)).toBe(want));
  it('hostile nesting ends', () => {
    expect(latexToText('{'.repeat(50_000))).toBeDefined();
    expect(latexToText('\\frac'.repeat(20_000))).toBeDefined();
  });
});

describe('questions', () => {
  it.each<[string, string]>([
    ['The  Eiffel Tower!', 'eiffel tower'],
    ['a-b c.', 'ab c'],
    ['An apple, a day', 'apple day'],
    ['theatre another', 'theatre another'],
    ['the', ''],
    ['Ängström’s', 'ängström’s'],
  ])('the normal form of %j', (text, want) => expect(normalise(text)).toBe(want));
  it.each<[string, unknown, number]>([
    ['<answer>Paris</answer>', ['London', 'Paris'], 1],
    ['<answer>Paris</answer>', { target: 'paris' }, 1],
    ['<answer>Paris\n</answer>', 'the Paris', 1],
    ['<answer>Paris</answer> <answer>Rome</answer>', 'Paris', 0],
    ['<answer></answer>', 'Paris', 0],
    ['answer: Paris', 'Paris', 0],
    ['<answer>Paris', 'Paris', 0],
    ['<ANSWER>Paris</ANSWER>', 'Paris', 0],
  ])('%j against %j', (solution, truth, want) => expect(qa(solution, truth).score).toBe(want));
  it('more than ten answers are fishing, ten are not', () => {
    expect(qa('<answer>x</answer>'.repeat(10), 'x').score).toBe(1);
    expect(qa('<answer>x</answer>'.repeat(11), 'x').score).toBe(0.25);
    expect(qa(`${'</answer>'.repeat(11)}<answer>x</answer>`, 'x').score).toBe(0.25);
  });
  it('containing is enough for subem, shared words count for f1, each as often as both have it', () => {
    expect(qa('<answer>in Paris, France</answer>', 'Paris', { match: 'subem' }).score).toBe(1);
    expect(qa('<answer>big big cat</answer>', 'big cat', { match: 'f1' }).score).toBeCloseTo(0.8);
    expect(qa('<answer>dog</answer>', 'cat', { match: 'f1' }).score).toBe(0);
    expect(qa('<answer>b a</answer>', ['x', 'b'], { match: 'f1' }).score).toBe(1);
  });
  it.each([undefined, 5, [], [1], { target: [] }, { answer: 'x' }])('a ground truth of %j is refused', (truth) => {
    expect(() => qa('<answer>x</answer>', truth)).toThrow(/scored against a text, a list of texts/);
  });
});

describe('countdown', () => {
  it.each<[string, number | undefined]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-3 + 5', 2],
    ['2 - -1', 3],
    ['8 / 2 / 2', 2],
    ['1.5 * 2', 3],
    ['.5 + .5', 1],
    ['1 / 0', undefined],
    ['2 ** 3', undefined],
    ['2 3', undefined],
    ['(1', undefined],
    ['1)', undefined],
    ['1.2.3', undefined],
    ['x', undefined],
    ['', undefined],
    ['process.exit()', undefined],
  ])('the value of %j', (text, want) => expect(arithmetic(text)).toBe(want));
  it('hostile nesting has no value, and takes no stack', () => {
    expect(arithmetic('('.repeat(100_000))).toBeUndefined();
    expect(arithmetic(`${'-'.repeat(100_000)}1`)).toBeUndefined();
  });
  it('sums of whole numbers are those of JavaScript', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 6 }), (numbers) => {
        expect(arithmetic(numbers.join(' + '))).toBe(numbers.reduce((a, b) => a + b, 0));
      }),
      { seed: 1 },
    );
  });
  const truth = { target: 10, numbers: [1, 2, 7] };
  it.each<[string, number]>([
    ['<answer>1 + 2 + 7</answer>', 1],
    ['<answer>7 + 2 + 1</answer>', 1],
    ['<answer>1 + 2 + 7 = 10</answer>', 0.1],
    ['<answer>3 + 7</answer>', 0.1],
    ['<answer>1 + 2 + 7 + 0</answer>', 0.1],
    ['<answer>12 - 2</answer>', 0.1],
    ['<answer>7 - 2 - 1</answer>', 0.1],
    ['<answer>1 + 2 +\n7</answer>', 0],
    ['1 + 2 + 7', 0],
  ])('%j', (solution, want) => expect(countdown(solution, truth).score).toBe(want));
  it.each([undefined, null, {}, { target: 'x', numbers: [1] }, { target: 1 }, { target: 1, numbers: ['a'] }])(
    '%j is no problem',
    (bad) => {
      expect(() => countdown('<answer>1</answer>', bad)).toThrow(/target, numbers/);
    },
  );
});

it.each<[string, number]>([
  ['<think>a</think>\\boxed{5}', 1],
  ['x<think>a</think>\\boxed{5}', 0.9],
  ['<think>a\\boxed{5}</think>', 0.9],
  ['<think>a</think>\\boxed{6}', 0.1],
  ['<think>a</think>\\boxed{6', 0],
])('geo3k pays for form and answer: %j', (solution, want) => expect(geo3k(solution, '5').score).toBeCloseTo(want, 12));

describe('routing', () => {
  it.each<[string, string]>([
    ['openai/gsm8k', 'gsm8k'],
    ['lighteval/MATH', 'math'],
    ['DigitalLearningGmbH/MATH-lighteval', 'math'],
    ['HuggingFaceH4/MATH-500', 'math'],
    ['math_dapo', 'math_dapo'],
    ['math', 'math_dapo'],
    ['aime2025', 'math_dapo'],
    ['numina_olympiads', 'prime_math'],
    ['taco', 'prime_code'],
    ['hiyouga/geometry3k', 'geo3k'],
    ['searchR1_bamboogle', 'qa_em'],
  ])('%s is scored by %s', (source, name) => expect(routedScore(source)).toBe(name));
  it.each(['', 'gsm8k', 'AIME2025', 'constructor', '__proto__', 'webshop'])('%j by none, as in verl', (source) => {
    expect(() => routedScore(source)).toThrow(/no score for the data source/);
  });
  it('every score takes whatever a model writes without an error', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('\\', '{', '}', '(', '^', '/', '1', 'x', ' ', '$', '='), maxLength: 40 }),
    );
    const truths: Partial<Record<string, unknown>> = { countdown: { target: 1, numbers: [1] } };
    fc.assert(
      fc.property(texts, (text) => {
        for (const name of routeNames) {
          if (name === 'prime_code') continue;
          const { score } = scores[name](
            `<answer>${text}</answer>\\boxed{${text}}\nAnswer: ${text}\n#### ${text}`,
            truths[name] ?? '1/2',
          );
          expect(Number.isFinite(score)).toBe(true);
        }
      }),
      { seed: 1, numRuns: 150 },
    );
  });
});

/**
 * Numerical and symbolic equality of two answers as in ToRA's grader (Gou et al. 2023), which Prime's math score falls back on:
 * numbers to one part in ten thousand, also a hundred times more or less (percentages), lists element by element, formulas.
 * LaTeX is not read here: sympy needs antlr 4.11 for that, and a verl installation has the 4.9 that Hydra asks for.
 */
import { pythonStrip } from '../core/python/strings.ts';
import { toFloat } from '../core/python/numbers.ts';
import { sameFormula, valueOf } from './symbolic/equal.ts';
import { parseFormula, type Expression } from './symbolic/parse.ts';

const tolerance = 1e-4;
const longest = 1000;

/** Undefined stands for the original's error, which counts as unequal. */
export function mathEqual(prediction: string, expected: string, pi = Math.PI): boolean {
  const [given, truth] = [normalise(prediction, pi), normalise(expected, pi)];
  return given !== undefined && truth !== undefined && equal(given, truth);
}

type Answer = string | number;

function equal(given: Answer, truth: Answer): boolean {
  let prediction = typeof given === 'string' ? Array.from(given).slice(0, longest).join('') : given;
  if (typeof prediction === 'string' && typeof truth === 'string') {
    if (pythonStrip(prediction).toLowerCase() === pythonStrip(truth).toLowerCase()) return true;
    if (prediction.replaceAll(' ', '') === truth.replaceAll(' ', '')) return true;
  }
  const [a, b] = [numberOf(prediction), numberOf(truth)];
  if (a !== undefined && b !== undefined) return [b / 100, b, b * 100].some((item) => isClose(item, a));
  if (prediction === '') return false;
  const expected = pythonStrip(String(truth));
  prediction = interval(pythonStrip(String(prediction)));
  return sameBare(prediction, expected) || sameLists(prediction, expected) || sameFormulas(prediction, expected);
}

/** `$5` and `5%` are 5, `101_2` is 101, `\pi` is a number. */
function normalise(answer: string, pi: number): Answer | undefined {
  if (/^\$\d+(\.\d+)?/.test(answer)) return answer.slice(1);
  if (/^\d+(\.\d+)?\\?%$/.test(answer)) return answer.replaceAll('\\%', '').replaceAll('%', '');
  if (answer.includes('_')) {
    const base = toFloat(answer.split('_')[0] ?? '');
    return base === undefined || !Number.isFinite(base) ? undefined : Math.trunc(base);
  }
  if (!answer.includes('\\pi')) return answer;
  const said = answer.replace(/(^|[^])\\pi/gu, (_, before: string) => `${before}${/\p{Nd}/u.test(before) ? '' : '1'}*${pi}`);
  const formula = parseFormula(said, { implicit: false });
  return (formula && valueOf(formula)) ?? said;
}

function numberOf(answer: Answer): number | undefined {
  if (typeof answer === 'number') return answer;
  return toFloat(answer.includes('{,}') ? answer.replaceAll('{,}', '') : answer.replaceAll(',', ''));
}

function isClose(a: number, b: number): boolean {
  return a === b || (Number.isFinite(a) && Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)));
}

/** sympy's way of writing intervals. */
function interval(text: string): string {
  const [, kind = '', inside = ''] = /^Interval(|\.Ropen|\.Lopen|\.open)\(([^\n]*)\)$/.exec(text) ?? [];
  if (!text.startsWith('Interval') || inside === '') return text;
  return `${kind === '.Lopen' || kind === '.open' ? '(' : '['}${inside}${kind === '.Ropen' || kind === '.open' ? ')' : ']'}`;
}

/** Equal without brackets. */
function sameBare(prediction: string, expected: string): boolean {
  const square = prediction.startsWith('[') && prediction.endsWith(']') && !expected.startsWith('(');
  const round = prediction.startsWith('(') && prediction.endsWith(')') && !expected.startsWith('[');
  const bare = (text: string): string =>
    (square || round ? text.replace(/^[[\]()]+|[[\]()]+$/g, '') : text).replace(/[{}()]/g, '');
  return bare(prediction) === bare(expected);
}

function sameLists(prediction: string, expected: string): boolean {
  const brackets = /^[[(]/.test(prediction) && /[\])]$/.test(prediction);
  if (brackets && prediction[0] === expected[0] && prediction.at(-1) === expected.at(-1)) {
    if (sameElements(prediction.slice(1, -1), expected.slice(1, -1))) return true;
  }
  return prediction.includes(',') && expected.includes(',') && sameElements(prediction, expected);
}

function sameElements(prediction: string, expected: string): boolean {
  const [given, truth] = [prediction, expected].map((text) => text.split(','));
  if (!given || !truth || given.length !== truth.length) return false;
  return truth.every((one, i) => mathEqual(pythonStrip(given[i] ?? ''), pythonStrip(one)));
}

function sameFormulas(prediction: string, expected: string): boolean {
  const [a, b] = [parseFormula(prediction, { implicit: false }), parseFormula(expected, { implicit: false })];
  if (a && b && sameFormula(a, b)) return true;
  const [x, y] = [numeric(a, prediction), numeric(b, expected)];
  return x !== undefined && y !== undefined && isClose(x, y);
}

/** Where Python's `^` between these numbers is an error, sympy reads it as a power. */
function numeric(formula: Expression | undefined, text: string): number | undefined {
  const value = formula && valueOf(formula);
  if (value !== undefined || !text.includes('^')) return value;
  const power = parseFormula(text.replaceAll('^', '**'), { implicit: false });
  return power && valueOf(power);
}

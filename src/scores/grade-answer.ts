/**
 * PRM800K's comparison of two answers (Lightman et al. 2023), which Prime's math score and geo3k's both stand on: equal when MATH's
 * normal forms are, when this file's are, or when the formulas are, element by element for tuples and intervals. Fractions that are not
 * reduced and whole numbers written as formulas are wrong on purpose.
 */
import { latexToText } from './latex-text.ts';
import { integerText, toFloat } from '../core/python/numbers.ts';
import { pythonStrip } from '../core/python/strings.ts';
import { stripString } from './strip-string.ts';
import { sameFormula } from './symbolic/equal.ts';
import { parseFormula } from './symbolic/parse.ts';

export interface GradeOptions {
  /** mathruler's variant, which geo3k uses: blanks and braces are dropped as well, liters are no unit. */
  readonly ruler?: boolean;
}

export function gradeAnswer(given: string, truth: string, { ruler = false }: GradeOptions = {}): boolean {
  if (mathForm(truth) === mathForm(given)) return true;
  const [ours, theirs] = [normalise(given, ruler), normalise(truth, ruler)];
  if (ours === theirs) return true;
  if (ours === '') return false;
  const [mine, wanted] = [elements(ours), elements(theirs)];
  if (wanted.length > 1 && (ours[0] !== theirs[0] || ours.at(-1) !== theirs.at(-1))) return false;
  if (mine.length !== wanted.length) return false;
  return wanted.every((want, i) => sameElement(mine[i] ?? '', want));
}

function sameElement(given: string, truth: string): boolean {
  if (isFraction(truth) && isFraction(given)) return truth === given;
  if (isWhole(truth) !== isWhole(given)) return false;
  if (!mayEvaluate(`(${truth})-(${given})`)) return false;
  const [a, b] = [parseFormula(truth, { implicit: true }), parseFormula(given, { implicit: true })];
  return a !== undefined && b !== undefined && sameFormula(a, b);
}

/** MATH's normal form; a text that it cannot read stands for itself. */
function mathForm(answer: string): string {
  const bare = pythonStrip(answer);
  const text = /^\\text\{([^\n]+?)\}$/.exec(bare)?.[1];
  const inside = text === undefined ? bare : pythonStrip(text);
  return stripString(inside) ?? inside;
}

const units = 'degree cm centimeter meter mile second minute hour day week month year foot feet inch yard liter'.split(' ');
const unitForms = units.map((unit) => new RegExp(`${unit}(es)?(s)? *(\\^[0-9]+)?`, 'g'));

function normalise(answer: string, ruler: boolean): string {
  let s = (/^\\text\{([^\n]+?)\}$/.exec(answer)?.[1] ?? answer)
    .replaceAll('\\%', '%')
    .replaceAll('\\$', '$')
    .replaceAll('$', '')
    .replaceAll('%', '')
    .replaceAll(' or ', ' , ')
    .replaceAll(' and ', ' , ')
    .replaceAll('million', '*10^6')
    .replaceAll('billion', '*10^9')
    .replaceAll('trillion', '*10^12');
  for (const form of ruler ? unitForms.slice(0, -1) : unitForms) s = s.replace(form, '');
  s = s.replace(/\^ *\\circ/g, '');
  if (s.startsWith('{') && s.endsWith('}')) s = s.slice(1, -1);
  s = s.replace(/,\\! */g, '');
  const number = toFloat(s);
  if (number !== undefined && isNearWhole(number)) s = integerText(number);
  if (s.includes('\\')) s = plain(s);
  s = s.replace(/- */g, '-').replace(/([0-9]) +([0-9])/g, '$1+$2');
  if (ruler) s = s.replace(/[ {}]/g, '');
  s = s.toLowerCase();
  return isWhole(s) ? integerText(Math.trunc(toFloat(s.replaceAll(',', '')) ?? NaN)) : s;
}

function plain(latex: string): string {
  const fractions = latex.replaceAll('\\tfrac', '\\frac').replaceAll('\\dfrac', '\\frac').replaceAll('\\frac', ' \\frac');
  const text = latexToText(fractions);
  return pythonStrip(
    text.replaceAll('√', 'sqrt').replaceAll('π', 'pi').replaceAll('∞', 'inf').replaceAll('∪', 'U').replace(/[·×]/g, '*'),
  );
}

/** `1,234,567` is a number; the commas of a tuple stay. */
function withoutThousands(text: string): string {
  for (let s = text; ;) {
    const next = s.replace(/(\d),(\d\d\d)($|\D)/g, '$1$2$3');
    if (next === s) return s;
    s = next;
  }
}

function elements(text: string): string[] {
  const s = withoutThousands(text);
  if (s === '') return [];
  const inside = s.slice(1, -1);
  const closed = s.length > 2 && /^[()[\]]/.test(s) && /[()[\]]$/.test(s) && !/[()[\]]/.test(inside);
  return closed ? inside.split(',').map(pythonStrip) : [s];
}

function isFraction(text: string): boolean {
  return /^-?[0-9]+[^\n]?\/0*[1-9][0-9]*[^\n]?$/.test(text);
}

function isNearWhole(number: number): boolean {
  return Number.isFinite(number) && Math.abs(number - Math.round(number)) <= 1e-7;
}

function isWhole(text: string): boolean {
  const number = toFloat(withoutThousands(text));
  return number !== undefined && isNearWhole(number);
}

/** Two letters at most, and no power that would keep a computer algebra system busy. */
function mayEvaluate(text: string): boolean {
  const letters = new Set(text.replaceAll('sqrt', '').replaceAll('frac', '').match(/\p{L}/gu) ?? []);
  return letters.size <= 2 && !text.includes('^{') && !text.includes('^(') && !/\^[0-9]+\^|\^[0-9][0-9]+/.test(text);
}

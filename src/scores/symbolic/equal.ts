/**
 * Are two formulas the same? Both are evaluated at random complex points (a polynomial identity that holds at four of them holds
 * everywhere, but for a vanishing chance), so that nothing has to be simplified and nothing can hang; fractions and decimals are compared
 * exactly. Where sympy's `simplify` does not find an identity (nested roots), this one does.
 */
import { Random } from '../../core/random/random.ts';
import { add, divide, factorial, functions, multiply, power, size, subtract, type Complex } from './complex.ts';
import type { Expression } from './parse.ts';
import { rationalOf, sameRational } from './rational.ts';

const points = 4;
const exact = 1e-12;

export function sameFormula(a: Expression, b: Expression): boolean {
  const [x, y] = [rationalOf(a), rationalOf(b)];
  if (x && y) return sameRational(x, y);
  // A decimal is the number it says: 3.14159 is not π, however many digits it has.
  if ((x && isDecimal(a)) || (y && isDecimal(b))) return false;
  for (let point = 0; point < points; point++) {
    const at = valuesAt(point);
    const scale = { largest: 0 };
    const [left, right] = [evaluate(a, at, scale), evaluate(b, at, scale)];
    const gap = size(subtract(left, right));
    if (!(gap <= exact * Math.max(scale.largest, size(left), size(right)))) return false;
  }
  return true;
}

/** The value of a formula without symbols, where it is a real number. */
export function valueOf(formula: Expression): number | undefined {
  const value = evaluate(formula, () => ({ re: NaN, im: NaN }), { largest: 0 });
  return Number.isFinite(value.re) && Math.abs(value.im) <= exact * Math.max(1, Math.abs(value.re)) ? value.re : undefined;
}

function isDecimal(formula: Expression): boolean {
  if (formula.kind === 'number') return /[.eE]/.test(formula.text ?? '');
  return formula.kind === 'binary' && (isDecimal(formula.left) || isDecimal(formula.right));
}

function valuesAt(point: number): (name: string) => Complex {
  const known = new Map<string, Complex>();
  return (name) => {
    let value = known.get(name);
    if (!value) {
      const random = Random.of(0x5eed, name, point);
      // Both half-planes are visited: a root of a square is not what was squared.
      const side = point === 0 ? 1 : point === 1 ? -1 : random.float() < 0.5 ? 1 : -1;
      value = { re: side * (0.5 + random.float()), im: 2 * random.float() - 1 };
      known.set(name, value);
    }
    return value;
  };
}

/** `scale` collects the largest value on the way: what cancels leaves an error of its size. */
function evaluate(formula: Expression, at: (name: string) => Complex, scale: { largest: number }): Complex {
  const value = valueAt(formula, at, scale);
  const magnitude = size(value);
  if (magnitude > scale.largest && Number.isFinite(magnitude)) scale.largest = magnitude;
  return value;
}

function valueAt(formula: Expression, at: (name: string) => Complex, scale: { largest: number }): Complex {
  switch (formula.kind) {
    case 'number':
      return { re: formula.value, im: 0 };
    case 'symbol':
      return at(formula.name);
    case 'call':
      return functions[formula.name]?.(evaluate(formula.argument, at, scale)) ?? { re: NaN, im: NaN };
    case 'factorial':
      return factorial(evaluate(formula.of, at, scale));
    case 'binary': {
      const left = evaluate(formula.left, at, scale);
      const right = evaluate(formula.right, at, scale);
      return operations[formula.operator](left, right);
    }
  }
}

const operations: Readonly<Record<'+' | '-' | '*' | '/' | '**' | '^', (a: Complex, b: Complex) => Complex>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '**': power,
  '^': bitwise,
};

/** Python's `^` between whole numbers. */
function bitwise(a: Complex, b: Complex): Complex {
  const whole = (x: Complex): boolean => x.im === 0 && Number.isSafeInteger(x.re);
  return whole(a) && whole(b) ? { re: Number(BigInt(a.re) ^ BigInt(b.re)), im: 0 } : { re: NaN, im: NaN };
}

/** Complex numbers, as far as formulas of answers need them. Principal branches, as sympy has them. */

export interface Complex {
  readonly re: number;
  readonly im: number;
}

const none: Complex = { re: NaN, im: NaN };

export const add = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im });
export const subtract = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im });
export const multiply = (a: Complex, b: Complex): Complex => ({ re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re });
export const size = (a: Complex): number => Math.hypot(a.re, a.im);

export function divide(a: Complex, b: Complex): Complex {
  const square = b.re * b.re + b.im * b.im;
  if (square === 0) return none;
  if (a.im === 0 && b.im === 0) return { re: a.re / b.re, im: 0 };
  return { re: (a.re * b.re + a.im * b.im) / square, im: (a.im * b.re - a.re * b.im) / square };
}

const exp = (a: Complex): Complex => ({ re: Math.exp(a.re) * Math.cos(a.im), im: Math.exp(a.re) * Math.sin(a.im) });
const log = (a: Complex): Complex => (size(a) === 0 ? none : { re: Math.log(size(a)), im: Math.atan2(a.im, a.re) });

export function power(a: Complex, b: Complex): Complex {
  if (b.im === 0 && Number.isInteger(b.re) && Math.abs(b.re) <= 64) return wholePower(a, b.re);
  if (a.im === 0 && b.im === 0 && a.re >= 0) return { re: a.re ** b.re, im: 0 };
  return size(a) === 0 ? { re: 0, im: 0 } : exp(multiply(b, log(a)));
}

function wholePower(a: Complex, n: number): Complex {
  let product: Complex = { re: 1, im: 0 };
  for (let i = 0; i < Math.abs(n); i++) product = multiply(product, a);
  return n < 0 ? divide({ re: 1, im: 0 }, product) : product;
}

/** Of a small whole number. */
export function factorial(a: Complex): Complex {
  if (a.im !== 0 || !Number.isInteger(a.re) || a.re < 0 || a.re > 170) return none;
  let product = 1;
  for (let i = 2; i <= a.re; i++) product *= i;
  return { re: product, im: 0 };
}

function sqrt(a: Complex): Complex {
  if (a.im === 0) return a.re >= 0 ? { re: Math.sqrt(a.re), im: 0 } : { re: 0, im: Math.sqrt(-a.re) };
  const length = size(a);
  return { re: Math.sqrt((length + a.re) / 2), im: Math.sign(a.im) * Math.sqrt((length - a.re) / 2) };
}

const i: Complex = { re: 0, im: 1 };
const one: Complex = { re: 1, im: 0 };
const scaled = (a: Complex, by: number): Complex => ({ re: a.re * by, im: a.im * by });
const sinh = (a: Complex): Complex => scaled(subtract(exp(a), exp(scaled(a, -1))), 0.5);
const cosh = (a: Complex): Complex => scaled(add(exp(a), exp(scaled(a, -1))), 0.5);
const sin = (a: Complex): Complex => ({ re: Math.sin(a.re) * Math.cosh(a.im), im: Math.cos(a.re) * Math.sinh(a.im) });
const cos = (a: Complex): Complex => ({ re: Math.cos(a.re) * Math.cosh(a.im), im: -Math.sin(a.re) * Math.sinh(a.im) });
const asin = (a: Complex): Complex => multiply({ re: 0, im: -1 }, log(add(multiply(i, a), sqrt(subtract(one, multiply(a, a))))));
const acos = (a: Complex): Complex => subtract({ re: Math.PI / 2, im: 0 }, asin(a));
const atan = (a: Complex): Complex =>
  multiply({ re: 0, im: 0.5 }, subtract(log(subtract(one, multiply(i, a))), log(add(one, multiply(i, a)))));

/** By sympy's names. */
export const functions: Readonly<Record<string, (a: Complex) => Complex>> = {
  sqrt,
  ln: log,
  log,
  exp,
  sin,
  cos,
  tan: (a) => divide(sin(a), cos(a)),
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh: (a) => divide(sinh(a), cosh(a)),
  Abs: (a) => ({ re: size(a), im: 0 }),
  factorial,
};

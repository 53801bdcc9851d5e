/** The exact value of a formula of whole numbers, decimals and the four operations; undefined where roots, letters or sheer size stand in the way. */
import type { Expression } from './parse.ts';

interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** Powers of more digits than this are no answers. */
const mostDigits = 2000;

export function rationalOf(formula: Expression): Rational | undefined {
  if (formula.kind === 'number') return fromText(formula.text);
  if (formula.kind !== 'binary') return undefined;
  const [a, b] = [rationalOf(formula.left), rationalOf(formula.right)];
  if (!a || !b) return undefined;
  switch (formula.operator) {
    case '+':
      return small({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom });
    case '-':
      return small({ top: a.top * b.bottom - b.top * a.bottom, bottom: a.bottom * b.bottom });
    case '*':
      return small({ top: a.top * b.top, bottom: a.bottom * b.bottom });
    case '/':
      return b.top === 0n ? undefined : small({ top: a.top * b.bottom, bottom: a.bottom * b.top });
    case '**':
      return powerOf(a, b);
    case '^':
      return undefined;
  }
}

export function sameRational(a: Rational, b: Rational): boolean {
  return a.top * b.bottom === b.top * a.bottom;
}

function powerOf(a: Rational, b: Rational): Rational | undefined {
  if (b.bottom !== 1n || b.top > 1000n || b.top < -1000n) return undefined;
  const n = b.top < 0n ? -b.top : b.top;
  if (Number(n) * Math.max(String(a.top).length, String(a.bottom).length) > mostDigits) return undefined;
  const [top, bottom] = [a.top ** n, a.bottom ** n];
  if (b.top >= 0n) return { top, bottom };
  return top === 0n ? undefined : { top: bottom, bottom: top };
}

function fromText(text: string | undefined): Rational | undefined {
  const [, whole = '', part = '', exponent = '0'] = /^(-?\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text ?? '.') ?? [];
  const power = Number(exponent) - part.length;
  if (`${whole}${part}` === '' || Math.abs(power) > mostDigits) return undefined;
  const digits = BigInt(`${whole}${part}`);
  return power >= 0 ? { top: digits * 10n ** BigInt(power), bottom: 1n } : { top: digits, bottom: 10n ** BigInt(-power) };
}

function small(value: Rational): Rational | undefined {
  return String(value.top).length + String(value.bottom).length > 2 * mostDigits ? undefined : value;
}

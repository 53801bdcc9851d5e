/** Numbers of JSON between bounds, as expressions. Digits are limited to what a double keeps, so that a number never goes on for ever. */
import type { Expression, Expressions } from './expression.ts';

export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Fifteen digits: the largest whole numbers of which every one is a double. */
const largest = 999_999_999_999_999;

/** Whole numbers from `least` to `most`. */
export function wholeNumbers(expressions: Expressions, bounds: Bounds): Expression {
  const least = Math.max(Math.ceil(bounds.least), -largest);
  const most = Math.min(Math.floor(bounds.most), largest);
  if (least > most) return expressions.nothing;
  const negative =
    least < 0
      ? expressions.sequence(expressions.literal('-'), digits(expressions, String(Math.max(1, -most)), String(-least)))
      : expressions.nothing;
  return expressions.any(
    most >= 0 ? digits(expressions, String(Math.max(0, least)), String(most)) : expressions.nothing,
    negative,
  );
}

/** Numbers from `least` to `most`, with or without a fraction. */
export function numbers(expressions: Expressions, { least, most }: Bounds): Expression {
  if (least === -Infinity && most === Infinity) return anyNumber(expressions);
  const [low, high] = [Math.max(least, -largest), Math.min(most, largest)];
  const negative =
    low < 0
      ? expressions.sequence(expressions.literal('-'), decimals(expressions, Math.max(0, -high), -low))
      : expressions.nothing;
  return expressions.any(high >= 0 ? decimals(expressions, Math.max(0, low), high) : expressions.nothing, negative);
}

/** Decimal numbers between two that are not negative. */
function decimals(expressions: Expressions, least: number, most: number): Expression {
  const [low, high] = [unitsOf(least, 1), unitsOf(most, -1)];
  if (low > high) return expressions.nothing;
  const [from, to] = [writtenAs(low), writtenAs(high)];
  const point = (digitsAfter: Expression): Expression => expressions.sequence(expressions.literal('.'), digitsAfter);
  const some = expressions.optional(point(digitsOf(expressions, 1)));
  const upTo = expressions.optional(point(tailAtMost(expressions, to.fraction)));
  if (from.whole === to.whole) {
    const within = from.fraction === '' ? upTo : point(tailBetween(expressions, from.fraction, to.fraction));
    return expressions.sequence(expressions.literal(from.whole), within);
  }
  const fromOn = from.fraction === '' ? some : point(tailAtLeast(expressions, from.fraction));
  const between = wholeNumbers(expressions, { least: Number(from.whole) + 1, most: Number(to.whole) - 1 });
  return expressions.any(
    expressions.sequence(expressions.literal(from.whole), fromOn),
    expressions.sequence(between, some),
    expressions.sequence(expressions.literal(to.whole), upTo),
  );
}

/** Decimals that bounds are read to, and that a fraction may have. */
const kept = 12;
const written = 15;

/** A bound in units of the last decimal that is kept, never outside of it. */
function unitsOf(bound: number, inwards: 1 | -1): bigint {
  const units = BigInt(bound.toFixed(kept).replace('.', ''));
  const value = Number(`${units}e-${kept}`);
  return (inwards === 1 ? value < bound : value > bound) ? units + BigInt(inwards) : units;
}

function writtenAs(units: bigint): { readonly whole: string; readonly fraction: string } {
  const text = String(units).padStart(kept + 1, '0');
  return { whole: text.slice(0, -kept), fraction: text.slice(-kept).replace(/0+$/, '') };
}

function digitsOf(expressions: Expressions, least: number): Expression {
  return expressions.repeat(expressions.bytes([0x30, 0x39]), least, written);
}

/** Digits after the point that are at least these; any number of any digits may follow. */
function tailAtLeast(expressions: Expressions, tail: string): Expression {
  if (tail === '') return digitsOf(expressions, 0);
  const digit = tail.charCodeAt(0);
  return expressions.any(
    expressions.sequence(expressions.bytes([digit + 1, 0x39]), digitsOf(expressions, 0)),
    expressions.sequence(expressions.bytes([digit, digit]), tailAtLeast(expressions, tail.slice(1))),
  );
}

/** Digits after the point, one or more, that are at most these. */
function tailAtMost(expressions: Expressions, tail: string): Expression {
  const zero = expressions.bytes([0x30, 0x30]);
  if (tail === '') return expressions.repeat(zero, 1, written);
  const digit = tail.charCodeAt(0);
  return expressions.any(
    expressions.sequence(expressions.bytes([0x30, digit - 1]), digitsOf(expressions, 0)),
    expressions.sequence(expressions.bytes([digit, digit]), expressions.optional(tailAtMost(expressions, tail.slice(1)))),
  );
}

function tailBetween(expressions: Expressions, least: string, most: string): Expression {
  if (least === '') return expressions.optional(tailAtMost(expressions, most));
  const [low, high] = [least.charCodeAt(0), most.charCodeAt(0)];
  if (low === high)
    return expressions.sequence(expressions.bytes([low, low]), tailBetween(expressions, least.slice(1), most.slice(1)));
  return expressions.any(
    expressions.sequence(expressions.bytes([low, low]), tailAtLeast(expressions, least.slice(1))),
    expressions.sequence(expressions.bytes([low + 1, high - 1]), digitsOf(expressions, 0)),
    expressions.sequence(expressions.bytes([high, high]), expressions.optional(tailAtMost(expressions, most.slice(1)))),
  );
}

function anyNumber(expressions: Expressions): Expression {
  const digit = expressions.bytes([0x30, 0x39]);
  const some = (least: number, most: number): Expression => expressions.repeat(digit, least, most);
  return expressions.sequence(
    expressions.optional(expressions.literal('-')),
    expressions.any(expressions.literal('0'), expressions.sequence(expressions.bytes([0x31, 0x39]), some(0, 14))),
    expressions.optional(expressions.sequence(expressions.literal('.'), some(1, 15))),
    expressions.optional(
      expressions.sequence(
        expressions.bytes([0x45, 0x45], [0x65, 0x65]),
        expressions.optional(expressions.bytes([0x2b, 0x2b], [0x2d, 0x2d])),
        some(1, 2),
      ),
    ),
  );
}

/** Decimal numbers without leading zeros between two that are not negative. */
function digits(expressions: Expressions, least: string, most: string): Expression {
  const choices: Expression[] = [];
  for (let length = least.length; length <= most.length; length++) {
    const from = length === least.length ? least : `1${'0'.repeat(length - 1)}`;
    const to = length === most.length ? most : '9'.repeat(length);
    choices.push(sameLength(expressions, from, to));
  }
  return expressions.any(...choices);
}

function sameLength(expressions: Expressions, least: string, most: string): Expression {
  if (least > most) return expressions.nothing;
  if (least === '') return expressions.empty;
  const [low, high] = [least.charCodeAt(0), most.charCodeAt(0)];
  const rest = least.length - 1;
  const any = expressions.repeat(expressions.bytes([0x30, 0x39]), rest, rest);
  // Every tail is within: one branch in place of a tree of them.
  if (/^.0*$/.test(least) && /^.9*$/.test(most)) return expressions.sequence(expressions.bytes([low, high]), any);
  if (low === high)
    return expressions.sequence(expressions.bytes([low, low]), sameLength(expressions, least.slice(1), most.slice(1)));
  return expressions.any(
    expressions.sequence(expressions.bytes([low, low]), sameLength(expressions, least.slice(1), '9'.repeat(rest))),
    low + 1 <= high - 1 ? expressions.sequence(expressions.bytes([low + 1, high - 1]), any) : expressions.nothing,
    expressions.sequence(expressions.bytes([high, high]), sameLength(expressions, '0'.repeat(rest), most.slice(1))),
  );
}

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

/** Numbers from `least` to `most`: whole ones, and with a fraction where both neighbours are within. */
export function numbers(expressions: Expressions, bounds: Bounds): Expression {
  const { least, most } = bounds;
  if (least === -Infinity && most === Infinity) return anyNumber(expressions);
  const fraction = expressions.sequence(expressions.literal('.'), expressions.repeat(expressions.bytes([0x30, 0x39]), 1, 15));
  const whole = wholeNumbers(expressions, bounds);
  // m.… lies between m and m + 1, −m.… between −m − 1 and −m.
  const above = wholeNumbers(expressions, { least: Math.max(0, least), most: most - 1 });
  const belowLeast = Math.max(0, Math.ceil(-most));
  const belowMost = Math.floor(-least) - 1;
  const below =
    belowMost >= belowLeast
      ? expressions.sequence(expressions.literal('-'), wholeNumbers(expressions, { least: belowLeast, most: belowMost }))
      : expressions.nothing;
  const found = expressions.any(whole, expressions.sequence(above, fraction), expressions.sequence(below, fraction));
  return found === expressions.nothing ? narrow(expressions, bounds) : found;
}

/** Bounds with no whole number between them: as many decimals as it takes. */
function narrow(expressions: Expressions, { least, most }: Bounds): Expression {
  for (let decimals = 1; decimals <= 12 && least <= most; decimals++) {
    const scale = 10 ** decimals;
    const [low, high] = [Math.ceil(least * scale), Math.floor(most * scale)];
    const within = [low, high].every((value) => value / scale >= least && value / scale <= most);
    if (low > high || !within) continue;
    const written = (value: number): Expression => expressions.literal((value / scale).toFixed(decimals));
    const count = Math.min(high - low, 99);
    return expressions.any(...Array.from({ length: count + 1 }, (_, index) => written(low + index)));
  }
  return expressions.nothing;
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

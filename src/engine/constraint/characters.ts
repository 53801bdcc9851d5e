/** Characters of a JSON string as bytes: ranges of code points in UTF-8, and the escapes of those that may not stand there as they are. */
import type { Expression, Expressions } from './expression.ts';

export type CodePoints = readonly (readonly [from: number, to: number])[];

const last = 0x10ffff;
const surrogates = [0xd800, 0xdfff] as const;

/** Everything but these. */
export function without(points: CodePoints): [number, number][] {
  const result: [number, number][] = [];
  let from = 0;
  for (const [low, high] of [...points].sort((a, b) => a[0] - b[0])) {
    if (low > from) result.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= last) result.push([from, last]);
  return result;
}

/** One character of a set, as a JSON string has it: quotes, backslashes and control characters in one escaped form each. */
export function character(expressions: Expressions, points: CodePoints): Expression {
  const choices: Expression[] = [];
  for (const [from, to] of points) {
    for (let point = from; point <= Math.min(to, 0x1f); point++) choices.push(expressions.literal(escaped(point)));
    if (from <= 0x22 && to >= 0x22) choices.push(expressions.literal('\\"'));
    if (from <= 0x5c && to >= 0x5c) choices.push(expressions.literal('\\\\'));
    for (const [low, high] of [
      [0x20, 0x21],
      [0x23, 0x5b],
      [0x5d, surrogates[0] - 1],
      [surrogates[1] + 1, last],
    ] as const)
      choices.push(utf8(expressions, Math.max(from, low), Math.min(to, high)));
  }
  return expressions.any(...choices);
}

/** Any character of a JSON string, in any of the forms that JSON has for it (single surrogates left out). */
export function anyCharacter(expressions: Expressions): Expression {
  const hex = expressions.bytes([0x30, 0x39], [0x41, 0x46], [0x61, 0x66]);
  const notD = expressions.bytes([0x30, 0x39], [0x41, 0x43], [0x45, 0x46], [0x61, 0x63], [0x65, 0x66]);
  const unicode = expressions.any(
    expressions.sequence(notD, hex, hex, hex),
    expressions.sequence(expressions.bytes([0x44, 0x44], [0x64, 0x64]), expressions.bytes([0x30, 0x37]), hex, hex),
  );
  return expressions.any(
    character(expressions, [
      [0x20, 0x21],
      [0x23, 0x5b],
      [0x5d, last],
    ]),
    expressions.sequence(
      expressions.literal('\\'),
      expressions.any(
        ...Array.from('"\\/bfnrt', (mark) => expressions.literal(mark)),
        expressions.sequence(expressions.literal('u'), unicode),
      ),
    ),
  );
}

/** Code points of a range in UTF-8. */
function utf8(expressions: Expressions, from: number, to: number): Expression {
  if (from > to) return expressions.nothing;
  for (const limit of [0x7f, 0x7ff, 0xffff]) {
    if (from <= limit && to > limit) return expressions.any(utf8(expressions, from, limit), utf8(expressions, limit + 1, to));
  }
  return byteRange(expressions, encoded(from), encoded(to));
}

/** All byte strings of one length between two, where bytes behind the first run over all of 80 to BF. */
function byteRange(expressions: Expressions, from: readonly number[], to: readonly number[]): Expression {
  const [low = 0, ...lows] = from;
  const [high = 0, ...highs] = to;
  if (lows.length === 0) return expressions.bytes([low, high]);
  const least = lows.map(() => 0x80);
  const most = lows.map(() => 0xbf);
  const headed = (byte: number, tail: Expression): Expression => expressions.sequence(expressions.bytes([byte, byte]), tail);
  if (low === high) return headed(low, byteRange(expressions, lows, highs));
  return expressions.any(
    headed(low, byteRange(expressions, lows, most)),
    low + 1 <= high - 1
      ? expressions.sequence(expressions.bytes([low + 1, high - 1]), byteRange(expressions, least, most))
      : expressions.nothing,
    headed(high, byteRange(expressions, least, highs)),
  );
}

function encoded(point: number): number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(point))];
}

function escaped(point: number): string {
  return JSON.stringify(String.fromCharCode(point)).slice(1, -1);
}

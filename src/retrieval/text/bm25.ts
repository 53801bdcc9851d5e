/**
 * BM25 as Lucene 9 computes it, bit for bit: float32 arithmetic in the same order, document lengths squeezed into one byte,
 * ties broken by document id. The defaults are pyserini's (k1 0.9, b 0.4), not Lucene's.
 */

export interface Bm25 {
  readonly k1: number;
  readonly b: number;
}

export const pyserini: Bm25 = { k1: 0.9, b: 0.4 };

const f = Math.fround;

/** Lucene's SmallFloat.intToByte4: exact up to 39 or so, then four significant bits. */
export function encodeLength(length: number): number {
  if (length < FREE) return length;
  return FREE + longToInt4(length - FREE);
}

export function decodeLength(byte: number): number {
  return byte < FREE ? byte : FREE + int4ToLong(byte - FREE);
}

/** idf of a term in `documents` documents, `containing` of which hold it. */
export function inverseDocumentFrequency(documents: number, containing: number): number {
  return f(Math.log(1 + (documents - containing + 0.5) / (containing + 0.5)));
}

/** For each encoded length, what a term's frequency is multiplied by. */
export function lengthFactors({ k1, b }: Bm25, averageLength: number): Float32Array {
  const k = f(k1);
  const beta = f(b);
  const average = f(averageLength);
  const factors = new Float32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const relative = f(f(beta * f(decodeLength(byte))) / average);
    factors[byte] = f(1 / f(k * f(f(1 - beta) + relative)));
  }
  return factors;
}

/** How much a document saturates a term, whatever the term's weight: 1 + frequency * length factor. */
export function saturationOf(frequency: number, factor: number): number {
  return f(1 + f(frequency * factor));
}

/** The score of one term in one document; `weight` is boost times idf. Never falls where the saturation rises. */
export function termScore(weight: number, saturation: number): number {
  return f(weight - f(weight / saturation));
}

/** Values below this are kept exactly: 255 minus the code of the largest int. */
const FREE = 255 - longToInt4(2147483647);

function longToInt4(value: number): number {
  const bits = value === 0 ? 0 : Math.floor(Math.log2(value)) + 1;
  if (bits < 4) return value;
  const shift = bits - 4;
  return (Math.floor(value / 2 ** shift) & 0x07) | ((shift + 1) << 3);
}

function int4ToLong(code: number): number {
  const bits = code & 0x07;
  const shift = (code >>> 3) - 1;
  return shift === -1 ? bits : (bits | 0x08) * 2 ** shift;
}

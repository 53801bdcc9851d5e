/** How far two halves of a batch agree on where to go: the cosine between their gradients, and when it is too little to learn from. */
import { at, sameLengths } from './numbers.ts';

/** Steps that a judgement needs, and the mean cosine below which updates are mostly noise. */
export const agreementSteps = 20;
export const littleAgreement = 0.02;

/** The cosine between the gradient of the first half and that of the second, from the first and the sum of both. */
export function agreementOf(first: Float32Array, both: Float32Array): number | undefined {
  sameLengths('a pair of gradients', { 'numbers in both halves': both, 'in the first': first });
  let [dot, one, other] = [0, 0, 0];
  for (let i = 0; i < both.length; i++) {
    const a = at(first, i);
    const b = at(both, i) - a;
    dot += a * b;
    one += a * a;
    other += b * b;
  }
  return one === 0 || other === 0 ? undefined : dot / Math.sqrt(one * other);
}

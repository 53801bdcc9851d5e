/** How far two halves of a batch agree on where to go: the cosine between their gradients, and when it is too little to learn from. */

/** Steps that a judgement needs, and the mean cosine below which updates are mostly noise. */
export const agreementSteps = 20;
export const littleAgreement = 0.02;

/** The cosine between the gradient of the first half and that of the second, from the first and the sum of both. */
export function agreementOf(first: Float32Array, both: Float32Array): number | undefined {
  let [dot, one, other] = [0, 0, 0];
  for (let i = 0; i < both.length; i++) {
    const a = first[i] ?? 0;
    const b = (both[i] ?? 0) - a;
    dot += a * b;
    one += a * a;
    other += b * b;
  }
  return one === 0 || other === 0 ? undefined : dot / Math.sqrt(one * other);
}

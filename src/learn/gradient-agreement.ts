/** When two halves of a batch agree too little on where to go (the cosine between their gradients) to learn from them. */

/** Steps that a judgement needs, and the mean cosine below which updates are mostly noise. */
export const agreementSteps = 20;
export const littleAgreement = 0.02;

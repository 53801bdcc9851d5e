/**
 * What every score is: a pure function of an answer and its ground truth. Names and numbers are those of verl's `reward_score`, so that
 * curves of both can be laid over each other.
 */

export interface Scored {
  readonly score: number;
  /** Was the answer right? Where a score is not simply 0 and 1, this is what verl logs as `acc`. */
  readonly correct: boolean;
  /** What was taken for the answer; null where none was found. */
  readonly answer?: string | null;
  /** Named numbers behind the score (format, accuracy), logged beside it. */
  readonly parts?: Readonly<Record<string, number>>;
}

/** `solution` is what the model wrote; the ground truth is what the row of the data set says, in whatever form that score takes. */
export type Score = (solution: string, groundTruth: unknown) => Scored;

/** Right or wrong, worth 1 or 0. */
export function rightOrWrong(correct: boolean, answer?: string | null): Scored {
  return { score: correct ? 1 : 0, correct, ...(answer === undefined ? {} : { answer }) };
}

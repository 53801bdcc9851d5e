/**
 * The one error class. A stable code for machines, a sentence that ends with the remedy for people, the cause for the
 * curious. Whatever else is thrown becomes one of these at the boundary of a layer (`AgogeError.from`).
 *
 * Codes are AREA_WHAT in capitals, written where they are thrown; an area is one of those below.
 */
export type ErrorArea =
  | 'CORE'
  | 'ENV'
  | 'GYM'
  | 'AGENT'
  | 'POLICY'
  | 'ENGINE'
  | 'MODEL'
  | 'LEARN'
  | 'TRAIN'
  | 'EVAL'
  | 'RUN'
  | 'DATA'
  | 'REPORT'
  | 'CONFIG'
  | 'CLI'
  | 'SEARCH'
  | 'SANDBOX'
  | 'REWARD';

/** An area of the project and what went wrong there, such as `ENV_UNKNOWN_TASK`. */
export type ErrorCode = `${ErrorArea}_${string}`;

/** The one error class: a stable `code` for programs, a sentence that ends with the remedy for people. */
export class AgogeError extends Error {
  override readonly name = 'AgogeError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  /** The error itself where it is one already, else one with this code whose sentence includes the original's. */
  static from(thrown: unknown, code: ErrorCode, context: string): AgogeError {
    if (thrown instanceof AgogeError) return thrown;
    return new AgogeError(code, `${context}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
  }

  toJSON(): { code: ErrorCode; message: string } {
    return { code: this.code, message: this.message };
  }
}

/** What every format can be asked for. */
export interface FormatOptions {
  /** Put the environment's worked example into the prompt. */
  readonly fewShot?: boolean;
}

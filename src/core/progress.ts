/**
 * Long work tells how far it is, and whoever has a screen shows it. Work deep inside (an index that is built when an environment is
 * loaded) knows nobody to tell: it says it here, and the command line listens.
 */
export interface Progress {
  /** What is being done, in a few words. */
  readonly what: string;
  readonly done: number;
  /** Absent where nobody knows. */
  readonly total?: number | undefined;
  /** `passages`, `bytes`, … */
  readonly unit: string;
  readonly ended?: boolean;
}

let listener: ((progress: Progress) => void) | undefined;

/** From now on this is told of all progress; undefined for nobody. */
export function onProgress(listen: ((progress: Progress) => void) | undefined): void {
  listener = listen;
}

export function tellProgress(progress: Progress): void {
  listener?.(progress);
}

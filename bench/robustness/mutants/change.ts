/** One line of the sources said otherwise. The old text occurs once in its file; `says` is what would then be wrong. */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly says: string;
  /** Why no test can notice it, where nothing behaves otherwise: such a change is not run, and not counted. */
  readonly equal?: string | undefined;
}

/** Changes of one room, by file: old text, new text, what would be wrong, and why it is not where nothing is. */
export function changes(
  room: string,
  files: Readonly<Record<string, readonly (readonly [string, string, string, equal?: string])[]>>,
): Change[] {
  return Object.entries(files).flatMap(([file, list]) =>
    list.map(([from, to, says, equal]) => ({ file: `src/${room}/${file}`, from, to, says, equal })),
  );
}

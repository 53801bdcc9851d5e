/** A word as it is typed into a POSIX shell: in quotes where the shell would take it apart or make something else of it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

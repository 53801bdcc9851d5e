/** `~/` at the start of a path is the home folder, as a shell would have it; also behind `hf:` and its like. */
import { homedir } from 'node:os';

export function expandHome(path: string): string {
  return path.replace(/^([a-z]+:)?~(?=\/|$)/, (_, kind: string | undefined) => `${kind ?? ''}${homedir()}`);
}

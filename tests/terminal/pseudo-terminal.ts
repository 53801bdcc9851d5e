/** A command in a real pseudo-terminal, made by `script` of util-linux: what it writes, a key pressed, and how it ended. */
import { spawn, spawnSync } from 'node:child_process';

/** Why there is none here, or undefined. */
export const noTerminal: string | undefined =
  spawnSync('script', ['-qfec', 'true', '/dev/null']).status === 0 ? undefined : 'script (util-linux) does not work here';

export interface Ended {
  readonly code: number | null;
  /** All that came, with the terminal's own sequences. */
  readonly output: string;
  /** Seconds from the key to the end. */
  readonly seconds: number;
}

/** Keys that are pressed as soon as something is in what came since the last ones. */
export type Press = readonly [when: RegExp, keys: string];

/** Runs Node with `args` on a terminal and presses Ctrl-C as soon as `when` is in its output; undefined: never. Or other keys. */
export function inTerminal(
  args: readonly string[],
  cwd: string,
  when: RegExp | undefined | readonly Press[],
  columns = 80,
  env = process.env,
): Promise<Ended> {
  return commandInTerminal([process.execPath, ...args], { cwd, env, columns }, when);
}

/** The same of any program. */
export function commandInTerminal(
  command: readonly string[],
  { cwd, env, columns }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly columns: number },
  when: RegExp | undefined | readonly Press[],
): Promise<Ended> {
  const quoted = command.map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['-qfec', `stty cols ${String(columns)} rows 24; exec ${quoted}`, '/dev/null'], { cwd, env });
  const presses = when instanceof RegExp ? [[when, '\u0003'] as const] : [...(when ?? [])];
  let output = '';
  let since = 0;
  let pressed: number | undefined;
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    const [next] = presses;
    if (next?.[0].test(output.slice(since)) !== true) return;
    presses.shift();
    since = output.length;
    pressed = performance.now();
    child.stdin.write(next[1]);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.stdin.on('error', () => undefined); // it may have ended by itself
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ code, output, seconds: (performance.now() - (pressed ?? performance.now())) / 1000 });
    });
  });
}

/** Is the terminal as it was: the cursor shown, long lines wrapped? */
export function restored(output: string): boolean {
  return ['25', '7'].every((mode) => output.lastIndexOf(`\u001b[?${mode}l`) <= output.lastIndexOf(`\u001b[?${mode}h`));
}

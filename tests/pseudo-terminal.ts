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

/** Runs Node with `args` on a terminal of 80 columns and presses Ctrl-C as soon as `when` is in its output; undefined: never. */
export function inTerminal(args: readonly string[], cwd: string, when: RegExp | undefined): Promise<Ended> {
  const command = [process.execPath, ...args].map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['-qfec', `stty cols 80 rows 24; exec ${command}`, '/dev/null'], { cwd });
  let output = '';
  let pressed: number | undefined;
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    if (pressed !== undefined || when?.test(output) !== true) return;
    pressed = performance.now();
    child.stdin.write('\u0003');
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

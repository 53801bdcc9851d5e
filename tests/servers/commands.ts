/** Commands of ours beside a server, and what their evaluations wrote. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A command in that folder, to its end; what it printed. */
export async function agoge(folder: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder });
  const closed = once(child, 'close');
  let [out, said] = ['', ''];
  child.stderr.on('data', (part) => (said += String(part)));
  for await (const part of child.stdout) out += String(part);
  await closed;
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${said}`);
  return out;
}

export interface Episode {
  readonly task: string;
  readonly turns: readonly { readonly reply: string; readonly action?: string }[];
}

/** The episodes of an evaluation's folder. */
export function episodesOf(out: string): Episode[] {
  const text = gunzipSync(readFileSync(join(out, 'episodes.jsonl.gz'))).toString('utf8');
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Episode);
}

/** What was replied to each task. */
export function repliesOf(out: string): Record<string, string[]> {
  return Object.fromEntries(episodesOf(out).map(({ task, turns }) => [task, turns.map(({ reply }) => reply)]));
}

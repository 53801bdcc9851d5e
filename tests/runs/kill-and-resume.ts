/** Commands that are killed by SIGKILL at a named write and given again, and what a folder says once times are taken out of it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const killer = new URL('../fixtures/kill-at.mjs', import.meta.url).href;
const disk = new URL('../chaos/disk.js', pathToFileURL(cli)).href;

/** Before the write, after half of it, or between a finished file and its name; `disk-late`: it lives, only its parent is killed. */
export interface Kill {
  readonly kind: 'kill-write' | 'kill-torn' | 'kill-rename' | 'disk-late';
  /** Writes below this path count. */
  readonly below: string;
  /** So many of them come before. */
  readonly at: number;
  /** The process with these words in its command line; default: the command itself. */
  readonly only?: string;
  /** Its parent is killed too. */
  readonly parent?: boolean;
}

export interface Ended {
  readonly status: number | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** A whole command in a process of its own. */
export function agoge(folder: string, args: readonly string[], kill?: Kill): Ended {
  const orders = kill && { ...kill, folders: [join(folder, kill.below)], disk };
  const { NODE_OPTIONS = '', ...rest } = process.env;
  const env = orders
    ? { ...rest, NODE_OPTIONS: `${NODE_OPTIONS} --import ${killer}`, KILL_AT: JSON.stringify(orders) }
    : process.env;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', env });
  return { status, killed: signal === 'SIGKILL', stdout, stderr };
}

/** What depends on the clock, or on how often something was started (an engine counts its versions from there). */
const incidental =
  /^(perf|timing)|timing_|time$|_time_|^created$|^policy_version$|seconds|elapsed|progress|tokens_per_second|^retr|^updatedAt$|^startedAt$|^pid$|^resumes$/;
/** Files for people, and those that only say who wrote when. */
const skipped = /(^|\/)(logs\/|report\.html$|\.owner-|summary\.|trainer\.json$|config\.yaml$)|\.log$/;

/** Everything in a folder, by path: JSON without times, episodes unpacked, all else by its hash. */
export function contents(folder: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (!entry.isFile() || skipped.test(name)) continue;
    const stampless = name.replace(/_\d{8}_\d{6}/, '_WHEN');
    // Two of one name but for the time are one too many.
    found[stampless in found ? name : stampless] = contentOf(path);
  }
  return found;
}

function contentOf(path: string): unknown {
  const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
  if (/\.jsonl(\.gz)?$/.test(path))
    return bytes
      .toString('utf8')
      .split('\n')
      .map((line) => (line === '' ? line : plain(JSON.parse(line))));
  if (path.endsWith('.json') && bytes.length < 1e6) return plain(JSON.parse(bytes.toString('utf8')));
  return createHash('sha256').update(bytes).digest('hex');
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (incidental.test(key) ? [] : [[key, plain(inner)]])));
}

/** Rows of the index of episodes, as they stand. */
export function indexOf(run: string): string[] {
  const path = join(run, 'episodes/index.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
}

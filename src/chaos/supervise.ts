/**
 * The parent of a command under chaos. First a quiet twin, whose turns and writes are counted; then the command itself, started again
 * whenever it was killed, interrupted or refused by its disk, as a service manager would. Every start's words are kept in a log.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import { kindsAt } from './episodes.ts';
import { Ledger, readLedger } from './ledger.ts';
import type { FaultName } from './kinds.ts';
import { ordersVariable, type Ending, type Events, type LedgerLine, type Orders } from './orders.ts';
import type { ChaosSpec } from './spec.ts';

export interface Supervised {
  /** Where logs, the ledger and the twin lie. */
  readonly work: string;
  /** The program and what it is called with: without faults, at first, and after a start that did not end well (if not as at first). */
  readonly program: readonly string[];
  readonly quiet?: readonly string[] | undefined;
  readonly first: readonly string[];
  readonly again?: (() => Promise<readonly string[]>) | undefined;
  /** What is written by the command, and by its twin. */
  readonly folders: readonly string[];
  readonly quietFolders: readonly string[];
  readonly promise: Orders['promise'];
  /** What a run without faults comes to, where no twin is to count it. */
  readonly events?: Events | undefined;
  /** The child's lines as they come. */
  readonly echo?: ((line: string) => void) | undefined;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

export interface Start {
  readonly number: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SuperviseResult {
  readonly starts: readonly Start[];
  /** The last start ended with 0; a server: it ran until its owner ended it. */
  readonly completed: boolean;
  readonly ledger: readonly LedgerLine[];
  /** What the last start printed. */
  readonly output: string;
}

/** Further starts after the last that may be struck: what was lost must be complete by then. */
const calm = 4;

export async function supervise(spec: ChaosSpec, work: Supervised): Promise<SuperviseResult> {
  await mkdir(work.work, { recursive: true });
  const events = work.events ?? (await twin(spec, work));
  const ledger = join(work.work, 'ledger.jsonl');
  const starts: Start[] = [];
  const most = spec.starts + calm;
  for (let number = 0; number < most && !work.signal.aborted; number++) {
    const orders: Orders = {
      seed: spec.seed,
      kinds: spec.kinds,
      start: number,
      promise: work.promise,
      ledger,
      folders: work.folders,
      ending: endingOf(spec, number, events),
    };
    const args = number > 0 && work.again ? await work.again() : work.first;
    const { code, signal } = await run(work, args, orders, `start-${number}`);
    starts.push({ number, code, signal });
    const struck = (await readLedger(ledger)).filter((line) => line.start === number && 'fault' in line);
    const how = signal === null ? `ended with ${code ?? '?'}` : `ended by ${signal}`;
    work.say(`start ${number + 1}: ${struck.length} ${struck.length === 1 ? 'fault' : 'faults'}, ${how}`);
    // What failed without a fault would fail again. A server has no end of its own, and comes back from what ended it.
    if (struck.length === 0 || (work.promise === 'serve' ? !struck.some(ends) : code === 0)) break;
  }
  const output = await readFile(join(work.work, `start-${starts.length - 1}.log`), 'utf8').catch(() => '');
  const completed = work.promise === 'serve' ? work.signal.aborted : starts.at(-1)?.code === 0;
  return { starts, completed, ledger: await readLedger(ledger), output };
}

function ends(line: LedgerLine): boolean {
  return 'fault' in line && kindsAt({ kinds: [line.fault] }, ['kill']).length > 0;
}

/** The run without faults; throws CLI_CHAOS_QUIET where it fails by itself. */
async function twin(spec: ChaosSpec, work: Supervised): Promise<Events> {
  const none = { turns: 1, writes: 1, renames: 1, milliseconds: 1 };
  if (work.quiet === undefined) return none;
  const ledger = join(work.work, 'quiet-ledger.jsonl');
  const orders: Orders = {
    seed: spec.seed,
    kinds: [],
    start: 0,
    promise: work.promise,
    ledger,
    folders: work.quietFolders,
  };
  const { code } = await run(work, work.quiet, orders, 'quiet');
  const end = (await readLedger(ledger)).at(-1);
  if (code === 0 && end && 'events' in end) {
    const { turns, writes, milliseconds } = end.events;
    work.say(`quiet: ${turns} turns, ${writes} writes, ${(milliseconds / 1000).toFixed(1)} s`);
    return end.events;
  }
  if (work.signal.aborted) return none;
  const log = join(work.work, 'quiet.log');
  const last = (await readFile(log, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
  throw new AgogeError(
    'CLI_CHAOS_QUIET',
    `the command fails without any fault (exit code ${code ?? 'none'}, "${last}"): see ${log} and repair that first`,
  );
}

/** Every whole file is opened, flushed and renamed once: one count does for the three. */
const once = /^(disk-rename|kill-rename|disk-sync|disk-handles)$/;

/** What one start ends with, or meets on its disk; drawn among what the quiet run did. Later starts are left alone, so that the work ends. */
export function endingOf({ seed, kinds, starts }: ChaosSpec, start: number, events: Events): Ending | undefined {
  const random = Random.of(seed, 'ending', start);
  const byTurn = (kind: FaultName): boolean => kind === 'kill-step' || kind === 'terminate';
  const names = kindsAt({ kinds }, ['disk', 'kill']).filter((kind) => events.turns > 0 || !byTurn(kind));
  if (names.length === 0 || start >= starts) return undefined;
  const kind = random.pick(names);
  if (isClock(kind)) return { kind, at: Math.round(random.float() * events.milliseconds) };
  const among = byTurn(kind) ? events.turns : once.test(kind) ? events.renames : events.writes;
  return { kind, at: random.below(Math.max(1, among)) };
}

function isClock(kind: FaultName): boolean {
  return kind === 'kill-time' || kind === 'interrupt';
}

async function run(
  { work, program, signal, echo, say }: Supervised,
  args: readonly string[],
  orders: Orders,
  name: string,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const log = createWriteStream(join(work, `${name}.log`));
  const [command = process.execPath, ...before] = program;
  const child = spawn(command, [...before, ...args], {
    // English: its words are kept in files, and told again by whoever asked.
    env: { ...process.env, AGOGE_LANG: 'en', [ordersVariable]: JSON.stringify(orders) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches it once, through us.
    detached: true,
  });
  if (echo) {
    createInterface({ input: child.stdout }).on('line', echo);
    createInterface({ input: child.stderr }).on('line', say);
  }
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const stop = (): void => void child.kill('SIGINT');
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const { ending } = orders;
  // Kills that come from outside, at a moment of the clock.
  const timer =
    ending && isClock(ending.kind)
      ? setTimeout(() => {
          if (child.exitCode !== null || !child.kill(ending.kind === 'interrupt' ? 'SIGINT' : 'SIGKILL')) return;
          new Ledger(orders.ledger, orders.start).note(ending.kind, `after ${ending.at} ms`);
        }, ending.at)
      : undefined;
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, ended) => resolve({ code, signal: ended }));
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await new Promise<void>((resolve) => log.end(resolve));
  }
}

/**
 * Reads games from disk: one `game.tw-pddl`, a folder of them (json_2.1.1 and its parts), or JSON lines, gzipped or not. The only
 * file of this environment that touches a disk; it asks for the disk when games are named, so that a page can carry it.
 */
import { boundedGunzip, gunzipPieces } from '../../core/bounded-gunzip.ts';
import { AgogeError } from '../../core/error.ts';
import type { GameText } from './games.ts';

/** All games under a path, sorted by split, task and trial; throws ENV_NO_GAMES or ENV_BAD_GAME. */
export async function readGames(path: string): Promise<GameText[]> {
  const { fs, path: paths } = disk();
  const games: GameText[] = [];
  for (const file of await filesUnder(path)) {
    if (/\.jsonl(\.gz)?$/.test(file)) {
      for await (const game of readLines(file)) if (!unfinished.test(game.task)) games.push(game);
    } else {
      const text = await fs.promises.readFile(file, 'utf8').catch((cause: unknown) => Promise.reject(unreadable(file, cause)));
      games.push(readGameFile(text, paths.resolve(file)));
    }
  }
  if (games.length === 0) {
    throw new AgogeError(
      'ENV_NO_GAMES',
      `${path} holds no games: give a game.tw-pddl, a folder with some (json_2.1.1), or a .jsonl or .jsonl.gz of games`,
    );
  }
  const order = ({ split, task, trial }: GameText): string => `${split}/${task}/${trial}`;
  return games.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** A game.tw-pddl; its split, task and trial are the folders it lies in. */
function readGameFile(text: string, path: string): GameText {
  const where = path.split(/[\\/]/).slice(-4).join('/');
  const given = parsed(text, where);
  const problem = textOf(given, 'pddl_problem', where);
  const grammar = textOf(given, 'grammar', where);
  const sentence = /"Your task is to: ((?:[^"\\]|\\.)*)"/.exec(grammar)?.[1];
  if (sentence === undefined) throw bad(where, 'has a grammar without a task sentence');
  const folders = path.split(/[\\/]/).slice(0, -1);
  const [split = '', task = '', trial = ''] = folders.slice(-3);
  const solvable = given['solvable'];
  return {
    split,
    task,
    trial: trial === '' ? 'game' : trial,
    sentence: JSON.parse(`"${sentence}"`) as string,
    problem,
    ...(grammar.includes('move {o} to {r}') && { edition: '0.4' as const }),
    ...(typeof solvable === 'boolean' && { solvable }),
  };
}

/** Games with movable receptacles or slices were never finished: the original leaves them out as well. */
const unfinished = /movable|Sliced/;

/** Node's modules. */
function disk() {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const load = process?.getBuiltinModule;
  if (!load) throw new AgogeError('ENV_NO_GAMES', 'files cannot be read here: leave alfworld.games out, or run agoge in Node');
  return {
    fs: load('node:fs'),
    path: load('node:path'),
    zlib: load('node:zlib'),
    readline: load('node:readline'),
    stream: load('node:stream'),
  };
}

async function filesUnder(path: string): Promise<string[]> {
  const { fs, path: paths } = disk();
  try {
    if (!(await fs.promises.stat(path)).isDirectory()) return [path];
    const found = await fs.promises.readdir(path, { recursive: true });
    const names = found.map((name) => name.split(paths.sep).join('/'));
    const games = names.filter((name) => /(^|\/)game\.tw-pddl$/.test(name) && !unfinished.test(name));
    const lines = names.filter((name) => /\.jsonl(\.gz)?$/.test(name) && !name.includes('/'));
    return [...games, ...lines].sort().map((name) => paths.join(path, name));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Games as JSON lines: split, task, trial, solvable, goal (the task sentence) and pddl_problem. */
async function* readLines(path: string): AsyncGenerator<GameText> {
  const { fs, path: paths, zlib, readline, stream } = disk();
  const name = paths.basename(path);
  const file = fs.createReadStream(path);
  const input = path.endsWith('.gz') ? stream.Readable.from(boundedGunzip(file, zlib.createGunzip(gunzipPieces), path)) : file;
  const failed = new Promise<never>((_, reject) => {
    for (const stream of new Set([file, input])) stream.once('error', (cause: unknown) => reject(unreadable(path, cause)));
  });
  failed.catch(() => undefined);
  const lines = readline.createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  for (let number = 1; ; number++) {
    const line = await Promise.race([lines.next(), failed]);
    if (line.done === true) break;
    if (line.value.trim() === '') continue;
    yield readLine(line.value, `line ${number} of ${name}`);
  }
}

function readLine(text: string, where: string): GameText {
  const given = parsed(text, where);
  const [task, trial, sentence, problem] = ['task', 'trial', 'goal', 'pddl_problem'].map((key) => textOf(given, key, where));
  const { split, solvable } = given;
  return {
    split: typeof split === 'string' ? split : '',
    task: task ?? '',
    trial: trial ?? '',
    sentence: sentence ?? '',
    problem: problem ?? '',
    ...(typeof solvable === 'boolean' && { solvable }),
  };
}

function parsed(text: string, where: string): Record<string, unknown> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw bad(where, `is not whole JSON (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw bad(where, 'is not a JSON object');
}

function textOf(given: Readonly<Record<string, unknown>>, key: string, where: string): string {
  const value = given[key];
  if (typeof value === 'string') return value;
  throw bad(where, `has no ${key}`);
}

function bad(where: string, what: string, cause?: unknown): AgogeError {
  return new AgogeError('ENV_BAD_GAME', `${where} ${what}: fetch the game again or leave it out`, { cause });
}

function unreadable(path: string, cause: unknown): AgogeError {
  if (cause instanceof AgogeError) return cause;
  const words = cause instanceof Error ? cause.message : String(cause);
  return new AgogeError('ENV_NO_GAMES', `${path} cannot be read (${words}): check the path, or fetch the file again`, { cause });
}

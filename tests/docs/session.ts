/**
 * Runs commands of the built `agoge` one after the other in this process, as asked for over IPC: the same parser and the same actions
 * as on the command line, without a start of Node for each. Servers go on side by side until the session ends.
 */
import type { Command } from 'commander';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Request {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * `serve`: it goes on, and is well when it has named its address. `parse`: its words are read and nothing is done. `name`: a command
   * and options of it are mentioned, without what they need. `cd`: the following are run in that folder.
   */
  readonly kind: 'run' | 'serve' | 'parse' | 'name' | 'cd';
}

export interface Answer {
  /** What went wrong, if anything did. */
  readonly problem?: string;
  readonly said: string;
}

/** Thrown in place of a command's action, where only its words are to be read. */
class Parsed extends Error {}

const [, , dist = ''] = process.argv;
await import(pathToFileURL(join(dist, 'cli/terminal/signals.js')).href);
const { openProgram } = (await import(pathToFileURL(join(dist, 'cli/commands.js')).href)) as {
  openProgram: () => Promise<Command>;
};
const program = await openProgram();
const address = /https?:\/\/\S+:\d+/;
const servers: Promise<unknown>[] = [];
let said = '';
let kind: Request['kind'] = 'run';

for (const stream of [process.stdout, process.stderr])
  stream.write = (chunk: string | Uint8Array): boolean => {
    said += String(chunk);
    return true;
  };
throwing(program);
program.hook('preAction', () => {
  if (kind === 'parse') throw new Parsed();
});

function throwing(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwing);
}

/** What went wrong, or undefined. */
async function run(args: readonly string[]): Promise<string | undefined> {
  process.argv = [process.execPath, join(dist, 'cli/main.js'), ...args];
  process.exitCode = 0;
  try {
    if (kind === 'name') return unknownIn(args);
    if (kind === 'cd') {
      process.chdir(args[0] ?? '');
      return undefined;
    }
    const work = program.parseAsync(args, { from: 'user' });
    if (kind === 'serve') await listening(work);
    else await work;
    return process.exitCode === 0 ? undefined : `exit code ${String(process.exitCode)}`;
  } catch (thrown) {
    const { code = '', exitCode, message } = thrown as Error & { code?: string; exitCode?: number };
    return thrown instanceof Parsed || exitCode === 0 ? undefined : `${message} [${code}]`;
  } finally {
    process.exitCode = 0;
  }
}

/** The first word that is no command, or no option of the one before it. */
function unknownIn(args: readonly string[]): string | undefined {
  let at = program;
  for (const word of args) {
    const next = at.commands.find((command) => command.name() === word);
    if (next) at = next;
    else if (!at.options.some(({ long }) => long === word)) return `${at.name()} has no ${word}`;
  }
  return undefined;
}

async function listening(work: Promise<unknown>): Promise<void> {
  const state = { ended: false };
  const end = work.finally(() => (state.ended = true));
  servers.push(end.catch(() => undefined));
  while (!state.ended && !address.test(said)) await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 10))]);
}

async function answer(request: Request): Promise<Answer> {
  said = '';
  kind = request.kind;
  const environment = { ...process.env };
  Object.assign(process.env, request.env);
  const problem = await run(request.args);
  for (const name of Object.keys(request.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
  return { ...(problem === undefined ? {} : { problem }), said };
}

async function end(): Promise<void> {
  if (servers.length > 0) process.emit('SIGTERM', 'SIGTERM');
  await Promise.all(servers);
  process.exit(0);
}

process.on('message', (request: Request | 'end') => {
  void (request === 'end' ? end() : answer(request).then((found) => process.send?.(found)));
});
process.send?.('ready');

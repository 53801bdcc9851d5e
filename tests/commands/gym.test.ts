/** The gym's commands as a user runs them: serve, lint with a file of one's own, play, doctor. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Caller } from '../../src/gym/client/call.ts';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-gym-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const agoge = (args: string[], input = '') =>
  spawnSync(process.execPath, [command, ...args], { encoding: 'utf8', input, cwd: folder, timeout: 120_000 });

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  /** The exit code and what was printed after `listening`. */
  readonly ended: Promise<{ code: number | null; events: Record<string, unknown>[] }>;
}

async function serve(...args: string[]): Promise<Serving> {
  const child = spawn(process.execPath, [command, 'serve', ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const events: Record<string, unknown>[] = [];
  const ended = new Promise<Awaited<Serving['ended']>>((resolve) => child.on('close', (code) => resolve({ code, events })));
  const first = await new Promise<Record<string, unknown>>((resolve) => {
    lines.on('line', (line) => {
      const event = JSON.parse(line) as Record<string, unknown>;
      if (event['event'] === 'listening') resolve(event);
      else events.push(event);
    });
  });
  return { child, url: first['url'] as string, ended };
}

describe('agoge serve', () => {
  it('serves one environment at the root, refuses a second server on its port, and ends with 0', async () => {
    const { child, url, ended } = await serve('textcraft', '--port', '0');
    expect(await (await fetch(`${url}/`)).json()).toBe('This is environment TextCraft.');
    const second = agoge(['serve', 'textcraft', '--port', new URL(url).port]);
    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(/already in use: choose another with --port.*\[GYM_PORT_IN_USE\]/);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, events: [{ event: 'draining' }, { event: 'closed', left: 0 }] });
  });

  it('drains under load: every answer is whole, every step was played once, sessions are counted', async () => {
    const { child, url, ended } = await serve('textcraft', '--port', '0');
    const caller = new Caller(url, { connections: 16, patience: 0 });
    let answered = 0;
    let cut = 0;
    const clients = Array.from({ length: 32 }, async () => {
      const { id } = (await caller.call('POST', '/create', { body: {} })).value as { id: number };
      for (let count = 1; ; count++) {
        try {
          const { value } = await caller.call('POST', '/step', { body: { id, action: 'get 1 cobblestone' } });
          expect(value).toEqual({ observation: 'Got 1 cobblestone', reward: 0, done: false });
          answered++;
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: expect.stringMatching(/^GYM_(REFUSED|CONNECTION_LOST)$/) as string });
          cut++;
          return;
        }
      }
    });
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(500);
    child.kill('SIGTERM');
    await Promise.all(clients);
    const { code, events } = await ended;
    await caller.close();
    expect(code).toBe(0);
    const closed = events.find(({ event }) => event === 'closed') as { steps: number; left: number };
    expect(closed.left).toBe(32);
    expect(cut).toBe(32);
    // A connection that the drain closed in the moment of a request loses at most that one request.
    expect(closed.steps).toBeGreaterThanOrEqual(answered);
    expect(closed.steps).toBeLessThanOrEqual(answered + 32);
  });

  it('says what is wrong with its arguments', () => {
    expect(agoge(['serve'])).toMatchObject({ status: 2, stderr: expect.stringContaining('nothing to serve') as string });
    expect(agoge(['serve', 'nope']).stderr).toMatch(/there is no environment "nope": choose one of textcraft/);
    expect(agoge(['serve', 'textcraft', '--port', 'x']).status).toBe(2);
    expect(agoge(['serve', 'textcraft', '--set', 'edition=2024'])).toMatchObject({ status: 2 });
    expect(agoge(['serve', 'textcraft', '--set', 'textcraft.colour=red']).stderr).toMatch(
      /has no setting "colour".*choose one of edition/,
    );
  });
});

describe('agoge lint', () => {
  const environment = (step: string): string => `
import { AgogeError, type Environment, type TaskRef } from '${new URL('../../dist/entry/index.js', import.meta.url).href}';
import { limit } from './limit.ts';

enum Word { Up = 'climb up' }

class Stairs implements Environment {
  readonly name = 'stairs';
  readonly version = '1';
  readonly splits = ['all'] as const;
  readonly instructions = { task: 'Climb.', actions: [] };
  constructor(private readonly size: number) {}
  tasks(split: string) {
    if (split !== 'all') throw new AgogeError('ENV_UNKNOWN_SPLIT', 'use all');
    return { size: this.size, info: (index: number) => ({ category: 'climb', itemId: \`stairs_\${index}\` }) };
  }
  expert({ index }: TaskRef) {
    let left = index + 1;
    return { next: (): string | null => (left-- > 0 ? Word.Up : null) };
  }
  open({ index }: TaskRef) {
    if (!(Number.isInteger(index) && index >= 0 && index < this.size)) throw new AgogeError('ENV_UNKNOWN_TASK', 'pick 0 to 9');
    let floor = 0;
    let ended = false;
    const tell = () => \`floor \${floor} of \${index + 1}\`;
    return {
      observation: tell(),
      step(action: string) {
        if (ended) return { observation: tell(), reward: 0, done: true, success: true };
        ${step}
        if (action === Word.Up) floor++;
        ended = floor === index + 1;
        return { observation: tell(), reward: ended ? 1 : 0, done: ended, success: ended };
      },
      async [Symbol.asyncDispose]() {},
    };
  }
}

export default new Stairs(limit);
`;
  const quick = ['--cases', '10', '--steps', '500'];
  writeFileSync(join(folder, 'limit.ts'), 'export const limit: number = 10;\n');

  it("holds a user's own TypeScript file to the laws", () => {
    writeFileSync(join(folder, 'good.ts'), environment(''));
    const { status, stdout, stderr } = agoge(['lint', './good.ts', ...quick]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout.match(/^kept /gm)).toHaveLength(8);
  });

  it('shows how a law was broken and ends with 1', () => {
    writeFileSync(join(folder, 'bad.ts'), environment("if (action.length > 200) throw new Error('too long');"));
    const { status, stdout, stderr } = agoge(['lint', './bad.ts', ...quick]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/BROKEN {2}robust[^]*threw too long in stairs\/all#\d/);
    expect(stderr).toMatch(/stairs breaks .*robust.* \[ENV_LAW_BROKEN\]/);
  });

  it('says what is wrong with a file', () => {
    writeFileSync(join(folder, 'empty.ts'), 'export const nothing: number = 1;\n');
    expect(agoge(['lint', './empty.ts']).stderr).toContain('exports no environment');
    expect(agoge(['lint', './missing.ts']).stderr).toContain('there is no file ./missing.ts');
    writeFileSync(join(folder, 'broken.ts'), 'export default {{{\n');
    expect(agoge(['lint', './broken.ts']).stderr).toContain('cannot be loaded');
  });
});

describe('agoge play', () => {
  it('shows goal, observation and score, and keeps a demonstration', () => {
    const file = join(folder, 'demonstrations.jsonl');
    const moves = ['get 1 spruce logs', 'craft 4 spruce planks using 1 spruce logs'];
    const { status, stdout } = agoge(['play', 'textcraft', '--task', 'textcraft_17', '--save', file], `${moves.join('\n')}\n`);
    expect(status).toBe(0);
    expect(stdout).toContain('textcraft/all#17  textcraft_17, depth 1: craft spruce planks');
    expect(stdout).toContain('Crafted 4 minecraft:spruce_planks\n  [turn 2, score 1]\nSolved.');
    const saved = JSON.parse(readFileSync(file, 'utf8')) as { conversations: { from: string }[]; item_id: string };
    expect(saved).toMatchObject({ item_id: 'textcraft_17', reward: 1, success: true, task: 'textcraft/all#17' });
    expect(saved.conversations.map(({ from }) => from)).toEqual(['human', 'gpt', 'human', 'gpt', 'human', 'gpt']);
  });
});

describe('agoge doctor', () => {
  it('finds this machine able', () => {
    const { status, stdout } = agoge(['doctor', '--json']);
    expect(status).toBe(0);
    const findings = JSON.parse(stdout) as { what: string; level: string }[];
    expect(findings.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Node.js', 'koffi', 'ONNX Runtime', 'same bits', 'memory']),
    );
  });

  it.each([
    [['--policy', 'base'], /--policy goes with an environment: agoge doctor ENV --policy/],
    [['textcraft', '--model', 'base'], /--model counts memory and goes without an environment/],
    [['textcraft', '--policy', 'random'], /random does not learn: name a policy with weights/],
  ])('passes over no option: %s', (args, says) => {
    const { status, stderr } = agoge(['doctor', ...args]);
    expect(stderr).toMatch(says);
    expect(status).toBe(2);
  });
});

describe('an environment in a file of one’s own', () => {
  it('is played, evaluated, demonstrated, served and trained on, from any folder', async () => {
    const source = readFileSync(fileURLToPath(new URL('../../examples/number-hunt.ts', import.meta.url)), 'utf8');
    writeFileSync(join(folder, 'my-env.ts'), source);
    const played = agoge(['play', './my-env.ts', '--task', '0'], 'guess 1\n');
    expect(played).toMatchObject({ status: 0 });
    expect(played.stdout).toContain('number-hunt/train#0');
    const evaluated = agoge(['eval', './my-env.ts', '--policy', 'expert', '--tasks', '0-4', '--json', '--no-view']);
    expect(evaluated.status).toBe(0);
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ scores: [{ env: 'number-hunt', success: { mean: 1 } }] });
    const demonstrated = agoge(['data', 'demonstrate', './my-env.ts', '--count', '3', '--out', 'hunts.jsonl']);
    expect(demonstrated.stdout).toContain('played 3 episodes of number-hunt/train: 3 solved');
    const recipe = 'run: hunt\ntasks: [{ env: ./my-env.ts }]\nagent: { max_turns: 3, tokens_per_turn: 4 }\n';
    writeFileSync(
      join(folder, 'hunt.yaml'),
      `${recipe}rollout: { groups: 1, samples: 2 }\nsteps: 1\nevaluate: { at_end: false }\n`,
    );
    const trained = agoge(['train', 'hunt.yaml', '--no-view']);
    expect(trained.stderr).toBe('');
    expect(trained.status).toBe(0);
    const { child, url, ended } = await serve(join(folder, 'my-env.ts'), '--port', '0');
    const remote = agoge(['eval', `number-hunt@${url}`, '--policy', 'expert', '--tasks', '0-4', '--json', '--no-view']);
    expect(JSON.parse(remote.stdout)).toMatchObject({ scores: [{ env: 'number-hunt', success: { mean: 1 } }] });
    child.kill('SIGTERM');
    await ended;
  });
});

describe('a server in the background', () => {
  it('starts, is listed, is stopped, and leaves nothing', async () => {
    const state = join(folder, 'state');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [command, 'serve', ...args], {
        encoding: 'utf8',
        env: { ...process.env, XDG_STATE_HOME: state },
        timeout: 120_000,
      });
    const started = run('textcraft', '--port', '0', '--background', '--json');
    expect(started.stderr).toBe('');
    const { url, pid } = JSON.parse(started.stdout) as { url: string; pid: number };
    try {
      expect(run('status').stdout).toContain(`textcraft at ${url}`);
      expect(run('stop', '1').stderr).toContain('no server runs in the background on port 1');
      expect(run('stop', new URL(url).port).stdout).toContain(`stopped textcraft at ${url}`);
      await expect(fetch(url)).rejects.toThrow();
      expect(run('status').stdout).toContain('nothing runs');
    } finally {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    const failed = run('textcraft', '--set', 'textcraft.edition=1999', '--port', '0', '--background');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('the server did not start');
    expect(failed.stderr).toContain('1999');
  });
});

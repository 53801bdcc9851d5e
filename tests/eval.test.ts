/** Evaluation as a user runs it: whole commands, a real server that is killed, an endpoint that misbehaves. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { byteVocabulary } from '../src/engine/embedded/byte-tokenizer.ts';
import { EmbeddedEngine } from '../src/engine/embedded/embedded.ts';
import { presetConfig } from '../src/engine/embedded/network/config.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-eval-e2e-'));
const children = new Set<ChildProcess>();
const closers: (() => void)[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const close of closers.splice(0)) close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...process.env, OPENAI_API_KEY: 'test' } });
  children.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (status) => {
      children.delete(child);
      resolve({ status, stdout, stderr });
    }),
  );
  return { child, ended };
}

const agoge = (...args: string[]): Promise<Ended> => start(args).ended;

/** Starts `agoge serve` and waits for its address. */
async function serve(...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const { child, ended } = start(['serve', ...args, '--json']);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /"url":"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { child, url };
}

/** A gym server that dies at the given request, behind a door of its own: no machine is too fast to see it die. */
async function mortal(life: number): Promise<{ url: string; dead: Promise<void>; revive: () => Promise<void> }> {
  let inner = await serve('textcraft', '--port', '0');
  let requests = 0;
  let die: () => void = () => undefined;
  const dead = new Promise<void>((resolve) => (die = resolve));
  const door = createServer((asked, response) => {
    if (++requests === life) {
      inner.child.kill('SIGKILL');
      door.close();
      door.closeAllConnections();
      die();
      return;
    }
    const { method, url, headers } = asked;
    const forwarded = request(new URL(url ?? '/', inner.url), { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    asked.pipe(forwarded);
  });
  const open = (port: number): Promise<void> => new Promise((resolve) => door.listen(port, '127.0.0.1', resolve));
  await open(0);
  closers.push(() => {
    door.close();
    door.closeAllConnections();
  });
  const { port } = door.address() as AddressInfo;
  const revive = async (): Promise<void> => {
    inner = await serve('textcraft', '--port', '0');
    await open(port);
  };
  return { url: `http://127.0.0.1:${port}`, dead, revive };
}

interface Episode {
  readonly task: string;
  readonly sample: number;
  readonly turns: {
    readonly reply: string;
    readonly action: string | null;
    readonly observation: string;
    readonly reward: number;
  }[];
  readonly outcome: { readonly kind: string };
}

/** What was said and what came of it, without clocks; in the order of the tasks. */
async function episodes(out: string): Promise<Pick<Episode, 'task' | 'sample' | 'turns' | 'outcome'>[]> {
  const text = gunzipSync(await readFile(join(folder, out, 'episodes.jsonl.gz'))).toString();
  const all = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Episode);
  const essence = all.map(({ task, sample, turns, outcome }) => ({
    task,
    sample,
    turns: turns.map(({ reply, action, observation, reward }) => ({ reply, action, observation, reward })),
    outcome,
  }));
  return essence.sort((a, b) => a.task.localeCompare(b.task) || a.sample - b.sample);
}

interface Results {
  readonly scores: {
    policy: string;
    scored: number;
    episodes: number;
    success: { mean: number };
    retried: Record<string, number>;
    failures: Record<string, number>;
  }[];
}
const results = async (out: string): Promise<Results> =>
  JSON.parse(await readFile(join(folder, out, 'eval.json'), 'utf8')) as Results;

describe('agoge eval', () => {
  it('the expert solves all of TextCraft, chance nothing; the same episodes in process and over HTTP', async () => {
    const common = ['--policy', 'expert', '--policy', 'random', '--max-turns', '50'];
    const here = await agoge('eval', 'textcraft', ...common, '--tasks', '0-99', '--baseline', 'random', '--out', 'here');
    expect(here).toMatchObject({ status: 0 });
    expect(here.stdout).toMatch(/expert +1\.000 \[0\.963, 1\.000\]/);
    expect(here.stdout).toMatch(/expert solves more tasks than random: \+1\.000 \(n = 100, p < 0\.001\)/);
    for (const line of here.stdout.split('\n').filter((each) => !each.includes('results in')))
      expect(line.length).toBeLessThanOrEqual(80);
    const { url, child } = await serve('textcraft', '--port', '0');
    const there = await agoge(
      'eval',
      `textcraft@${url}`,
      ...common,
      '--tasks',
      '0-14',
      '--server',
      'max_tasks=100',
      '--out',
      'there',
    );
    expect(there).toMatchObject({ status: 0 });
    child.kill('SIGTERM');
    const first = new Set(Array.from({ length: 15 }, (_, i) => `textcraft/test#${i}`));
    const same = await episodes('there');
    expect(same).toHaveLength(30);
    expect(same).toEqual((await episodes('here')).filter(({ task }) => first.has(task)));

    const compared = await agoge('compare', 'there#random', 'there#random');
    expect(compared.stdout).toMatch(/not distinguishable \(n = 15, p = 1\.00\)/);
    const other = await agoge('eval', 'textcraft', '--policy', 'random', '--tasks', '0-9', '--max-turns', '3', '--out', 'other');
    expect(other.status).toBe(0);
    const refused = await agoge('compare', 'here#random', 'other');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/turns: 50 and 3.*tasks: 90 only in the first/);
  });

  it('a server that is killed in mid-run and started again leaves the scores of a clean run', async () => {
    const common = [
      '--policy',
      'random',
      '--tasks',
      '0-19',
      '--samples',
      '4',
      '--split',
      'generated-short-test',
      '--concurrency',
      '16',
      '--max-turns',
      '12',
      '--server',
      'max_tasks=20',
    ];
    expect(await agoge('eval', 'textcraft', ...common, '--out', 'clean')).toMatchObject({ status: 0 });
    const server = await mortal(300);
    const { ended } = start(['eval', `textcraft@${server.url}`, ...common, '--retries', '12', '--out', 'killed']);
    await server.dead;
    await pause(300);
    await server.revive();
    expect(await ended).toMatchObject({ status: 0 });
    expect(await episodes('killed')).toEqual(await episodes('clean'));
    const [score] = (await results('killed')).scores;
    expect(Object.values(score?.retried ?? {}).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(0);
    // Beside another server, on several processes, the episodes of the dead one move there: nothing is tried again.
    const [dying, living] = [await mortal(150), await serve('textcraft', '--port', '0', '--processes', '2')];
    const both = start(['eval', `textcraft@${dying.url},${living.url}`, ...common, '--retries', '0', '--out', 'moved']);
    const { status, stderr } = await both.ended;
    expect([status, stderr]).toEqual([0, expect.stringContaining(`${dying.url} does not answer`)]);
    expect(await episodes('moved')).toEqual(await episodes('clean'));
  });

  it('a hostile endpoint: episodes fail by type, none becomes a zero, a second run completes it', async () => {
    let hostile = true;
    let count = 0;
    const url = await chat((response) => {
      count++;
      if (!hostile || count % 3 === 0) {
        answer(response, 'inventory');
        return;
      }
      const trouble = [
        () => response.writeHead(429, { 'retry-after': '0' }).end('slow down'),
        () => response.writeHead(500).end('no'),
        () => response.end('{"choices": [{'),
        () => response.destroy(),
        () => response.end('{"choices": []}'),
        () => undefined, // hangs
      ];
      trouble[count % trouble.length]?.();
    });
    const command = [
      'eval',
      'textcraft',
      '--policy',
      `openai:m@${url}`,
      '--format',
      'direct',
      '--tasks',
      '0-9',
      '--max-turns',
      '3',
      '--retries',
      '0',
      '--out',
      'hostile',
    ];
    const broken = await agoge(...command, '--reply-timeout', '2');
    expect(broken.status).toBe(1);
    expect(broken.stderr).toMatch(/run the same command again/);
    // The reason is on screen, not only in the log.
    expect(broken.stderr).toMatch(/textcraft\/test#\d openai:.*: .+ \[(POLICY_ENDPOINT|AGENT_POLICY_DEADLINE)\]/);
    const [partial] = (await results('hostile')).scores;
    expect(partial?.scored).toBeLessThan(10);
    expect(
      Object.keys(partial?.failures ?? {}).every((what) =>
        /^(policy POLICY_ENDPOINT|deadline AGENT_POLICY_DEADLINE)$/.test(what),
      ),
    ).toBe(true);
    hostile = false;
    const before = count;
    expect(await agoge(...command)).toMatchObject({ status: 0 });
    const [whole] = (await results('hostile')).scores;
    expect(whole).toMatchObject({ scored: 10, failures: {} });
    expect(count - before).toBe(3 * (10 - (partial?.scored ?? 0)));
  });

  it('Ctrl-C keeps what is finished, exits 130, and the same command goes on', async () => {
    const url = await chat((response) => void setTimeout(() => answer(response, 'inventory'), 20));
    const command = [
      'eval',
      'textcraft',
      '--policy',
      `openai:m@${url}`,
      '--format',
      'direct',
      '--tasks',
      '0-29',
      '--max-turns',
      '2',
      '--concurrency',
      '4',
      '--out',
      'stopped',
    ];
    const { child, ended } = start(command);
    const journal = join(folder, 'stopped', 'episodes.jsonl');
    while ((await readFile(journal, 'utf8').catch(() => '')).split('\n').length < 4 && child.exitCode === null) await pause(5);
    child.kill('SIGINT');
    const { status, stderr } = await ended;
    expect(status).toBe(130);
    expect(stderr).toMatch(/run the same command again/);
    const kept = (await readFile(journal, 'utf8')).trim().split('\n').length;
    expect(kept).toBeGreaterThan(2);
    const again = await agoge(...command);
    expect(again.status).toBe(0);
    expect(again.stderr).toContain(`30 episodes, ${kept} of them there already`);
  });

  it('our own endpoint at temperature 0 gives the episodes of the engine itself', async () => {
    const model = join(folder, 'model');
    {
      const config = presetConfig('xxs', { vocabulary: byteVocabulary });
      await using engine = await EmbeddedEngine.open({ config, seed: 3 });
      await engine.save(model);
    }
    const common = ['--temperature', '0', '--tasks', '0-4', '--max-turns', '3', '--max-tokens', '12', '--format', 'direct'];
    expect(await agoge('eval', 'textcraft', '--policy', `hf:${model}`, ...common, '--out', 'direct')).toMatchObject({
      status: 0,
    });
    const { url } = await serve('--model', model, '--port', '0');
    expect(
      await agoge(
        'eval',
        'textcraft',
        '--policy',
        `openai:${model}@${url.replace(/\/$/, '')}${url.includes('/v1') ? '' : '/v1'}`,
        ...common,
        '--out',
        'through',
      ),
    ).toMatchObject({ status: 0 });
    expect(await episodes('through')).toEqual(await episodes('direct'));
  });

  it('says what is wrong with a command, with exit code 2', async () => {
    expect(await agoge('eval', 'textcraft', '--policy', 'bsae')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/base, reader, run:/) as string,
    });
    expect(await agoge('eval', 'textcraft', '--policy', 'random', '--format', 'rect')).toMatchObject({ status: 2 });
    expect(await agoge('eval', 'textcraft', '--policy', 'random', '--samples', '0')).toMatchObject({ status: 2 });
    expect((await agoge('eval', 'textcraft', '--policy', 'random', '--tasks', '100')).stderr).toMatch(/tasks 0 to 99, not 100/);
  });
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A chat endpoint that is not ours. */
async function chat(handle: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => handle(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function answer(response: ServerResponse, content: string): void {
  response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
}

describe('a folder of results', () => {
  it('a disk that takes no more: says so, marks the evaluation as failed, and goes on when there is room', async () => {
    const args = [
      'eval',
      'textcraft',
      '--policy',
      'random',
      '--split',
      'generated',
      '--tasks',
      '0-299',
      '--max-turns',
      '5',
      '-o',
      'full',
    ];
    const command = `ulimit -f 64; exec "${process.execPath}" "${cli}" ${args.join(' ')}`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: folder });
    expect(stderr).toMatch(/episodes can no longer be written to full; the disk is full/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
    expect(JSON.parse(await readFile(join(folder, 'full/status.json'), 'utf8'))).toMatchObject({ status: 'failed' });
    const again = await agoge(...args);
    expect(again.stderr).toMatch(/300 episodes, [1-9]\d* of them there already/);
    expect(again.status).toBe(0);
  });

  it('--fresh and --out touch nothing that is not an evaluation', async () => {
    await mkdir(join(folder, 'thesis'));
    await writeFile(join(folder, 'thesis/thesis.tex'), 'years');
    for (const more of [[], ['--fresh']]) {
      const { status, stderr } = await agoge('eval', 'textcraft', '--policy', 'expert', '--tasks', '0', '-o', 'thesis', ...more);
      expect(stderr).toContain('thesis holds something else, not an evaluation: nothing was changed');
      expect(status).toBe(1);
    }
    expect(await readdir(join(folder, 'thesis'))).toEqual(['thesis.tex']);
  });

  it('--fresh evaluates again beside a note that somebody put there', async () => {
    const args = ['eval', 'textcraft', '--policy', 'expert', '--tasks', '0-3', '-o', 'noted'];
    await agoge(...args);
    await writeFile(join(folder, 'noted/notes.md'), 'mine');
    const { status, stderr } = await agoge(...args, '--fresh');
    expect(stderr).not.toContain('there already');
    expect(status).toBe(0);
    expect(await readdir(join(folder, 'noted'))).toEqual(expect.arrayContaining(['eval.json', 'episodes.jsonl.gz', 'notes.md']));
  });
});

/** Our environments in Gymnasium, Inspect AI, verifiers and behind MCP's own client, and a server of MCP's own as an environment. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defineMcp } from '../../../src/agent/mcp/mcp-environment.ts';
import { serve } from '../../../src/library/serve.ts';
import { installedPackages } from '../npm.ts';
import { environmentOf } from '../python.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'dist/cli/main.js');
const packages = installedPackages('mcp');
if (packages === undefined) console.log('skipped: no package registry gives the MCP SDK');
const { venv, problem } = environmentOf(join(root, 'tests/peers/harnesses/gymnasium-requirements.txt'));
if (problem !== undefined) console.log(`skipped: ${problem}`);

/** What a program prints as JSON; another process answers it, so this one must not wait for it. */
async function printed(command: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(command, args);
  let [out, said] = ['', ''];
  child.stderr.on('data', (part) => (said += String(part)));
  for await (const part of child.stdout) out += String(part);
  if (out === '') throw new Error(said);
  return JSON.parse(out);
}

/** Runs a program to its end in a folder; what it said. */
async function ended(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
  await new Promise((resolve) => child.once('close', resolve));
  return said;
}

describe.skipIf(packages === undefined)("MCP's own SDK", () => {
  const client = (): string => {
    // Imports are found from where the file lies.
    copyFileSync(join(root, 'tests/peers/mcp/client.mjs'), join(packages ?? '', 'client.mjs'));
    return join(packages ?? '', 'client.mjs');
  };
  const expected = {
    tools: ['start_task', 'get', 'craft', 'inventory'],
    started: expect.stringContaining('Goal: craft') as string,
    looked: { observation: 'Inventory: You are not carrying anything.', reward: 0, done: false },
  };

  it('plays an environment over standard input and output', async () => {
    expect(await printed(process.execPath, [client(), cli])).toEqual(expected);
  });

  it('plays an environment over HTTP', async () => {
    const server = spawn(process.execPath, [cli, 'mcp', 'textcraft', '--port', '0']);
    try {
      let said = '';
      for await (const part of server.stderr) if (/http\S+/.test((said += String(part)))) break;
      expect(await printed(process.execPath, [client(), cli, /http[^\s;]+/.exec(said)?.[0] ?? ''])).toEqual(expected);
    } finally {
      server.kill();
    }
  });

  it('has a server whose tools are played as an environment', async () => {
    const environment = defineMcp({
      name: 'sums',
      server: {
        command: process.execPath,
        args: [join(packages ?? '', 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
      },
      splits: { test: 9 },
      ask: ({ index }) => `How much is ${index} + 2?`,
      score: (answer, { index }) => (answer.includes(String(index + 2)) ? 1 : 0),
    });
    await using episode = await environment.open({ env: 'sums', split: 'test', index: 5 });
    const offered = episode.prompt?.[0]?.text ?? '';
    const sum = /"name":"([\w-]*sum[\w-]*|add)"/.exec(offered)?.[1] ?? '';
    const { observation } = await episode.step(JSON.stringify({ name: sum, arguments: { a: 5, b: 2 } }));
    expect(observation).toMatch(/7/);
    expect(await episode.step(observation)).toMatchObject({ reward: 1, done: true });
  });
});

describe.skipIf(problem !== undefined)('Gymnasium', () => {
  it('plays a served environment: reset, step, seeds, wrappers, and a name that is not served', async () => {
    expect(spawnSync(join(venv, 'bin/python'), ['--version']).status).toBe(0);
    await using server = await serve({ environments: ['textcraft'] });
    const script = join(root, 'tests/peers/harnesses/gymnasium_peer.py');
    const { drawn, ...rest } = (await printed(join(venv, 'bin/python'), [
      script,
      server.url,
      join(root, 'adapters/gymnasium'),
    ])) as {
      drawn: [number, number];
    };
    expect(rest).toEqual({
      first: expect.stringContaining('Goal: craft cobblestone stairs.') as string,
      index: 3,
      steps: [
        ['Inventory: You are not carrying anything.', 0, false, false],
        ['Could not find nothing', 0, false, true],
      ],
      wrong: expect.stringContaining('has no chess/train: it serves textcraft') as string,
    });
    expect(drawn[0]).toBe(drawn[1]);
  });
});

const harness = (name: string) => {
  const { venv: folder, problem: missing } = environmentOf(join(root, `tests/peers/harnesses/${name}-requirements.txt`));
  if (missing !== undefined) console.log(`skipped: ${missing}`);
  const play = (url: string): Promise<unknown> =>
    printed(join(folder, 'bin/python'), [join(root, `tests/peers/harnesses/${name}_peer.py`), url, join(root, 'adapters', name)]);
  return { missing, play, folder };
};

const inspect = harness('inspect');
describe.skipIf(inspect.missing !== undefined)('Inspect AI', () => {
  it('scores a served environment by its reward, with empty replies answered and a limit on turns', async () => {
    await using server = await serve({ environments: ['textcraft'] });
    expect(await inspect.play(server.url)).toEqual({
      status: 'success',
      rewards: { 'textcraft/test/0': 0, 'textcraft/test/1': 0, 'textcraft/test/2': 0, 'textcraft/test/3': 1 },
      turns: { 'textcraft/test/0': 5, 'textcraft/test/1': 5, 'textcraft/test/2': 5, 'textcraft/test/3': 3 },
      mean: 0.25,
      roles: ['system', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
      system: expect.stringContaining('- get <count> <item>: Take a base ingredient') as string,
      told: ['Got 6 cobblestone', 'Your reply is empty. Reply with an action.'],
      wrong: expect.stringContaining('has no chess/test: it serves textcraft') as string,
    });
  });
});

describe.skipIf(inspect.missing !== undefined)("Inspect AI's command", () => {
  it('evaluates a policy that is served here on an environment that is served here, to a score', async () => {
    await using gym = await serve({ environments: ['textcraft'] });
    await using model = await serve({ model: 'base' });
    const logs = mkdtempSync(join(tmpdir(), 'agoge-inspect-'));
    try {
      // Inspect takes tasks below the present folder only.
      const words = ['eval', 'agoge_inspect.py', '--model', 'openai/base', '--model-base-url', model.url];
      const asked = ['-T', `url=${gym.url}`, '-T', 'tasks=3', '-T', 'max_turns=8', '--max-tokens', '64', '--temperature', '1'];
      const shown = ['--display', 'none', '--log-format', 'json', '--log-dir', logs];
      const args = [...words, ...asked, ...shown];
      const said = await ended(join(inspect.folder, 'bin/inspect'), args, join(root, 'adapters/inspect'), {
        OPENAI_API_KEY: 'none',
      });
      const [file = ''] = readdirSync(logs).filter((name) => name.endsWith('.json'));
      expect(file, said).not.toBe('');
      const log = JSON.parse(readFileSync(join(logs, file), 'utf8')) as {
        status: string;
        results: { total_samples: number; completed_samples: number; scores: { metrics: { mean: { value: number } } }[] };
      };
      expect(log.status, said).toBe('success');
      expect(log.results).toMatchObject({ total_samples: 3, completed_samples: 3 });
      expect(
        [0, 1 / 3, 2 / 3, 1].some((mean) => Math.abs(mean - (log.results.scores[0]?.metrics.mean.value ?? NaN)) < 1e-3),
      ).toBe(true);
    } finally {
      rmSync(logs, { recursive: true });
    }
  });
});

const verifiers = harness('verifiers');
describe.skipIf(verifiers.missing !== undefined)('verifiers', () => {
  it("plays a served environment through its own vf-eval, and its traces have the environment's reward", async () => {
    await using server = await serve({ environments: ['textcraft'] });
    expect(await verifiers.play(server.url)).toEqual({
      rc: 0,
      played: {
        'textcraft/test/2': { ok: true, rewards: { agoge_reward: 0 }, stop: 'max_turns' },
        'textcraft/test/3': { ok: true, rewards: { agoge_reward: 1 }, stop: 'user_closed' },
      },
      roles: ['system', 'user', 'assistant', 'user'],
      told: 'Got 6 cobblestone',
    });
  });
});

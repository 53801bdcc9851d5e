/** Our Tinker server against the official SDK (the oldest that speaks protobuf alone, and a new one) and the cookbook's own loops. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peersMissing, python } from '../python.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const cli = process.env['AGOGE_CLI'] ?? join(here, '../../../dist/cli/main.js');
const model = join(here, '../../../models/base');
const folder = mkdtempSync(join(tmpdir(), 'agoge-tinker-peer-'));
const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

// What the SDK and the cookbook import beside the peers' own environment; no dependency is followed, torch is there already.
const shared =
  'pyqwest distro httpx httpcore h11 h2 hpack hyperframe sniffio zstandard orjson protobuf click anyio idna certifi pydantic pydantic-core annotated-types typing-inspection typing-extensions rich markdown-it-py mdurl pygments';
const cookbook =
  'tinker-cookbook==0.5.8 tinker==0.36.0 chz tml-renderers blobfile tiktoken termcolor cloudpickle lxml pycryptodomex sympy mpmath pylatexenc math-verify latex2sympy2-extended antlr4-python3-runtime==4.13.2';

/** A folder for PYTHONPATH, kept in the cache; undefined where the registry cannot be reached. */
function packages(name: string, what: string): string | undefined {
  if (missing !== undefined) return undefined;
  const target = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agoge-peers', name);
  const stamp = join(target, 'installed');
  if (existsSync(stamp)) return target;
  const args = ['-m', 'pip', 'install', '-q', '--no-deps', '--upgrade', '--disable-pip-version-check', '--target', target];
  try {
    execFileSync(python, [...args, ...what.split(' '), ...shared.split(' ')], { stdio: 'ignore', timeout: 240_000 });
    writeFileSync(stamp, what);
    return target;
  } catch {
    console.log(`skipped: ${name} cannot be fetched here`);
    return undefined;
  }
}

const oldSdk = packages('tinker-0.25.0', 'tinker==0.25.0');
const newSdk = packages('tinker-0.36.0', 'tinker==0.36.0');
const loops = packages('tinker-cookbook-0.5.8', cookbook);

let url = '';
const server = spawn(
  process.execPath,
  [cli, 'serve', '--model', model, '--tinker', '--json', '--port', '0', '--checkpoints', folder],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
beforeAll(async () => {
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  ({ url } = JSON.parse(line.toString()) as { url: string });
});
afterAll(() => {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function run(script: string, path: string | undefined, ...args: string[]): Record<string, unknown> {
  const env = { ...process.env, PYTHONPATH: path, HF_HUB_OFFLINE: '1' };
  const { status, stdout, stderr } = spawnSync(python, [join(here, script), url, model, ...args], { encoding: 'utf8', env });
  expect(status, stderr.slice(-2000)).toBe(0);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

describe.each([
  ['0.25.0', oldSdk],
  ['0.36.0', newSdk],
] as const)('the official SDK %s', (version, path) => {
  test.skipIf(path === undefined)('quick start, training, sampling, saving, loading, errors', { timeout: 180_000 }, () => {
    const seen = run('tinker_sdk.py', path);
    expect(seen).toMatchObject({ sdk: version, models: [model], info: model });
    const losses = seen['losses'] as number[];
    losses.slice(1).forEach((loss, i) => expect(loss).toBeLessThan(losses[i] ?? NaN));
    expect(seen['step']).toMatchObject({ step: 6 });
    expect(seen['reloaded']).toBeCloseTo(seen['forward'] as number, 4);
    expect(seen['after']).toBeCloseTo(seen['forward'] as number, 4);
    const policy = seen['policy'] as Record<string, number>;
    expect(policy['importance_sampling']).toBeCloseTo(-15, 4); // ratios of 1, fifteen tokens with an advantage
    expect(policy['ppo']).toBeCloseTo(-15, 4);
    expect(policy['cispo']).toBeCloseTo(policy['dro'] ?? NaN, 4);
    if (seen['custom'] !== null)
      expect((seen['custom'] as Record<string, number>)['mine']).toBeCloseTo(seen['forward'] as number, 3);
    const [first] = seen['sampled'] as number[][];
    expect(seen['sampled']).toEqual([first, first, first]); // greedy
    expect(seen['named']).toEqual([first]);
    const [none, ...prompt] = seen['prompt'] as (number | null)[];
    expect(none).toBeNull();
    prompt.forEach((logprob, i) => expect(logprob).toBeCloseTo((seen['trained'] as number[])[i] ?? NaN, 4));
    const [unknown, ...top] = seen['topk'] as ([number, number][] | null)[];
    expect(unknown ?? []).toEqual([]);
    expect(top.map((row) => row?.length)).toEqual(prompt.map(() => 3));
    expect(top.map((row) => row?.[0]?.[0])).toEqual(seen['greedy']); // the likeliest comes first
    top.forEach((row, i) => {
      const values = row?.map(([, logprob]) => logprob) ?? [];
      expect(values).toEqual([...values].sort((a, b) => b - a));
      const own = row?.find(([token]) => token === 6 + i); // the prompt is 5, 6, 7, …
      if (own) expect(own[1]).toBeCloseTo(prompt[i] ?? NaN, 3);
      else expect(prompt[i]).toBeLessThanOrEqual((values[2] ?? NaN) + 1e-3);
    });
    expect(seen['words']).toBe('get 1 oak log');
    expect(seen['back']).toBeCloseTo(seen['forward'] as number, 4);
    expect(seen['base']).not.toEqual(seen['prompt']);
    expect(seen['runs']).toContainEqual({ renderer_name: 'plain' });
    expect(seen['checkpoints']).toContain('weights/kept');
    expect(seen['left']).not.toContain('weights/kept');
    const errors = seen['errors'] as Record<string, string>;
    for (const [name, why] of Object.entries({
      vocabulary: /outside the vocabulary/,
      loss: /use one of/,
      length: /1 entries/,
      taken: /exists/,
      missing: /no checkpoint/,
      model: /is not served here/,
      publish: /not published from here/,
      ttl: /set when it is saved/,
      archive: /copy them from there|no attribute/, // newer ones no longer ask for it
      topk: /at most 20 tokens/,
      prompt: /outside the vocabulary/,
    }))
      expect(errors[name]).toMatch(why);
  });
});

test.skipIf(loops === undefined)("the cookbook's sl_loop and rl_loop: loss falls, reward rises", { timeout: 400_000 }, () => {
  const { sl, rl } = run('tinker_cookbook_loops.py', loops, join(folder, 'logs')) as Record<string, Record<string, number>[]>;
  const losses = sl?.map((line) => line['train_mean_nll'] ?? NaN) ?? [];
  expect(losses).toHaveLength(8);
  expect(losses[7]).toBeLessThan((losses[0] ?? NaN) / 2);
  const rewards = rl?.map((line) => line['reward/total'] ?? NaN) ?? [];
  expect(rewards).toHaveLength(8);
  // The loop draws its seeds by itself, so single steps go up and down.
  const last = rewards.slice(4).reduce((sum, reward) => sum + reward, 0) / 4;
  expect(last).toBeGreaterThan(1.25 * (rewards[0] ?? NaN));
});

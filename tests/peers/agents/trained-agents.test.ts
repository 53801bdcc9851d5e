/**
 * The way of an agent into its product: `agoge new agent` writes one for each SDK, `agoge sft` and `agoge train` teach its policy,
 * `agoge eval` scores it on the test tasks, and then the agent's own code asks `agoge serve` the same tasks. Both must agree.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evaluation } from '../../../src/eval/evaluate.ts';
import { installedPackages } from '../npm.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'dist/cli/main.js');
const tsx = fileURLToPath(import.meta.resolve('tsx'));
const folder = mkdtempSync(join(tmpdir(), 'agoge-trained-'));
const servers: ChildProcess[] = [];
const sdks = installedPackages('agents');
if (sdks === undefined) console.log('skipped: no package registry gives the SDKs');
/** Each takes a minute and a half, so CI trains one of them. */
const kinds = process.env['AGOGE_SHORT_PEERS'] === '1' ? ['ai-sdk'] : ['ai-sdk', 'openai', 'langchain'];

beforeAll(() => {
  // The packages lie above the agents, as in a repository with one node_modules. The AI SDK is one of our own.
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  const there = join(sdks ?? root, 'node_modules');
  for (const name of readdirSync(there)) if (!name.startsWith('.')) symlinkSync(join(there, name), join(modules, name));
  symlinkSync(root, join(modules, 'agoge'));
  for (const name of ['ai', '@ai-sdk']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
});
afterAll(() => {
  for (const server of servers) server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function agoge(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd, encoding: 'utf8' });
  expect(status, `agoge ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

async function served(cwd: string, policy: string, name: string): Promise<string> {
  const asked = ['serve', '--model', policy, '--name', name, '--json', '--port', '0'];
  const server = spawn(process.execPath, [cli, ...asked], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(server);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  return url.endsWith('/v1') ? url : `${url}/v1`;
}

const mean = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length;

describe.skipIf(sdks === undefined)('an agent that was trained, in front of the policy that is served', () => {
  it.each(kinds)('%s: as good as in its evaluation', async (sdk) => {
    const name = `boxes-${sdk}`;
    const place = join(folder, name);
    rmSync(place, { recursive: true, force: true }); // of a first try
    agoge(folder, 'new', 'agent', name, '--sdk', sdk);
    agoge(place, 'sft', 'sft.yaml', 'evaluate.at_start=false', 'evaluate.at_end=false', '--no-view');
    const small = ['steps=8', 'rollout.groups=8', 'evaluate.every=0', 'evaluate.at_start=false', 'evaluate.at_end=false'];
    agoge(place, 'train', 'train.yaml', `policy=run:outputs/${name}-sft`, ...small, '--no-view');
    const policy = `run:outputs/${name}-grpo`;
    const limits = ['--split', 'test', '--max-turns', '3', '--max-tokens', '40'];
    agoge(place, 'eval', './env.ts', ...limits, '--samples', '2', '--policy', policy, '--no-view', '-o', 'scored');
    const { scores } = JSON.parse(readFileSync(join(place, 'scored/eval.json'), 'utf8')) as Evaluation;
    const { mean: evaluated, low, high } = scores[0]?.success ?? { mean: NaN, low: NaN, high: NaN };
    const url = await served(place, policy, name);
    const script = fileURLToPath(new URL('ask-served.ts', import.meta.url));
    const asked = spawnSync(process.execPath, ['--import', tsx, script, place, url, name, '2'], { cwd: place, encoding: 'utf8' });
    expect(asked.status, asked.stderr).toBe(0);
    const earned = JSON.parse(asked.stdout) as number[];
    const figures = `evaluated ${evaluated.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}], served ${mean(earned).toFixed(3)} (${earned.length})`;
    console.log(`${sdk}: ${figures}`);
    // Something was learned, so that a server which answers nonsense could not agree. Replies are sampled on both sides, so the two
    // differ by chance: by more than 3.3 standard errors once in a thousand runs.
    expect(evaluated, figures).toBeGreaterThan(0.3);
    const pooled = (evaluated + mean(earned)) / 2; // both of 200 episodes
    const error = Math.sqrt((pooled * (1 - pooled) * 2) / earned.length);
    expect(Math.abs(evaluated - mean(earned)), figures).toBeLessThanOrEqual(3.3 * error);
  });
});

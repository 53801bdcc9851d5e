import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rewardSchema } from '../config/recipe/reward-config.ts';
import { AgogeError } from '../core/error.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { dataEnvironment } from '../envs/data/opened.fixture.ts';
import { openReward } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-reward-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = await dataEnvironment({ level: '0' });
const task = { env: 'data', split: 'test', index: 0 };
const truth = String(environment.truth(task).groundTruth);

function played(reply: string, { tokens = 4, sample = 0 } = {}): Trajectory {
  return {
    task,
    category: '1 step',
    sample,
    seed: 1,
    policy: 'test',
    format: 'direct',
    observation: '',
    segments: [
      { role: 'assistant', text: reply, tokens: new Int32Array(tokens), logprobs: new Float32Array(tokens), policyVersion: 0 },
    ],
    turns: [{ reply, action: reply, observation: '', reward: 0.25, done: true }],
    outcome: { kind: 'finished', reward: 0.25, success: false },
    time: { total: 0, policy: 0, environment: 0 },
    retries: 0,
  };
}

async function rewardsWith(config: unknown, trajectories: readonly Trajectory[]) {
  const reward = await openReward(rewardSchema.parse(config));
  return reward?.apply(environment, trajectories);
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('rewards of a recipe', () => {
  it("are the environment's own where nothing is said", async () => {
    expect(await openReward(rewardSchema.parse('env'))).toBeUndefined();
  });
  it('may be a score, or what verl would use', async () => {
    for (const config of ['gsm8k', 'verl']) {
      const [right, wrong] = (await rewardsWith(config, [played(`#### ${truth}`), played('#### 99')])) ?? [];
      expect(right?.outcome).toEqual({ kind: 'finished', reward: 1, success: true });
      expect(wrong?.outcome).toEqual({ kind: 'finished', reward: 0, success: false });
      expect(right?.turns[0]?.breakdown).toEqual({ [config]: 1 });
    }
  });
  it('are sums of weighted parts under their names', async () => {
    const parts = [
      'verl',
      { use: 'env', weight: 2 },
      { use: 'format', name: 'hashes', pattern: '^####', weight: 0.5 },
      { use: 'length', max: 8, weight: -1 },
      { use: 'overlong', max: 4, buffer: 2, penalty: 3 },
      'invalid_actions',
    ];
    const [one] = (await rewardsWith(parts, [played(`#### ${truth}`)])) ?? [];
    expect(one?.turns[0]?.breakdown).toEqual({ verl: 1, env: 0.25, hashes: 1, length: 0.5, overlong: -3, invalid_actions: 0 });
    expect(one?.outcome).toMatchObject({ reward: 1 + 0.5 + 0.5 - 0.5 - 3, success: true });
  });
  it('may be a file of one function, or one that compares samples', async () => {
    const each = file(
      'short.mjs',
      'export default ({ turns }, task, truth) => turns[0].reply.length + task.index + Number(truth.groundTruth) * 0;',
    );
    const [one] = (await rewardsWith(each, [played('abc')])) ?? [];
    expect(one?.outcome).toMatchObject({ reward: 3, success: false });
    const group = file(
      'best.mjs',
      'export const group = (all) => all.map((one) => ({ reward: one.turns[0].reply.length === Math.max(...all.map((x) => x.turns[0].reply.length)) ? 1 : 0, success: true }));',
    );
    const both = await rewardsWith(group, [played('abc'), played('abcd', { sample: 1 })]);
    expect(both?.map(({ outcome }) => outcome)).toEqual([
      { kind: 'finished', reward: 0, success: true },
      { kind: 'finished', reward: 1, success: true },
    ]);
  });
  it('stand in the breakdown of the last turn', async () => {
    const one = played('a');
    const long = { ...one, turns: [...one.turns, ...one.turns, ...one.turns] };
    const [paid] = (await rewardsWith('gsm8k', [long])) ?? [];
    expect(paid?.turns.map(({ breakdown }) => breakdown)).toEqual([undefined, undefined, { gsm8k: 0 }]);
  });
  it('weigh the environment where they are told to, also alone', async () => {
    const [one] = (await rewardsWith([{ use: 'env', weight: 3 }], [played('a')])) ?? [];
    expect(one?.outcome).toMatchObject({ reward: 0.75 });
  });
  it.each([1, 3])('that compare two samples and give %d values fail for both', async (values) => {
    const path = file(`gives-${values}.mjs`, `export const group = () => Array(${values}).fill(1);`);
    const both = await rewardsWith(path, [played('a'), played('b', { sample: 1 })]);
    const failed = { kind: 'failed', by: 'reward', error: { code: 'REWARD_BAD_VALUE' } };
    expect(both?.map(({ outcome }) => outcome)).toMatchObject([failed, failed]);
  });
  it('are not asked about episodes that failed, which stay as they are', async () => {
    const error = new AgogeError('GYM_HTTP', 'the server is gone: start it');
    const broken: Trajectory = { ...played('broken'), outcome: { kind: 'failed', by: 'environment', error } };
    const path = file('counts.mjs', 'export const group = (all) => all.map(() => all.length);');
    const all = (await rewardsWith(path, [played('a'), broken, played('c', { sample: 2 })])) ?? [];
    expect(all.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.by : outcome.reward))).toEqual([2, 'environment', 2]);
  });
  it.each([
    ['naive', 1],
    ['prime', 3],
  ])('of the manager %s are asked for %d at once', async (manager, most) => {
    const counting = `let open = 0, most = 0;
      export default async ({ sample }) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        open--;
        return sample === 2 ? most : 0;
      };`;
    const config = { parts: [{ use: file(`${manager}.mjs`, counting) }], manager };
    const all = await rewardsWith(config, [0, 1, 2].map((sample) => played('a', { sample }))); // prettier-ignore
    expect(all?.[2]?.outcome).toMatchObject({ reward: most });
  });
  it('are others once their file has changed', async () => {
    const identity = async (text: string): Promise<string | undefined> =>
      (await openReward(rewardSchema.parse(file('mine.mjs', text))))?.identity;
    const before = await identity('export default () => 1;');
    expect(await identity('export default () => 1;')).toBe(before);
    expect(await identity('export default () => 2;')).not.toBe(before);
  });
  it('that throw, give no number or take too long are failures, each its own', async () => {
    const path = file(
      'bad.mjs',
      `export default ({ turns: [{ reply }] }) => {
        if (reply === 'throw') throw new Error('no idea');
        if (reply === 'late') return new Promise(() => {});
        return reply === 'odd' ? NaN : 1;
      };`,
    );
    const config = { parts: [{ use: path }], timeout: 1 };
    const all = await rewardsWith(
      config,
      ['throw', 'late', 'odd', 'fine'].map((reply) => played(reply)),
    );
    const codes = all?.map(({ outcome }) => (outcome.kind === 'failed' ? [outcome.by, outcome.error.code] : outcome.reward));
    expect(codes).toEqual([['reward', 'REWARD_THREW'], ['reward', 'REWARD_TIMEOUT'], ['reward', 'REWARD_BAD_VALUE'], 1]);
  });
  it('that cannot be are refused in words', async () => {
    await expect(rewardsWith('gsm9k', [])).rejects.toThrow(/there is no reward "gsm9k"/);
    await expect(rewardsWith('./absent.ts', [])).rejects.toThrow(/no file/);
    await expect(rewardsWith(file('none.mjs', 'export const x = 1;'), [])).rejects.toThrow(/exports no reward/);
    await expect(rewardsWith([{ use: 'format' }], [])).rejects.toThrow(/needs a pattern/);
    await expect(rewardsWith(['verl', 'verl'], [])).rejects.toThrow(/two parts/);
  });
});

it('a reward that never ends costs its owner no time: the episodes are cancelled, not paid and not blamed on it', async () => {
  const path = file('never.ts', 'export default () => new Promise(() => undefined);');
  const reward = await openReward(rewardSchema.parse({ parts: [{ use: path }], timeout: 3600 }));
  const controller = new AbortController();
  const applied = reward?.apply(environment, [played('x'), played('y', { sample: 1 })], controller.signal);
  controller.abort(new Error('Ctrl-C'));
  expect((await applied)?.map(({ outcome }) => outcome)).toMatchObject([
    { kind: 'failed', by: 'cancelled' },
    { kind: 'failed', by: 'cancelled' },
  ]);
});

/** What `agoge export verl` writes, read back by our readers of verl's files. (verl itself: tests/peers/training/verl-export.test.ts.) */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromVerl } from '../../config/from-verl.ts';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { readTaskLines } from '../../data/tasks/task-rows.ts';
import '../../envs/builtin.ts';
import { exportVerl } from './verl-export.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const options = { verl: '0.9', url: 'http://10.0.0.5:36001', model: 'some/model', rows: 5, gpus: 2, nodes: 3 };
const recipe = rlRecipe({
  run: 'exported',
  seed: 7,
  tasks: [{ env: 'textcraft', split: 'train' }],
  agent: { format: 'react', max_turns: [4, 9], context: 4096 },
  rollout: { groups: 6, samples: 4, temperature: 0.9 },
  algorithm: { name: 'rloo', clip: [0.1, 0.3], kl: { in: 'loss', coefficient: 0.02 } },
  optimizer: { lr: 2e-6, weight_decay: 0.1 },
  evaluate: { split: 'test', tasks: 3, choose: false },
  steps: 12,
});

describe('agoge export verl', () => {
  it('rows that name their tasks, a configuration that says the same as the recipe, and the adapter', async () => {
    const out = join(folder, 'nine');
    const report = await exportVerl(recipe, out, options);
    expect(report).toMatchObject({ train: 5, test: 3, environments: ['textcraft'] });
    expect(report.notes.join()).toContain('no schedule of turns');
    const lines = await readTaskLines([join(out, 'train.parquet')]);
    expect(lines.map(({ name }) => name)).toEqual(Array<string>(5).fill('textcraft'));
    expect(lines[0]?.prompt?.at(-1)?.text).toMatch(/Goal: craft/);
    const { recipe: back } = await fromVerl(parse(await readFile(join(out, 'config.yaml'), 'utf8')), { version: '0.9.1' });
    expect(rlRecipe(back)).toMatchObject({
      policy: 'hf:some/model',
      rollout: { groups: 6, samples: 4, temperature: 0.9 },
      algorithm: { estimator: 'rloo', clip: [0.1, 0.3], kl: { in: 'loss', coefficient: 0.02, estimator: 'k3' } },
      optimizer: { lr: 2e-6, weight_decay: 0.1 },
      agent: { context: 4096 },
      steps: 12,
    });
    expect(await readdir(out)).toEqual(expect.arrayContaining(['agoge_agent_loop.py', 'agoge_session.py', 'run.sh']));
    expect(await readFile(join(out, 'run.sh'), 'utf8')).toContain('agoge serve textcraft --host 0.0.0.0 --port 36001');
  });

  it.each([
    [{ verl: '1.0' }, {}, 'CLI_USAGE_EXPORT'],
    [{ model: undefined }, {}, 'CONFIG_NOT_IN_VERL'],
    [{}, { algorithm: { name: 'gigpo' } }, 'CONFIG_NOT_IN_VERL'],
    [{}, { agent: { format: 'tools' } }, 'CONFIG_NOT_IN_VERL'],
  ])('%j %j is refused', async (changed, settings, code) => {
    const tasks = [{ env: 'textcraft', split: 'train' }];
    const asked = rlRecipe({ run: 'x', tasks, evaluate: { choose: false, split: 'test' }, ...settings });
    await expect(exportVerl(asked, join(folder, 'refused'), { ...options, ...changed })).rejects.toMatchObject({ code });
  });
});

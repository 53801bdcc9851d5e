import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../core/nearest.ts';
import { applyOverrides } from '../overrides.ts';
import { readRlRecipe, readSftRecipe } from './read-recipe.ts';
import { formatRecipe, rewardModelRecipe, rlRecipe, sftRecipe } from './recipe.ts';
import { watched, withoutPanels } from './watched.ts';
import { verlHabits } from '../verl/habits.ts';
import { parse } from 'yaml';

const short = { run: 'x', tasks: [{ env: 'textcraft' }] };

describe('recipes', () => {
  it('fills in what a short recipe leaves out', () => {
    const recipe = rlRecipe(short);
    expect(recipe.algorithm).toMatchObject({ name: 'grpo', estimator: 'grpo', loss: 'vanilla', clip: [0.2, 0.2], dual_clip: 3 });
    expect(recipe.rollout).toMatchObject({ groups: 32, samples: 8, staleness: 0, filter: false });
    expect(recipe.tasks[0]).toMatchObject({ split: 'train', weight: 1 });
  });
  it('lets a name bring its parts and parts be changed', () => {
    expect(rlRecipe({ ...short, algorithm: { name: 'dapo' } }).rollout.filter).toBe(true);
    expect(rlRecipe({ ...short, algorithm: { name: 'gspo', clip: 0.1 } }).algorithm).toMatchObject({
      loss: 'gspo',
      clip: [0.1, 0.1],
    });
    expect(rlRecipe({ ...short, algorithm: { name: 'ppo', dual_clip: null } }).algorithm.dual_clip).toBeNull();
  });
  it('plays no panels where a list of none is written, and says in our words what a value should be', () => {
    const written = { run: 'x', tasks: [{ env: 'textcraft' }], steps: 5, evaluate: { panels: [], every: 2, at_start: true } };
    const { evaluate } = rlRecipe(withoutPanels(written));
    expect([evaluate.every, evaluate.at_start, evaluate.at_end]).toEqual([0, false, false]);
    // A run that goes on carries an empty list that nobody wrote.
    expect(rlRecipe(written).evaluate.every).toBe(2);
    expect(() => rlRecipe({ ...written, steps: -1, algorithm: { name: 'grop' } })).toThrow(
      /steps: give a number above 0, not -1; algorithm\.name: "grop" is not known: did you mean "grpo"\?|algorithm\.name: "grop" is not known: did you mean "grpo"\?.*steps: give a number above 0, not -1/,
    );
  });

  it('watches a run whose recipe is silent about evaluation, and leaves alone what is said', async () => {
    const bare = { run: 'x', tasks: [{ env: 'textcraft' }] };
    expect(rlRecipe(watched(bare))).toMatchObject({
      evaluate: { every: 10, at_start: true, at_end: true, choose: true, tasks: 100 },
      stop: { fall: 3 },
    });
    for (const said of [
      { ...bare, evaluate: { at_end: false } },
      { ...bare, steps: 9 },
      { ...bare, evaluate: { every: 0 } },
    ])
      expect(watched(said)).toBe(said);
    // As it is read from a file; a run that goes on is read from its own copy, which says it.
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-bare-')), 'bare.yaml');
    await writeFile(file, 'run: bare\ntasks: [{ env: textcraft }]\nsteps: 40\n');
    expect((await readRlRecipe(file)).evaluate).toMatchObject({ every: 10, at_start: true });
    expect((await readRlRecipe(file, ['evaluate.every=0'])).evaluate).toMatchObject({ every: 0, at_start: false });
    expect(rlRecipe(bare).evaluate.every).toBe(0);
    const imitation = { run: 'x', data: { source: 'experts', experts: [{ env: 'textcraft' }] }, steps: 20 };
    expect(sftRecipe(watched(imitation)).evaluate).toMatchObject({ every: 0, at_start: true, at_end: true, choose: true });
    for (const said of [
      { ...imitation, evaluate: { tasks: 5 } },
      { ...imitation, steps: 9 },
      { ...imitation, policy: { fresh: { preset: 'xs' } } },
      { ...imitation, data: { train: 'a.json' } },
    ])
      expect(watched(said)).toBe(said);
    await writeFile(file, 'run: bare\ndata: { source: experts, experts: [{ env: textcraft }] }\nsteps: 40\n');
    expect((await readSftRecipe(file)).evaluate.at_start).toBe(true);
  });

  it('reads its own resolved copy back to the same recipe', () => {
    const recipe = rlRecipe({ ...short, algorithm: { name: 'dapo', kl: { in: 'loss' } }, agent: { max_turns: [10, 20, 30] } });
    expect(rlRecipe(parse(formatRecipe(recipe)))).toEqual(recipe);
    const sft = sftRecipe({ run: 'y', data: { train: 'a.json' } });
    expect(sftRecipe(parse(formatRecipe(sft)))).toEqual(sft);
  });
  it('names what a recipe of another kind lacks', () => {
    expect(() => sftRecipe({ data: { train: 'a.json' } })).toThrow(/"run" is missing: add it, such as run: my-run/);
    expect(() => sftRecipe({ run: 'y' })).toThrow(/"data" is missing: add it, such as data: \{ train: demonstrations\.jsonl \}/);
    expect(() => rewardModelRecipe({ run: 'y' })).toThrow(/"pairs" is missing: add it/);
  });
  it.each([
    [{ ...short, rolout: {} }, /unknown key "rolout": did you mean "rollout"/],
    [{ ...short, rollout: { group: 3 } }, /unknown key "rollout\.group": did you mean "rollout\.groups"/],
    [{ ...short, tasks: [{ env: 'textcraft', spilt: 'x' }] }, /"tasks\.0\.spilt": did you mean "tasks\.0\.split"/],
    [{ ...short, algorithm: { kl: { coeficient: 1 } } }, /did you mean "algorithm\.kl\.coefficient"/],
    [
      { ...short, tasks: [{ env: 'textcraft', split: 'test', file: 'x.parquet' }] },
      /"tasks\.0\.(split|file)" does not go with the others of tasks\.0/,
    ],
    [{ ...short, algorithm: { name: 'grop' } }, /algorithm\.name/],
    [{ run: 'x' }, /"tasks" is missing: add it, such as tasks: \[\{ env: textcraft \}\]\. Correct the recipe/],
    [{ tasks: [{ env: 'textcraft' }] }, /"run" is missing: add it, such as run: my-run\. Correct the recipe, or see it resolved/],
    [{ run: 'x', tasks: [{ split: 'test' }] }, /"tasks\.0\.env" is missing: add it/],
    [{ ...short, run: null }, /^(?!.*is missing)/],
    [null, /the recipe: it is empty: agoge recipes lists recipes/],
  ])('refuses %j', (config, message) => {
    expect(() => rlRecipe(config)).toThrow(message);
  });
});

describe('what verl’s users write', () => {
  const messageOf = (make: () => unknown): string => {
    try {
      make();
    } catch (thrown) {
      return String(thrown);
    }
    return '';
  };
  it('is answered with our name for it', () => {
    const overrides = ['actor_rollout_ref.rollout.n=8', 'algorithm.adv_estimator=grpo', 'trainer.n_gpus_per_node=8'];
    const rl = messageOf(() => rlRecipe(applyOverrides(short, overrides)));
    expect(rl).toContain('"actor_rollout_ref.rollout.n": in verl; here it is rollout.samples;');
    expect(rl).toContain('"algorithm.adv_estimator": in verl; here it is algorithm.name');
    expect(rl).toContain('"trainer.n_gpus_per_node": in verl; agoge config from-verl says');
    const sft = messageOf(() => sftRecipe(applyOverrides({ run: 'y' }, ['data.train_files=x.parquet', 'data.odd=1'])));
    expect(sft).toContain('"data.train_files": in verl; here it is data.train;');
    expect(sft).toContain('unknown key "data.odd"; known here: ');
  });
  it.each([
    ...Object.values(verlHabits.rl).map((key) => ['rl', key]),
    ...Object.values(verlHabits.sft).map((key) => ['sft', key]),
  ])('exists in a recipe of %s: %s', (kind, name = '') => {
    const [key = ''] = name.split('=');
    const said = messageOf(() => (kind === 'rl' ? rlRecipe : sftRecipe)(applyOverrides(short, [`${key}={odd: 1}`])));
    expect(said).toContain(key);
    expect(said).not.toContain(`unknown key "${key}"`);
  });
  it('is no recipe', async () => {
    await expect(readRlRecipe('data.train_files=x.parquet')).rejects.toThrow(/is an override.*name the recipe before it/);
  });
});

describe('overrides', () => {
  it('reads the forms the seeds use', () => {
    const config = applyOverrides({ a: { b: 1 }, list: [{ x: 1 }] }, [
      'a.b=2',
      '+c.d=[6,13,20]',
      '++e=True',
      'f=1e-6',
      'list.0.x=null',
      "g='text'",
      '~h',
      'i=',
    ]);
    expect(config).toEqual({ a: { b: 2 }, c: { d: [6, 13, 20] }, e: true, f: 1e-6, list: [{ x: null }], g: 'text', i: '' });
  });
  it('removes', () => expect(applyOverrides({ a: { b: 1, c: 2 } }, ['~a.b'])).toEqual({ a: { c: 2 } }));
  it('refuses what is not one', () => {
    expect(() => applyOverrides({}, ['rollout'])).toThrow(/key\.sub=value/);
    expect(() => applyOverrides({ list: [1] }, ['list.x=1'])).toThrow(/entries 0 to 0/);
  });
});

describe('nearest', () => {
  it('finds a slip and refuses a stranger', () => {
    expect(nearest('temprature', ['temperature', 'top_p'])).toBe('temperature');
    expect(nearest('banana', ['temperature', 'top_p'])).toBeUndefined();
  });
});

it.each(['../..', '/tmp/x', 'a/b', '..', '.', '', '.hidden', 'a\\b'])(
  'a run cannot be named %j: it would lie outside of its folder',
  (run) => {
    expect(() => rlRecipe({ run, tasks: [{ env: 'textcraft' }] })).toThrow(/one folder name/);
  },
);

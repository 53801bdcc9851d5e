import { describe, expect, it } from 'vitest';
import type { TaskRef } from '../../core/task.ts';
import { textCraft } from './textcraft.ts';

const env = textCraft({ expert: 'retry' });
const task = (index: number, split = 'fit-renamed'): TaskRef => ({ env: 'textcraft', split, index });

/** A first observation with every name replaced by the number of its first use: what is left is the tree. */
function shape(task: TaskRef): string[] {
  const { world } = env.openWorld(task);
  const known = new Map<string, number>();
  const number = (name: string): number => {
    if (!known.has(name)) known.set(name, known.size);
    return known.get(name) ?? -1;
  };
  return world.book
    .closure(world.goal)
    .map(
      ({ output, count, inputs }) =>
        `${count} ${number(output)}: ${inputs.map((one) => `${one.count} ${number(one.name)} ${one.tag}`).join(', ')}`,
    );
}

describe('real goals under other names', () => {
  it('keep the tree of the goal, one after the other', () => {
    const fit = env.tasks('fit').size;
    for (let index = 0; index < fit; index += 17) {
      expect(shape(task(index))).toEqual(shape(task(index, 'fit')));
      expect(shape(task(index + fit))).toEqual(shape(task(index, 'fit')));
    }
  });

  it('have other words each time, and other distractors', () => {
    const fit = env.tasks('fit').size;
    const [a, b] = [env.openWorld(task(100)), env.openWorld(task(100 + fit))];
    const real = env.openWorld(task(100, 'fit'));
    expect(new Set([a.goal, b.goal, real.goal]).size).toBe(3);
    expect(env.openWorld(task(100))).toMatchObject({ goal: a.goal, commands: a.commands });
    expect(a.commands.split('\n').length).toBeGreaterThanOrEqual(real.world.book.closure(real.goal).length);
  });

  it('are solved by the expert within the turns that the real ones take', () => {
    for (const split of ['fit', 'validation']) {
      const { size } = env.tasks(split);
      for (let index = 0; index < size; index += 13) {
        const play = (ref: TaskRef): number => {
          const episode = env.open(ref);
          const expert = env.expert(ref);
          let { observation } = episode;
          for (let turn = 1; turn <= 200; turn++) {
            const action = expert.next(observation);
            if (action === null) return Infinity;
            const step = episode.step(action) as { observation: string; done: boolean; success?: boolean };
            if (step.done) return step.success === true ? turn : Infinity;
            observation = step.observation;
          }
          return Infinity;
        };
        expect(play(task(index, `${split}-renamed`)), `${split} ${index}`).toBeLessThan(200);
      }
    }
  });

  it('the fresh panel has the trees of the 100 test goals under names of its own, and the expert solves them', () => {
    expect(env.tasks('fresh').size).toBe(100);
    expect(() => env.open(task(100, 'fresh'))).toThrow(/textcraft\/fresh has tasks 0 to 99/);
    let shared = 0;
    for (let index = 0; index < 100; index++) {
      const [fresh, real] = [env.tasks('fresh').info(index), env.tasks('test').info(index)];
      expect(fresh.category).toBe(real.category);
      if (fresh.title === real.title) shared++;
      const [episode, expert] = [env.open(task(index, 'fresh')), env.expert(task(index, 'fresh'))];
      let step = { observation: episode.observation, done: false };
      for (let turn = 0; turn < 200 && !step.done; turn++)
        step = episode.step(expert.next(step.observation) ?? '') as typeof step;
      expect(step.done, `fresh ${index}`).toBe(true);
    }
    expect(shared).toBe(0);
  });

  it('count from 0 and are named', () => {
    expect(env.tasks('fit-renamed').size).toBe(Infinity);
    expect(env.tasks('validation-renamed').info(3)).toMatchObject({
      category: env.tasks('validation').info(3).category,
      itemId: 'textcraft-validation-renamed_3',
    });
    expect(() => env.open(task(-1))).toThrow(/counts its tasks from 0/);
  });
});

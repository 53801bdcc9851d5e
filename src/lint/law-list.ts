/** The laws themselves: the contract, the same bytes again, episodes apart, any text, the end, the expert, the floor, memory. */
import { AgogeError } from '../core/error.ts';
import type { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment } from '../envs/environment.ts';
import { disturbed, placed } from './disturbance.ts';
import { EndlessPlay } from './endless-play.ts';
import { anyAction, babble, junk } from './generate.ts';
import type { Check, Law, Violation } from './law.ts';
import { heldMemory } from './memory.ts';
import { difference, opening, see, short, sight, solve, type Case, type Seen, expertOf } from './play.ts';
import { shrink } from './shrink.ts';

/** In the order in which they are checked. */
export const laws: readonly Law[] = [
  {
    name: 'contract',
    says: 'names, splits and tasks are as the contract says, and what does not exist is refused by name',
    async check({ environment, tasks }) {
      const checked = `${environment.splits.length} splits`;
      const broken = (detail: string) => ({ checked, violation: { detail } });
      if (!/^[a-z][a-z0-9-]*$/.test(environment.name)) return broken(`the name "${environment.name}" is not lower case`);
      if (environment.version === '' || environment.splits.length === 0) return broken('there is no version or no split');
      for (const { split, index } of tasks) {
        const info = environment.tasks(split).info(index);
        if (info.category === '' || info.itemId === '') return broken(`${split}#${index} has no category or no item id`);
      }
      const refusals: [string, string, () => unknown][] = [
        ['a split that is not there', 'ENV_UNKNOWN_SPLIT', () => environment.tasks('no-such-split')],
        ...environment.splits.flatMap((split): [string, string, () => unknown][] => {
          const { size } = environment.tasks(split);
          const open = (index: number) => () => environment.open({ env: environment.name, split, index });
          const ends = Number.isFinite(size) ? [-1, size, 0.5] : [-1, 0.5];
          return ends.map((index) => [`${split}#${index}`, 'ENV_UNKNOWN_TASK', open(index)]);
        }),
      ];
      for (const [what, code, attempt] of refusals) {
        const refusal = await thrownBy(attempt);
        if (!(refusal instanceof AgogeError) || refusal.code !== code) return broken(`${what} is not refused with ${code}`);
      }
      return { checked };
    },
  },
  {
    name: 'deterministic',
    says: 'the same task and actions give the same bytes',
    check: (check) =>
      onCases(check, async (one) => difference(await see(check.environment, one), await see(check.environment, one))),
  },
  {
    name: 'independent',
    says: 'two episodes played in turns never touch each other',
    async check(check) {
      const { environment, random, tasks } = check;
      return onCases(check, async (one) => {
        const other: Case = { task: random.pick(tasks), actions: [...one.actions].reverse() };
        const [alone, otherAlone] = [await see(environment, one), await see(environment, other)];
        const [seen, otherSeen] = await seeInTurns(environment, one, other);
        return difference(alone, seen) ?? difference(otherAlone, otherSeen);
      });
    },
  },
  {
    name: 'robust',
    says: 'empty, huge and arbitrary texts never throw, earn nothing, and never change what a valid action does',
    async check({ environment, random, options, tasks }) {
      const checked = `${Math.min(options.cases, tasks.length)} solutions with junk between their actions`;
      for (const task of tasks.slice(0, options.cases)) {
        const { actions } = await solve(environment, task);
        const noise = actions.map(() => [junk(random)].slice(random.below(2)));
        if (actions.length === 0) noise.push([junk(random), junk(random), junk(random)]);
        const fails = (between: readonly (readonly string[])[]) => disturbed(environment, task, actions, between);
        if ((await fails(noise)) === undefined) continue;
        const flat = noise.flatMap((texts, at) => texts.map((text) => `${at}:${text}`));
        const small = await shrink(flat, async (some) => (await fails(placed(some, noise.length))) !== undefined);
        const between = placed(small, noise.length);
        const detail = (await fails(between)) ?? (await fails(noise)) ?? 'it is broken only sometimes';
        return { checked, violation: { task, actions: between.flat(), detail } };
      }
      return { checked };
    },
  },
  {
    name: 'ended',
    says: 'after the end nothing is earned, the episode stays done, and the observation stays',
    async check({ environment, random, options, tasks }) {
      let ended = 0;
      for (const task of tasks.slice(0, options.cases)) {
        const { actions, steps } = await solve(environment, task);
        const last = steps.at(-1);
        if (last?.done !== true) continue;
        ended++;
        await using episode = await environment.open(task);
        for (const action of actions) await episode.step(action);
        for (const action of [...actions.slice(-2), junk(random), babble(random, environment, last.observation)]) {
          const after = await episode.step(action);
          if (after.reward === 0 && after.done && after.observation === last.observation) continue;
          const detail = `after the end, "${short(action)}" gave reward ${after.reward}, done ${after.done}, "${short(after.observation)}"`;
          return { checked: `${ended} endings`, violation: { task, actions: [...actions, action], detail } };
        }
      }
      return { checked: `${ended} endings` };
    },
  },
  {
    name: 'expert',
    says: 'the expert solves every task that can be solved',
    async check({ environment, options }) {
      let count = 0;
      let impossible = 0;
      if (!environment.expert && !environment.remoteExpert)
        return {
          checked: 'nothing',
          violation: { detail: 'the environment has no expert: write one, it proves that the tasks can be solved' },
        };
      for (const split of environment.splits) {
        for (const index of spread(environment.tasks(split).size, options.expertTasks)) {
          options.signal?.throwIfAborted();
          const task = { env: environment.name, split, index };
          if (environment.impossible?.(task) !== undefined) {
            impossible++;
            continue;
          }
          const { actions, reward, success } = await solve(environment, task);
          count++;
          if (!success) {
            const detail = `the expert ended after ${actions.length} actions with reward ${reward}, unsolved`;
            return { checked: `${count} tasks`, violation: { task, actions, detail } };
          }
        }
      }
      return { checked: `${count} tasks${impossible > 0 ? `, ${impossible} left out as impossible` : ''}` };
    },
  },
  {
    name: 'floor',
    says: 'saying nothing earns nothing, and babbling earns next to nothing',
    async check({ environment, random, options, tasks }) {
      let earned = 0;
      let played = 0;
      for (const task of tasks.slice(0, options.cases)) {
        await using silent = await environment.open(task);
        for (let turn = 0; turn < 20; turn++) {
          const { reward } = await silent.step('');
          if (reward > 0)
            return { checked: `${played} tasks`, violation: { task, actions: [''], detail: `silence earned ${reward}` } };
        }
        await using episode = await environment.open(task);
        let { observation } = episode;
        for (let turn = 0; turn < 20; turn++) {
          const step = await episode.step(babble(random, environment, observation));
          ({ observation } = step);
          earned += step.reward;
          if (step.done) break;
        }
        played++;
      }
      const mean = earned / Math.max(1, played);
      const checked = `${played} tasks, babbling earned ${mean.toFixed(3)} on average`;
      if (mean <= (environment.luck ?? 0.1)) return { checked };
      return {
        checked,
        violation: { detail: `babbling earned ${mean.toFixed(3)} per task on average: the reward pays for nothing` },
      };
    },
  },
  {
    name: 'memory',
    says: 'memory stays flat however many steps are played',
    async check({ environment, random, options, tasks }) {
      await using play = new EndlessPlay(environment, random, tasks);
      const { memorySteps, memoryWithin, signal } = options;
      const start = performance.now();
      const playUntil = async (share: number): Promise<void> => {
        while (play.steps < share * memorySteps && performance.now() - start < share * memoryWithin) {
          if (play.steps % 1000 === 0) signal?.throwIfAborted();
          await play.step();
        }
      };
      await playUntil(0.2);
      const [before, warm] = [heldMemory(), play.steps];
      await playUntil(1);
      const grown = heldMemory() - before;
      const fewer = play.steps < memorySteps ? `of ${memorySteps} within ${memoryWithin / 1000} s, ` : '';
      const checked = `${play.steps} steps, ${fewer}${(grown / 2 ** 20).toFixed(1)} MiB more after the first ${warm}`;
      if (grown < Math.max(before * 0.05, 4 * 2 ** 20)) return { checked };
      return { checked, violation: { detail: `${(grown / 2 ** 20).toFixed(1)} MiB were kept: something remembers every step` } };
    },
  },
];

/** Generates cases by playing, and makes the first one that breaks the law small. */
async function onCases(
  { environment, options, random, tasks }: Check,
  broken: (one: Case) => Promise<string | undefined>,
): Promise<{ checked: string; violation?: Violation }> {
  const checked = `${options.cases} generated plays`;
  for (let n = 0; n < options.cases; n++) {
    options.signal?.throwIfAborted();
    const task = random.pick(tasks);
    const actions = await generatedPlay(environment, random, task);
    const detail = await broken({ task, actions });
    if (detail === undefined) continue;
    const small = await shrink(actions, async (some) => (await broken({ task, actions: some })) !== undefined);
    return { checked, violation: { task, actions: small, detail: (await broken({ task, actions: small })) ?? detail } };
  }
  return { checked };
}

async function generatedPlay(environment: Environment, random: Random, task: TaskRef): Promise<string[]> {
  await using episode = await environment.open(task);
  const expert = random.below(2) === 0 ? expertOf(environment, task) : undefined;
  const actions: string[] = [];
  let { observation } = episode;
  for (let turn = random.between(1, 20); turn > 0; turn--) {
    const wise = random.below(3) === 0 ? undefined : await expert?.next(observation);
    const action = wise ?? anyAction(random, environment, observation, episode);
    actions.push(action);
    ({ observation } = await episode.step(action));
  }
  return actions;
}

async function seeInTurns(environment: Environment, one: Case, other: Case): Promise<[Seen, Seen]> {
  await using first = await environment.open(one.task);
  await using second = await environment.open(other.task);
  const seen = [opening(first)];
  const otherSeen = [opening(second)];
  for (let turn = 0; turn < one.actions.length; turn++) {
    seen.push(sight(first, await first.step(one.actions[turn] ?? '')));
    otherSeen.push(sight(second, await second.step(other.actions[turn] ?? '')));
  }
  return [seen, otherSeen];
}

/** `count` indices from 0 to size - 1, evenly spread; the first of a generated split, whose tasks are alike. */
function spread(size: number, count: number): number[] {
  if (size === Infinity) return Array.from({ length: Math.min(count, 200) }, (_, i) => i);
  if (size <= count) return Array.from({ length: size }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.floor((i * size) / count));
}

async function thrownBy(attempt: () => unknown): Promise<unknown> {
  try {
    await attempt();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

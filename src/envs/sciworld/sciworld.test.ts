import { describe, expect, it } from 'vitest';
import { Random } from '../../core/random/random.ts';
import { ALL, BY_ITEM, CATALOGUE, itemOf } from './catalogue.ts';
import { sciWorld } from './sciworld.ts';
import { Simulation } from './simulation.ts';
import { variationsIn } from './splits.ts';
import { TASKS } from './tasks/tasks.ts';

const play = (task: string, variation: number, ...inputs: string[]): string[] => {
  const simulation = new Simulation(task, variation);
  return inputs.map((input) => simulation.step(input).observation);
};

describe('tasks and splits', () => {
  it('has the thirty tasks with their numbers of variations', () => {
    expect(ALL.length).toBe(7207);
    for (const { name, size } of CATALOGUE) expect([name, TASKS.find((task) => task.name === name)?.size]).toEqual([name, size]);
  });

  it('numbers items as AgentGym does', () => {
    const item = (index: number): string => `${BY_ITEM[index]?.task.name} ${BY_ITEM[index]?.number}`;
    expect(item(0)).toBe('boil 0');
    expect(item(119)).toBe('change-the-state-of-matter-of 29');
    expect(item(660)).toBe('measure-melting-point-known-substance 0');
    expect(item(4638)).toBe('identify-life-stages-2 9');
    expect(item(4639)).toBe('grow-plant 0');
    expect(BY_ITEM.every((variation, index) => itemOf(variation) === index)).toBe(true);
  });

  it('has the sets of AgentGym-RL, ETO and the original', () => {
    const sizes = ['train', 'test', 'eto-train', 'eto-dev', 'eto-test'].map((split) => variationsIn(split)?.length);
    expect(sizes).toEqual([2120, 200, 1483, 194, 211]);
    const original = ['original-train', 'original-dev', 'original-test'].map((split) => variationsIn(split)?.length ?? 0);
    expect(original.reduce((sum, size) => sum + size)).toBe(7207);
    const boil = variationsIn('original-test')?.filter(({ task }) => task.name === 'boil');
    expect(boil?.map(({ number }) => number)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29]);
  });

  it('names tasks by task and variation, and refuses what it does not have', () => {
    const env = sciWorld();
    expect(env.tasks('all').info(5)).toEqual({ category: 'boil', itemId: 'sciworld_5', title: 'boil 5' });
    expect(sciWorld({ categories: 'topic' }).tasks('all').info(5).category).toBe('Matter');
    expect(() => env.tasks('nope')).toThrow('sciworld has no split "nope"');
    expect(() => env.tasks('test').info(200)).toThrow('sciworld/test has no task 200');
    expect(env.taskOfItem(4639)).toMatchObject({ split: 'all' });
    expect(() => env.taskOfItem(7207)).toThrow('no item 7207');
    expect(() => sciWorld({ simplifications: 'easier' })).toThrow('choose from teleportAction');
    expect(() => sciWorld({ limit: 'many' })).toThrow('sciworld.limit is "many"');
  });
});

describe('the house', () => {
  it('answers as the original does', () => {
    const [look, , ambiguous, cancelled] = play('boil', 5, 'look around', 'foo bar', 'connect wire to battery', 'never mind');
    expect(look).toBe(
      [
        'This room is called the workshop. In it, you see: ',
        '\tthe agent',
        '\ta substance called air',
        '\ta table. On the table is: a battery, a black wire, a blue wire, a orange wire, a red light bulb, which is off, a switch, which is off, a violet light bulb, which is off, a yellow light bulb, which is off.',
        '\ta ultra low temperature freezer. The ultra low temperature freezer door is closed. ',
        'You also see:',
        '\tA door to the hallway (that is closed)',
      ].join('\n'),
    );
    expect(ambiguous).toBe('No known action matches that input.');
    expect(cancelled).toBe('No known action matches that input.');
  });

  it('asks for a number where several things fit, and takes anything else for a no', () => {
    const simulation = new Simulation('find-plant', 0);
    const question = simulation.step('look at terminal').observation;
    expect(question).toMatch(/^Ambiguous request: Please enter the number for the action you intended/);
    expect(simulation.step('no').observation).toMatch(/^Unknown action\./);
    expect(simulation.moves).toBe(1);
  });

  it('opens doors, teleports and waters by itself where simplified', () => {
    const easy = sciWorld({ simplifications: 'easy' }).open({ env: 'sciworld', split: 'all', index: 0 });
    expect(easy.observation).not.toContain('(that is closed)');
    expect(easy.step('teleport to foundry').observation).toBe('You teleport to the foundry.');
    expect(easy.actions.some((action) => action.startsWith('connect'))).toBe(false);
    const plain = sciWorld().open({ env: 'sciworld', split: 'all', index: 0 });
    expect(plain.step('teleport to foundry').observation).toBe('No known action matches that input.');
  });

  it('lists valid actions without leaving a trace', () => {
    const looked = new Simulation('grow-fruit', 3);
    const blind = new Simulation('grow-fruit', 3);
    for (const input of ['open door to hallway', 'look around', 'wait', 'look around']) {
      expect(looked.peekValidTexts().length).toBeGreaterThan(20);
      expect(looked.step(input)).toEqual(blind.step(input));
    }
    expect(looked.world.random.next(32)).toBe(blind.world.random.next(32));
  });

  it('shows the state of every turn, and progress without the count of moves', () => {
    const episode = sciWorld().open({ env: 'sciworld', split: 'all', index: 0 });
    const first = episode.state;
    episode.step('open door to kitchen');
    const { moves, ...rest } = episode.state;
    expect(moves).toBe(first.moves + 1);
    expect(rest.doors.filter(({ open }) => open).length).toBe(first.doors.filter(({ open }) => open).length + 1);
    expect(episode.progress).toEqual(rest);
  });

  it('fails the task where the wrong thing is focused on, and ends the episode', () => {
    const episode = sciWorld().openItem(2936);
    const { reward, done, success } = episode.step('focus on agent');
    expect({ reward, done, success }).toEqual({ reward: -1, done: true, success: false });
    expect(episode.step('look around')).toMatchObject({ reward: 0, done: true });
  });

  it('ends after 100 moves in AgentGym’s splits', () => {
    const env = sciWorld();
    const limited = env.open({ env: 'sciworld', split: 'test', index: 0 });
    let steps = 0;
    while (!limited.step('wait').done) steps++;
    expect(steps).toBe(9);
    const free = env.open({ env: 'sciworld', split: 'all', index: 0 });
    for (let i = 0; i < 12; i++) expect(free.step('wait').done).toBe(false);
  });
});

describe('the expert', () => {
  for (const { name, size } of CATALOGUE) {
    it(`solves ${name}`, () => {
      const env = sciWorld();
      for (const number of [0, size - 1]) {
        const index = ALL.findIndex((variation) => variation.task.name === name && variation.number === number);
        const task = { env: 'sciworld', split: 'all', index };
        const episode = env.open(task);
        const expert = env.expert(task);
        let last = { done: false, success: false as boolean | undefined };
        for (let action = expert.next(''); action !== null && !last.done; action = expert.next('')) {
          const step = episode.step(action);
          last = { done: step.done, success: step.success };
        }
        expect(last).toEqual({ done: true, success: true });
      }
    });
  }
});

describe('any input', () => {
  const words =
    'move put to in into on open close the door table cup water connect terminal 1 0 -1 wire focus pour object agent'.split(' ');

  it('is answered, and never touches another session', () => {
    const random = Random.of(7);
    const other = new Simulation('test-conductivity', 7);
    const twin = new Simulation('test-conductivity', 7);
    for (let round = 0; round < 4; round++) {
      const simulation = new Simulation('power-component', round);
      for (let i = 0; i < 150; i++) {
        const length = random.below(7);
        const input =
          random.below(5) === 0 ? String.fromCharCode(random.below(65_536), 0, 10, random.below(256)) : phrase(length);
        const { observation, score } = simulation.step(input);
        expect(observation.length).toBeGreaterThan(0);
        expect(score).toBeGreaterThanOrEqual(-1);
        if (i % 30 === 0) expect(other.step('wait1')).toEqual(twin.step('wait1'));
      }
    }
    function phrase(length: number): string {
      return Array.from({ length }, () => words[random.below(words.length)]).join(' ');
    }
  });
});

describe('rewards', () => {
  it.each([3471, 0, 660, 4639])('of item %i add up to the score, points that are held from the start included', (item) => {
    const env = sciWorld();
    const task = env.taskOfItem(item);
    const episode = env.open(task);
    const expert = env.expert(task);
    let [total, observation] = [0, episode.observation];
    for (let turn = 0; turn < 200; turn++) {
      const action = expert.next(observation);
      if (action === null) break;
      const step = episode.step(action);
      total += step.reward;
      observation = step.observation;
      if (step.done) break;
    }
    expect(episode.score).toBe(100);
    expect(total).toBeCloseTo(1, 9);
  });

  it('pay nothing for points that are held from the start to who earns none', () => {
    const env = sciWorld();
    const episode = env.open(env.taskOfItem(3471));
    expect(episode.score).toBeGreaterThan(0);
    expect(episode.step('').reward).toBe(0);
    expect(episode.step('look around').reward).toBe(0);
  });
});

describe('releases', () => {
  const doors = (edition: '1.2' | '1.3', ...before: string[]): string[] => {
    const simulation = new Simulation('find-plant', 31, new Set(), edition);
    for (const input of before) simulation.step(input);
    return simulation
      .peekValidTexts()
      .filter((text) => /^(open|close) .*(door|drain)/.test(text))
      .map((text) => text.replace(/^\w+ /, ''));
  };

  it('1.3 has one name for each door; in 1.2 doors are called by their first name that nothing else has', () => {
    const there = ['open door to hallway', 'go to hallway'];
    expect(doors('1.3', ...there)).toEqual(expect.arrayContaining(['door to bedroom', 'door to kitchen']));
    expect(doors('1.2', ...there)).toEqual(expect.arrayContaining(['bedroom door', 'door to kitchen']));
    const lone = ['open door to bedroom', 'go to bedroom'];
    expect(doors('1.3', ...there, ...lone)).toEqual(['door to hallway']);
    expect(doors('1.2', ...there, ...lone)).toEqual(['door']);
  });

  it('are told apart by the version of the environment, and say the same', () => {
    expect(sciWorld({ edition: '1.2' }).version).toBe('2-edition1.2');
    expect(sciWorld().version).toBe('2');
    const say = (edition: '1.2' | '1.3'): string[] => {
      const simulation = new Simulation('boil', 5, new Set(), edition);
      return ['look around', 'open door', 'look in hallway'].map((input) => simulation.step(input).observation);
    };
    expect(say('1.2')).toEqual(say('1.3'));
    expect(() => sciWorld({ edition: '1.1' })).toThrow(/edition/);
  });
});

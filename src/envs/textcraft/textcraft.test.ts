import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../core/random/any-character.fixture.ts';
import { Random } from '../../core/random/random.ts';
import { parseFirstObservation, recipeLine } from './commands.ts';
import { plan, type ExpertStyle } from './expert.ts';
import { expertStyles } from './settings.ts';
import { generateWorld, MIXED, SHORT } from './generated.ts';
import { textCraft } from './textcraft.ts';
import { World } from './world.ts';

const env = textCraft();

const trying: readonly ExpertStyle[] = ['attempt', 'retry'];

/** Only what is tried before it can succeed may fail, and only in the styles that try. */
function solve(world: World, actions: readonly string[], style: ExpertStyle = 'exact') {
  let last = { observation: '', reward: 0, done: false };
  for (const action of actions) {
    last = world.step(action);
    const goes = trying.includes(style) ? /^(Got|Crafted|Could not find) / : /^(Got|Crafted) /;
    // Vitest is asked only about what fails: it takes ten times as long as the step.
    if (!goes.test(last.observation)) expect(last.observation, action).toMatch(goes);
  }
  return last;
}

describe('rules', () => {
  // The messages of a game played by the original's rules.
  it.each([
    ['inventory', 'Inventory: You are not carrying anything.'],
    ['inventory please', 'Inventory: You are not carrying anything.'],
    ['Get 1 stone', 'Could not execute Get 1 stone'],
    ['get 1 oak planks', 'Could not find oak planks'],
    ['get 1 planks', 'Could not find planks'],
    ['get 1 unobtainium', 'Could not find unobtainium'],
    ['get 007 stone', 'Got 7 stone'],
    ['get 0 birch logs', 'Got 0 birch logs'],
    ['get 123456789012345678901234567890 dirt', 'Got 123456789012345678901234567890 dirt'],
    ['inventory', 'Inventory: [stone] (7) [birch logs] (0) [dirt] (123456789012345678901234567890) '],
    ['craft 1 foo using stone', 'Wrong item format: stone'],
    ['craft 1 foo using 1 stone,', 'Wrong item format: '],
    ['craft 4 birch planks using 1 birch logs', 'Could not find enough items to craft minecraft:birch_planks'],
    ['craft 1 planks using 1 birch logs', 'Could not find enough items to craft None'],
    [
      'craft 1 foo using 1 stone',
      "Could not find a valid recipe for ItemTagWithCount(item_tag=ItemTag(tag=None, item_id='minecraft:foo'), count=1)",
    ],
    [
      "craft 3 bob's using 1 stone",
      `Could not find a valid recipe for ItemTagWithCount(item_tag=ItemTag(tag=None, item_id="minecraft:bob's"), count=3)`,
    ],
    [
      'craft 2 planks using 1 stone',
      "Could not find a valid recipe for ItemTagWithCount(item_tag=ItemTag(tag='minecraft:planks', item_id=None), count=2)",
    ],
    ['craft 99 stone slab using 3 stone', 'Crafted 6 minecraft:stone_slab'],
    ['get 2 birch logs', 'Got 2 birch logs'],
    ['craft birch planks using 1 birch logs', 'Crafted 4 minecraft:birch_planks'],
    ['craft 4 birch planks using  1 birch logs ', 'Crafted 4 minecraft:birch_planks'],
    ['craft 1 crafting table using 4 birch planks', 'Crafted 1 minecraft:crafting_table'],
  ])('play: %s', (action, observation) => {
    // One world goes through the whole list.
    const step = played.step(action);
    expect(step.observation).toBe(observation);
    expect(step.done).toBe(action.includes('crafting table'));
    expect(step.reward).toBe(action.includes('crafting table') ? 1 : 0);
  });
  const played = new World(env.book, 'crafting_table');

  it('plays on after the goal in the world, and not in an episode', () => {
    expect(played.step('get 1 stone')).toEqual({ observation: 'Got 1 stone', reward: 0, done: false });
    const task = { env: 'textcraft', split: 'test', index: 3 };
    const episode = env.open(task);
    const expert = env.expert(task);
    let step = { observation: '', reward: 0, done: false };
    for (let action = expert.next(''); action !== null; action = expert.next(step.observation))
      step = episode.step(action) as typeof step;
    expect(step).toMatchObject({ reward: 1, done: true, success: true });
    expect(episode.step('inventory')).toMatchObject({ observation: step.observation, reward: 0, done: true });
  });

  it('emulates the old recipe lists only when told to', () => {
    const action = 'craft 4 birch stairs using 1 birch logs';
    const old = textCraft({ edition: '2024' }).openGoal('birch stairs').world;
    old.step('get 1 birch logs');
    expect(old.step(action).observation).toBe('Crafted 4 minecraft:birch_planks');
    const strict = textCraft({ edition: '2024', quirk: 'false' }).openGoal('minecraft:birch_stairs').world;
    strict.step('get 1 birch logs');
    expect(strict.step(action).observation).toMatch(/^Could not find a valid recipe/);
  });

  it('takes any text for an action and keeps what is held whole', () => {
    const item = fc.constantFrom('stone', 'birch logs', 'birch planks', 'planks', 'stick', 'x\u0000y', '');
    const action = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.tuple(fc.nat(70), item).map(([n, name]) => `get ${n} ${name}`),
      fc
        .tuple(item, fc.array(fc.tuple(fc.nat(9), item), { maxLength: 3 }))
        .map(([name, inputs]) => `craft 1 ${name} using ${inputs.map(([n, input]) => `${n} ${input}`).join(', ')}`),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const a = new World(env.book, 'stick');
        const b = new World(env.book, 'stick');
        for (const each of actions) {
          expect(a.step(each)).toEqual(b.step(each));
          for (const count of a.inventory.values()) expect(count >= 0n).toBe(true);
        }
      }),
    );
  });
});

describe('goals', () => {
  it.each([
    ['2025', [125, 291, 117, 11]],
    ['2024', [140, 280, 113, 11]],
  ])('edition %s: 544 goals sorted by depth', (edition, sizes) => {
    const { goals, book } = textCraft({ edition });
    expect(new Set(goals).size).toBe(544);
    const depths = goals.map((goal) => book.depth(goal));
    expect(depths).toEqual([...depths].sort());
    expect([1, 2, 3, 4].map((depth) => depths.filter((each) => each === depth).length)).toEqual(sizes);
  });

  it.each(['2024', '2025'])('the expert solves all of edition %s in every style', (edition) => {
    const { goals, book } = textCraft({ edition });
    for (const goal of goals) {
      for (const style of expertStyles) {
        expect(solve(new World(book, goal), plan(book, goal, { style }), style)).toMatchObject({ reward: 1, done: true });
      }
    }
  });

  it('attempts from the top down: a craft is tried as its line is written, then what is missing is fetched', () => {
    expect(plan(env.book, 'oak_fence', { style: 'attempt' })).toEqual([
      'craft 3 oak fence using 2 stick, 4 oak planks', // fails: no sticks
      'get 64 stick', // fails: to be crafted
      'craft 1 stick using 2 bamboo', // fails: no bamboo
      'get 64 bamboo',
      'craft 1 stick using 2 bamboo',
      'craft 1 stick using 2 bamboo',
      'get 64 oak planks',
      'craft 4 oak planks using 1 oak logs',
      'get 64 oak logs',
      'craft 4 oak planks using 1 oak logs',
      'craft 3 oak fence using 2 stick, 4 oak planks',
    ]);
  });

  it('retries without counting: each ingredient is fetched once, and crafted once more when the craft fails again', () => {
    expect(plan(env.book, 'shield', { style: 'retry' })).toEqual([
      'craft 1 shield using 6 planks, 1 iron ingot',
      'get 64 planks', // fails: a kind, to be crafted
      'craft 4 acacia planks using 1 acacia logs',
      'get 64 acacia logs',
      'craft 4 acacia planks using 1 acacia logs',
      'get 64 iron ingot',
      'craft 1 iron ingot using 9 iron nugget',
      'get 64 iron nugget',
      'craft 1 iron ingot using 9 iron nugget',
      'craft 1 shield using 6 acacia planks, 1 iron ingot', // fails: four planks
      'craft 4 acacia planks using 1 acacia logs',
      'craft 1 iron ingot using 9 iron nugget', // not needed, but nobody counted
      'craft 1 shield using 6 acacia planks, 1 iron ingot',
    ]);
  });

  it.each(expertStyles)('the expert goes on from any inventory, in the style %s', (style) => {
    const goal = 'beacon';
    const actions = plan(env.book, goal);
    const world = new World(env.book, goal);
    world.step('get 5 glass');
    for (const action of actions.slice(0, 3)) world.step(action);
    expect(solve(world, plan(env.book, goal, { style, inventory: world.inventory }), style).done).toBe(true);
  });

  it('lists every needed recipe and at most ten others, the same ones each time', () => {
    for (let index = 0; index < 544; index += 7) {
      const opened = env.openDataIndex(index);
      const lines = opened.commands.split('\n');
      const needed = new Set(env.book.closure(opened.goal).map(recipeLine));
      for (const line of needed) expect(lines).toContain(line);
      expect(lines.length - needed.size).toBeLessThanOrEqual(10);
      expect(new Set(lines).size).toBe(lines.length);
      expect(textCraft().openDataIndex(index - 544).observation).toBe(opened.observation);
      expect(parseFirstObservation(opened.observation)).toEqual({ commands: opened.commands, goal: opened.goal });
    }
    expect(textCraft({ seed: '7' }).openDataIndex(500).observation).not.toBe(env.openDataIndex(500).observation);
  });

  it('splits as AgentGym does and says what is wrong with a bad task or setting', () => {
    expect(env.tasks('test').size).toBe(100);
    expect(env.tasks('train').size).toBe(444);
    expect(env.tasks('fit').size + env.tasks('validation').size).toBe(444);
    expect(env.tasks('test').info(99)).toMatchObject({ itemId: 'textcraft_535', category: 'depth 4' });
    expect(() => env.open({ env: 'textcraft', split: 'test', index: 100 })).toThrow(/tasks 0 to 99/);
    expect(() => env.tasks('dev')).toThrow(/no split "dev"/);
    expect(() => textCraft({ edition: '2023' })).toThrow(/2024 or 2025/);
    expect(() => textCraft({ depth: '3-1' })).toThrow(/textcraft.depth/);
  });
});

describe('generated worlds', () => {
  it('are a function of split and index, as deep as told, and the expert solves them in the turns allowed', () => {
    for (const difficulty of [
      MIXED,
      SHORT,
      { ...MIXED, depth: [4, 4], distractors: [10, 10], kinds: 0.5, repeats: 0.5 } as const,
      { ...MIXED, distractors: [6, 10], siblings: 1 } as const,
    ]) {
      for (let index = 0; index < 400; index++) {
        const { book, goal, depth, commands, needed } = generateWorld(Random.of(1, 'test', index), difficulty);
        expect(generateWorld(Random.of(1, 'test', index), difficulty).commands).toBe(commands);
        expect(book.depth(goal)).toBe(depth);
        const lines = commands.split('\n');
        expect(new Set(lines).size).toBe(lines.length);
        expect(lines.length - needed).toBeLessThanOrEqual(difficulty.distractors[1]);
        const actions = plan(book, goal);
        expect(actions.length).toBeLessThanOrEqual(difficulty.maxTurns);
        expect(solve(new World(book, goal), actions).done).toBe(true);
        for (const style of expertStyles) {
          expect(solve(new World(book, goal), plan(book, goal, { style }), style).done).toBe(true);
        }
      }
    }
  });

  it('siblings repeat a needed recipe with one word replaced', () => {
    const env = textCraft({ depth: '1', distractors: '4', siblings: '1' });
    for (let index = 0; index < 50; index++) {
      const { world, goal, commands } = env.openWorld({ env: 'textcraft', split: 'generated', index });
      const [needed] = world.book.recipesOf(goal);
      for (const line of commands.split('\n')) {
        const [, count, output = ''] = /^craft (\d+) (.*) using /.exec(line) ?? [];
        expect(Number(count)).toBe(needed?.count);
        const differing = output.split(' ').filter((word) => !goal.split('_').includes(word));
        expect(differing.length).toBeLessThanOrEqual(1);
      }
    }
    expect(() => textCraft({ siblings: '2' })).toThrow(/textcraft.siblings is "2": set it to a number from 0 to 1/);
  });

  it('obey the settings', () => {
    const easy = textCraft({ depth: '1', distractors: '0' });
    for (let index = 0; index < 50; index++) {
      expect(easy.tasks('generated').info(index).category).toBe('depth 1');
      expect(easy.openWorld({ env: 'textcraft', split: 'generated', index }).commands.split('\n')).toHaveLength(1);
    }
  });
});

/** How TextCraft's tree is built from recipes, rule by rule. */
import { describe, expect, it } from 'vitest';
import { bookFrom, CHOICES_2024, minecraftBook } from './book.ts';
import { bookShown, firstObservation, itemId, parseFirstObservation, recipeLine, spaced } from './commands.ts';
import { recipeTable, type TableRecipe } from './recipes.ts';
import { World } from './world.ts';

const item = (name: string, count = 1) => ({ name, count, tag: false });
const kind = (name: string, count = 1) => ({ name, count, tag: true });
const recipe = (output: string, inputs: TableRecipe['inputs'], more: Partial<TableRecipe> = {}): TableRecipe => ({
  name: output,
  output,
  count: 1,
  group: undefined,
  inputs,
  ...more,
});

describe('the tree', () => {
  it('leaves out a recipe that would close a circle; which one depends on the order', () => {
    const [one, two] = [recipe('ingot', [item('nugget', 9)]), recipe('nugget', [item('ingot')], { count: 9 })];
    expect(bookFrom([one, two]).goals()).toEqual(['ingot']);
    expect(bookFrom([two, one]).goals()).toEqual(['nugget']);
  });
  it('sees circles over several steps', () => {
    const book = bookFrom([recipe('b', [item('a')]), recipe('c', [item('b')]), recipe('a', [item('c')])]);
    expect(book.goals()).toEqual(['b', 'c']);
    expect(book.isCraftable('a')).toBe(false);
  });
  it('takes no block apart, but knows its items', () => {
    const book = bookFrom([recipe('coal', [item('coal_block')], { count: 9 })]);
    expect(book.goals()).toEqual([]);
    expect([...book.items].sort()).toEqual(['coal', 'coal_block']);
  });
  it('may use a block beside something else', () => {
    expect(bookFrom([recipe('lamp', [item('glow_block'), item('stick')])]).goals()).toEqual(['lamp']);
  });
  it('gives an output the tag of its group, unless that is its own name', () => {
    const book = bookFrom([
      recipe('oak_planks', [item('oak_log')], { group: 'planks' }),
      recipe('chest', [item('wood')], { group: 'chest' }),
    ]);
    expect([...book.tagOf]).toEqual([['oak_planks', 'planks']]);
    expect(book.tags.has('chest')).toBe(false);
    expect(book.isCraftable('planks')).toBe(true);
  });
  it('makes an item of a tag for which nothing can be crafted', () => {
    const book = bookFrom([
      recipe('planks_x', [kind('logs')]),
      recipe('box', [kind('slabs')]),
      recipe('oak_slab', [item('x')], { group: 'slabs' }),
    ]);
    expect([book.tags.has('logs'), book.items.has('logs')]).toEqual([false, true]);
    expect([book.tags.has('slabs'), book.recipesOf('box')[0]?.inputs[0]?.tag]).toEqual([true, true]);
    expect(book.recipesOf('planks_x')[0]?.inputs[0]).toEqual(item('logs'));
  });
  it('counts the depth along the shallowest recipe', () => {
    const book = bookFrom([
      recipe('b', [item('a')]),
      recipe('c', [item('b'), item('a')]),
      recipe('d', [item('c')]),
      recipe('d', [item('a', 2)], { name: 'd_from_a' }),
    ]);
    expect(['a', 'b', 'c', 'd'].map((name) => book.depth(name))).toEqual([0, 1, 2, 1]);
  });
  it('collects what a craft may need, own recipes first, each once', () => {
    const book = bookFrom([recipe('b', [item('a')]), recipe('c', [item('b'), item('b')]), recipe('x', [item('y')])]);
    expect(book.closure('c').map(({ output }) => output)).toEqual(['c', 'b']);
    expect(book.closure('a')).toEqual([]);
    expect(book.usesOf('a').map(({ output }) => output)).toEqual(['b']);
    expect(book.usesOf('nothing')).toEqual([]);
  });
});

describe('crafting', () => {
  const book = bookFrom([
    recipe('oak_planks', [item('oak_log')], { group: 'planks', count: 4 }),
    recipe('birch_planks', [item('birch_log')], { group: 'planks', count: 4 }),
    recipe('stick', [kind('planks', 2)], { count: 4 }),
    recipe('sign', [kind('planks', 6), item('stick')]),
    recipe('pair', [kind('planks'), kind('planks')]),
  ]);
  const play = (...actions: readonly string[]): string => {
    const world = new World(book, 'sign', {
      inventory: new Map([
        ['oak_planks', 8],
        ['birch_planks', 1],
        ['stick', 2],
      ]),
    });
    return actions.map((action) => world.step(action).observation).at(-1) ?? '';
  };
  it.each([
    ['an item of the kind stands for it', 'craft 4 stick using 2 oak planks', 'Crafted 4 minecraft:stick'],
    [
      'the kind itself is nothing that is held',
      'craft 4 stick using 2 planks',
      'Could not find enough items to craft minecraft:stick',
    ],
    ['counts must be equal', 'craft 4 stick using 3 oak planks', 'Could not find a valid recipe'],
    ['nothing may be left over', 'craft 4 stick using 2 oak planks, 1 stick', 'Could not find a valid recipe'],
    ['the order of inputs does not matter', 'craft 1 sign using 1 stick, 6 oak planks', 'Crafted 1 minecraft:sign'],
    ['two kinds may be two items', 'craft 1 pair using 1 oak planks, 1 birch planks', 'Crafted 1 minecraft:pair'],
    ['one item may be offered twice', 'craft 1 pair using 1 oak planks, 1 oak planks', 'Crafted 1 minecraft:pair'],
    ['but not more often than it is held', 'craft 1 pair using 1 birch planks, 1 birch planks', 'Could not find a valid recipe'],
    ['what is crafted cannot be got', 'get 1 oak planks', 'Could not find oak planks'],
    ['what is not crafted can', 'get 1 oak log', 'Got 1 oak log'],
  ])('%s', (_, action, answer) => expect(play(action)).toContain(answer));
  it('takes what it uses, and forgets what is used up', () => {
    expect(play('craft 1 pair using 1 birch planks, 1 oak planks', 'inventory')).toBe(
      'Inventory: [oak planks] (7) [stick] (2) [pair] (1) ',
    );
  });
});

describe('the text of a task', () => {
  it('is read back as it was written', () => {
    const text = firstObservation('craft 1 a using 1 b', 'oak_sign');
    expect(text).toBe('Crafting commands:\ncraft 1 a using 1 b\n\nGoal: craft oak sign.');
    for (const given of [text, `Instruction:\n${text}`])
      expect(parseFirstObservation(given)).toEqual({ commands: 'craft 1 a using 1 b', goal: 'oak_sign' });
    for (const other of ['', 'Goal: craft oak sign.', `${text} `, text.slice(0, -1)])
      expect(parseFirstObservation(other)).toBeUndefined();
  });
  it('names things with blanks, on the wire with underscores', () => {
    expect([spaced('oak_sign'), itemId('oak sign'), itemId('minecraft:oak_sign')]).toEqual(['oak sign', 'oak_sign', 'oak_sign']);
  });
  it('shows the book that it lists', () => {
    const whole = minecraftBook(CHOICES_2024);
    const lines = whole.closure('oak_sign').map(recipeLine);
    const shown = bookShown(lines.join('\n'));
    expect(shown.closure('oak_sign').map(recipeLine).sort()).toEqual([...lines].sort());
    expect(shown.goals().length).toBeLessThan(whole.goals().length);
  });
});

it('the table has the 635 recipes of Minecraft 1.16, of which 544 items have one in either edition', () => {
  expect(recipeTable()).toHaveLength(635);
  for (const book of [minecraftBook(), minecraftBook(CHOICES_2024)])
    expect(book.goals().filter((goal) => book.depth(goal) >= 1)).toHaveLength(544);
});

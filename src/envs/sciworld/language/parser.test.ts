/** What can be said: words for each action, names of things, articles and blanks, and the dialogue where several things fit. */
import { describe, expect, it } from 'vitest';
import { Simulation } from '../simulation.ts';

const UNKNOWN = 'No known action matches that input.';
const house = new Simulation('boil', 0, new Set(['openDoors', 'openContainers', 'teleportAction'] as const));
house.step('teleport to kitchen');

/** The action that an input is read as, with the names of its things. */
function readAs(input: string): string {
  const parsed = house.interpret(input);
  if (parsed.kind !== 'action') return parsed.kind;
  return [parsed.reading.rule.name, ...parsed.reading.things.map(({ name }) => name)].join(' | ');
}

describe('words for one action', () => {
  it.each([
    ['look around', ['look around', 'look', 'LOOK AROUND', '  look   around ']],
    ['look at | stove', ['look at stove', 'look on stove', 'examine stove', 'examine the stove']],
    ['look in | fridge', ['look in fridge', 'look in the fridge']],
    ['activate | stove', ['activate stove', 'turn on stove', 'turn on the stove']],
    ['deactivate | stove', ['deactivate stove', 'turn off stove']],
    ['open door | cupboard', ['open cupboard', 'open the cupboard']],
    ['close door | cupboard', ['close cupboard']],
    [
      'move through door | hallway',
      ['go to hallway', 'go hallway', 'walk to hallway', 'move to hallway', 'go into hallway', 'move into the hallway'],
    ],
    ['move through door | door', ['go through door to hallway', 'walk through door to hallway', 'move through hallway door']],
    ['pick up | metal pot', ['pick up metal pot', 'get metal pot', 'take a metal pot']],
    ['put down | metal pot', ['put down metal pot', 'drop metal pot']],
    [
      'move object | metal pot | stove',
      ['move metal pot to stove', 'put metal pot in stove', 'put metal pot on stove', 'move metal pot into stove'],
    ],
    [
      'pour object | metal pot | sink',
      ['pour metal pot into sink', 'pour metal pot in sink', 'pour metal pot on sink', 'pour metal pot to sink'],
    ],
    ['dunk object | metal pot | sink', ['dunk metal pot into sink', 'dunk metal pot in sink']],
    ['use object | thermometer | stove', ['use thermometer on stove', 'use thermometer with stove']],
    ['mix | metal pot', ['mix metal pot', 'stir metal pot']],
    ['focus | stove', ['focus on stove', 'focus stove']],
    ['eat | metal pot', ['eat metal pot', 'consume metal pot']],
    ['flush | sink', ['flush sink']],
    ['teleport to location | workshop', ['teleport to workshop', 'teleport workshop', 'teleport into workshop']],
  ])('%s', (action, inputs) => {
    const [name, ...things] = action.split(' | ');
    for (const input of inputs) {
      const read = readAs(input);
      expect(read.split(' | ').slice(1), input).toEqual(things);
      if (name !== 'focus') expect(read.split(' | ')[0], input).toBe(name);
    }
  });

  it.each([
    ['wait', 10],
    ['wait1', 1],
  ])('%s waits for %d more ticks', (input, ticks) => {
    const { moves } = house;
    house.step(input);
    expect(house.moves - moves).toBe(ticks + 1);
  });
});

describe('names of things', () => {
  it.each([
    ['a thing in what holds it', 'look at metal pot in cupboard', 'look at | metal pot'],
    ['on what holds it', 'look at metal pot on cupboard', 'look at | metal pot'],
    ['by another of its names', 'look at pot', 'look at | metal pot'],
    ['by its contents', 'look at metal pot containing nothing', 'look at | metal pot'],
    ['with articles anywhere', 'put the metal pot on a stove', 'move object | metal pot | stove'],
    ['in capitals', 'Put METAL pot on Stove', 'move object | metal pot | stove'],
  ])('%s', (_, input, action) => expect(readAs(input)).toBe(action));

  it.each([
    'look at stov',
    'look at stovepipe',
    'look stove',
    'pick the metal pot',
    'put metal pot',
    'pick up',
    'use',
    '',
    'open open',
    'look at bed',
  ])('%j is not understood', (input) => expect(readAs(input)).toBe('unknown'));

  it('what is not understood takes no time and changes nothing', () => {
    const { moves } = house;
    expect(house.step('dance').observation).toBe(UNKNOWN);
    expect(house.moves).toBe(moves);
  });
});

describe('several readings', () => {
  const asking = (): Simulation => {
    const simulation = new Simulation('boil', 0);
    simulation.step('open door');
    return simulation;
  };

  it('are asked about, one line for each, with where the thing is', () => {
    const { observation } = new Simulation('boil', 0).step('open door');
    const [head, ...choices] = observation.split('\n').filter((line) => line !== '');
    expect(head).toBe('Ambiguous request: Please enter the number for the action you intended (or blank to cancel):');
    expect(choices.length).toBeGreaterThan(1);
    choices.forEach((line, i) => expect(line).toMatch(new RegExp(`^${i}:\topen door`)));
  });

  it('a thing is told apart by what it is in, from the inside out', () => {
    const parsed = house.interpret('look at cup');
    expect(parsed.kind === 'ambiguous' ? parsed.text : parsed.kind).toMatch(/\d:\tlook at \w+ cup \(in cupboard, in kitchen\)\n/);
  });

  it.each(['1', '+1', '01'])('the number %s chooses', (number) => {
    const simulation = asking();
    expect(simulation.validTexts()).toEqual(expect.arrayContaining(['0', '1']));
    expect(simulation.step(number).observation).toBe('The door is now open.');
  });

  it.each(['', 'look around', '99', '-1', '1.5', 'open door to kitchen'])(
    '%j cancels: nothing is opened, time passes',
    (input) => {
      const simulation = asking();
      const { moves } = simulation;
      simulation.step(input);
      expect(simulation.moves).toBe(moves + 1);
      expect(simulation.look()).not.toContain('that is open');
      // The dialogue is over: the next input is an action again.
      expect(simulation.step('look around').observation).toContain('This room is called');
    },
  );
});

describe('lists', () => {
  it('of templates are in alphabetical order, with OBJ for a thing', () => {
    const { templates } = house;
    expect(templates).toEqual([...templates].sort());
    for (const known of ['open OBJ', 'pour OBJ in OBJ', 'look around', 'connect OBJ to OBJ', 'teleport OBJ'])
      expect(templates).toContain(known);
  });

  it('of valid actions have only what would not be refused, each understood as it is written', () => {
    const fresh = new Simulation('boil', 0);
    const texts = fresh.peekValidTexts();
    expect(texts).toContain('look around');
    for (const refused of ['pick up door to kitchen', 'close door to kitchen', 'eat agent']) expect(texts).not.toContain(refused);
    for (const text of texts.filter((one) => /^(open|go|activate|pick up) /.test(one)))
      expect(fresh.interpret(text).kind, text).not.toBe('unknown');
  });
});

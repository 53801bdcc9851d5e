/**
 * What an agent can do, said in words: each verb in the house of `boil` 0, what it changes, and why it is refused. Every case begins
 * in the kitchen, with the cupboard open.
 */
import { describe, expect, it } from 'vitest';
import { Simulation } from '../simulation.ts';

function inKitchen(...before: readonly string[]): (input: string) => string {
  const simulation = new Simulation('boil', 0);
  const say = (input: string): string => simulation.step(input).observation;
  for (const input of ['open door to kitchen', 'go to kitchen', 'open cupboard', ...before]) say(input);
  return say;
}

describe('each verb', () => {
  it.each<[says: string, answer: string, ...before: string[]]>([
    ['open fridge', 'The fridge is now open.'],
    ['open fridge', 'The fridge is already open.', 'open fridge'],
    ['close fridge', 'The fridge is now closed.', 'open fridge'],
    ['close fridge', 'The fridge is already closed.'],
    ['close sink', 'The sink is not closeable.'],
    ['activate stove', 'The stove is now activated.'],
    ['turn on stove', 'The stove is now activated.'],
    ['activate stove', 'The stove is already activated.', 'activate stove'],
    ['turn off stove', 'The stove is now deactivated.', 'activate stove'],
    ['deactivate stove', 'The stove is already deactivated.'],
    ['activate counter', 'The counter is not something that can be activated.'],
    ['pick up metal pot', 'You move the metal pot to the inventory.'],
    ['get metal pot', 'You move the metal pot to the inventory.'],
    ['take metal pot', 'You move the metal pot to the inventory.'],
    ['pick up stove', 'The stove is not moveable.'],
    ['drop metal pot', 'You move the metal pot to the kitchen.', 'pick up metal pot'],
    ['put metal pot on stove', 'You move the metal pot to the stove.'],
    ['move metal pot to fridge', "That can't be moved there, because the fridge isn't open."],
    ['move metal pot to fridge', 'You move the metal pot to the fridge.', 'open fridge'],
    ['move metal pot to metal pot', "You can't move something into itself."],
    ['pour metal pot into sink', 'You pour the contents of the metal pot into the sink.'],
    ['pick up orange', 'Ambiguous request: Please enter the number for the action you intended'],
    ['eat orange in inventory', 'The orange was delicious.'],
    ['consume orange in inventory', 'The orange was delicious.'],
    ['eat metal pot', 'The metal pot is not edible.'],
    ['go to hallway', 'You move to the hallway.'],
    ['go to hallway', 'The door is not open.', 'close door to hallway'],
    ['go to kitchen', "It's not clear how to get there from here."],
    ['go to workshop', 'No known action matches that input.'],
    ['look in cupboard', "The cupboard isn't open, so you can't see inside.", 'close cupboard'],
    ['use stove on orange in inventory', "I'm not sure how to use the stove."],
    ['flush sink', "It's not clear how to flush that."],
    ['mix metal pot', 'That container is empty, so there are no items to mix.'],
    ['focus on stove', 'You focus on the stove.'],
    ['reset task', 'You reset the goal progress and focus.', 'focus on stove'],
    ['wait', 'You decide to wait for 10 iterations.'],
    ['wait1', 'You decide to wait for 1 iterations.'],
    ['juggle metal pot', 'No known action matches that input.'],
    ['pick up unicorn', 'No known action matches that input.'],
    ['teleport to workshop', 'No known action matches that input.'],
  ])('%j is answered by %j', (says, answer, ...before) => expect(inKitchen(...before)(says)).toContain(answer));
});

describe('what an action changes', () => {
  it('a thing that is picked up is in the inventory and nowhere else', () => {
    const say = inKitchen('pick up metal pot');
    expect(say('inventory')).toContain('a metal pot (containing nothing)');
    expect(say('look in cupboard')).not.toContain('metal pot');
  });

  it('what is eaten is gone', () => {
    const say = inKitchen('eat orange in inventory');
    expect(say('inventory')).not.toContain('orange');
  });

  it('a tap fills what stands under it, and its water can be poured on', () => {
    const say = inKitchen('put metal pot in sink', 'activate sink');
    expect(say('look at metal pot')).toContain('containing a substance called water');
    say('deactivate sink');
    say('pick up metal pot');
    expect(say('pour metal pot into tin cup')).toContain('You pour the contents of the metal pot into the tin cup.');
    expect(say('look at tin cup')).toContain('water');
    expect(say('look at metal pot')).toContain('containing nothing');
  });

  it('water is not taken by hand', () => {
    const say = inKitchen('put metal pot in sink', 'activate sink', 'deactivate sink');
    expect(say('pick up water in metal pot')).toContain("You can't pick up a liquid directly.");
  });

  it('what is in a closed container is out of reach', () => {
    const say = inKitchen('close cupboard');
    expect(say('pick up metal pot')).toBe('No known action matches that input.');
    say('open cupboard');
    expect(say('pick up metal pot')).toBe('You move the metal pot to the inventory.');
  });

  it('things of another room are out of reach', () => {
    const say = inKitchen();
    expect(say('pick up picture')).toBe('No known action matches that input.');
    say('go to hallway');
    expect(say('look at picture')).not.toBe('No known action matches that input.');
  });
});

describe('time', () => {
  const movesOf = (...inputs: string[]): number => {
    const simulation = new Simulation('boil', 0);
    for (const input of inputs) simulation.step(input);
    return simulation.moves;
  };
  it.each([
    [['look around'], 0],
    [['inventory', 'task', 'look'], 0],
    [['no such thing'], 0],
    [['open door to kitchen'], 1],
    [['look at picture'], 1],
    [['wait1'], 2],
    [['wait'], 11],
  ])('%j takes %d moves: looking around is free, waiting is not', (inputs, moves) => expect(movesOf(...inputs)).toBe(moves));

  it('water in a pot on the stove becomes hot while one waits, and not before', () => {
    const say = inKitchen('put metal pot in sink', 'activate sink', 'deactivate sink', 'put metal pot on stove');
    const degrees = (): number => Number(/(-?\d+) degrees/.exec(say('use thermometer on water in metal pot'))?.[1]);
    const before = degrees();
    say('wait1');
    expect(Math.abs(degrees() - before)).toBeLessThan(3);
    say('activate stove');
    say('wait');
    expect(degrees()).toBeGreaterThan(before + 10);
  });
});

describe('the score', () => {
  it('goes up as subgoals are met, stays at 0 for looking around, and is -100 for a wrong focus', () => {
    const simulation = new Simulation('boil', 0);
    expect(simulation.step('look around').score).toBeLessThanOrEqual(0.1);
    const wrong = new Simulation('find-plant', 0);
    expect(wrong.step('focus on agent').score).toBe(-1);
    expect(wrong.step('look around').score).toBe(-1);
  });
});

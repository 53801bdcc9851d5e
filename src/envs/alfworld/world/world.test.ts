import { describe, expect, it } from 'vitest';
import { goals, kitchen } from '../home.fixture.ts';
import { createGame } from './game.ts';
import { readProblem } from './problem.ts';
import type { Edition } from './wording.ts';
import { World } from './world.ts';

const open = (goal: string = goals.pick, edition: Edition = '0.3'): World =>
  new World(createGame(readProblem(kitchen(goal)), 'put some knife on drawer.'), edition);

/** What is told for each command, in order. */
const played = (world: World, ...commands: string[]): string[] => commands.map((command) => world.step(command));

describe('the rules of ALFWorld', () => {
  it('opens with the room, numbered from the last id down, and the task', () => {
    expect(open().intro).toBe(
      '-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see a countertop 1, a diningtable 1, a drawer 2, a drawer 1, a fridge 1, a microwave 1, and a sinkbasin 1.\n\nYour task is to: put some knife on drawer.',
    );
  });

  it('lists what can be done, sorted, in both wordings', () => {
    const far = ['countertop 1', 'diningtable 1', 'drawer 1', 'drawer 2', 'fridge 1', 'microwave 1', 'sinkbasin 1'];
    expect(open().commands).toEqual([...far.map((name) => `go to ${name}`), 'inventory', 'look']);
    const world = open(goals.pick, '0.4');
    expect(world.commands).toEqual([...far.map((name) => `go to ${name}`), 'help', 'inventory', 'look']);
    played(world, 'go to diningtable 1', 'take knife 1 from diningtable 1');
    expect(world.commands.filter((command) => !command.startsWith('go to'))).toEqual([
      'examine diningtable 1',
      'examine drawer 1',
      'examine knife 1',
      'help',
      'inventory',
      'look',
      'move knife 1 to diningtable 1',
      'open drawer 1',
      'slice apple 1 with knife 1',
    ]);
    expect(world.step('move knife 1 to diningtable 1')).toBe('You move the knife 1 to the diningtable 1.');
    expect(world.step('help')).toMatch(/^Available commands:\n {2}look: .*sharp object\n$/s);
  });

  it('tells what happens, and nothing else for what cannot be done', () => {
    const told = played(
      open(),
      'go to diningtable 1',
      'go to drawer 1',
      'examine drawer 1',
      'take knife 1 from diningtable 1',
      'open drawer 1',
      'put knife 1 in/on drawer 1',
      'close drawer 1',
      'take knife 1 from drawer 1',
      'help',
    );
    expect(told).toEqual([
      'You arrive at loc 5. On the diningtable 1, you see a apple 1, and a knife 1.',
      'Nothing happens.',
      'The drawer 1 is closed.',
      'You pick up the knife 1 from the diningtable 1.',
      'You open the drawer 1. The drawer 1 is open. In it, you see nothing.',
      'You put the knife 1 in/on the drawer 1.',
      'You close the drawer 1.',
      'Nothing happens.',
      'Nothing happens.',
    ]);
  });

  it('sees nothing when it looks around away from furniture, and what was moved within a place', () => {
    const world = open();
    expect(world.step('look')).toBe('You are in the middle of a room. Looking quickly around you, you see nothing.');
    played(world, 'go to diningtable 1', 'open drawer 1', 'take knife 1 from diningtable 1', 'put knife 1 in/on drawer 1');
    expect(world.step('look')).toBe('You are facing the diningtable 1, and drawer 1. Next to it, you see a knife 1.');
  });

  it('cleans, heats and cools what is held, and shows it', () => {
    const world = open();
    expect(
      played(
        world,
        'go to countertop 1',
        'take apple 2 from countertop 1',
        'go to microwave 1',
        'heat apple 2 with microwave 1',
        'examine apple 2',
        'go to sinkbasin 1',
        'clean apple 2 with sinkbasin 1',
        'examine apple 2',
        'go to fridge 1',
        'cool apple 2 with fridge 1',
        'examine apple 2',
        'inventory',
      ).filter((_, turn) => [3, 4, 7, 10, 11].includes(turn)),
    ).toEqual([
      'You heat the apple 2 using the microwave 1.',
      'This is a hot apple 2.',
      'This is a hot and clean apple 2.',
      'This is a cool and clean apple 2.',
      'You are carrying: a apple 2.',
    ]);
  });

  it('slices within reach of a knife, and knows what is inside a mug', () => {
    const world = open();
    played(world, 'go to diningtable 1', 'take knife 1 from diningtable 1');
    expect(world.step('slice apple 1 with knife 1')).toBe('You sliced the apple 1 with the knife 1.');
    played(world, 'put knife 1 in/on diningtable 1', 'take apple 1 from diningtable 1');
    expect(world.step('examine apple 1')).toBe('This is a sliced apple 1.');
    const other = open();
    played(other, 'go to fridge 1', 'open fridge 1', 'take mug 1 from fridge 1');
    expect(other.step('examine mug 1')).toBe('This is a normal mug 1. In it, you see nothing.');
  });

  it.each([
    ['pick', ['go to diningtable 1', 'take knife 1 from diningtable 1', 'open drawer 1', 'put knife 1 in/on drawer 1']],
    ['look', ['go to fridge 1', 'open fridge 1', 'take mug 1 from fridge 1', 'go to countertop 1', 'use desklamp 1']],
    [
      'heat',
      [
        'go to fridge 1',
        'open fridge 1',
        'take mug 1 from fridge 1',
        'go to microwave 1',
        'heat mug 1 with microwave 1',
        'go to countertop 1',
        'put mug 1 in/on countertop 1',
      ],
    ],
    [
      'two',
      [
        'go to countertop 1',
        'take apple 2 from countertop 1',
        'go to fridge 1',
        'open fridge 1',
        'put apple 2 in/on fridge 1',
        'go to diningtable 1',
        'take apple 1 from diningtable 1',
        'go to fridge 1',
        'put apple 1 in/on fridge 1',
      ],
    ],
  ] as const)('%s: is won by the last command and not before', (kind, commands) => {
    const world = open(goals[kind]);
    const won = commands.map((command) => {
      expect(world.commands).toContain(command);
      world.step(command);
      return world.won;
    });
    expect(won).toEqual(commands.map((_, turn) => turn === commands.length - 1));
  });
});

describe('goal formulas', () => {
  const won = (goal: string, ...commands: string[]): boolean => {
    const world = open(goal);
    played(world, ...commands);
    return world.won;
  };
  it('know or, imply, forall and the empty conjunction', () => {
    expect(won('(and)')).toBe(true);
    expect(won('()')).toBe(true);
    expect(won('(or)')).toBe(false);
    const closed = '(forall (?r - receptacle) (not (opened ?r)))';
    expect(won(closed)).toBe(true);
    expect(won(closed, 'go to fridge 1', 'open fridge 1')).toBe(false);
    const either = '(or (exists (?o - object) (isHot ?o)) (exists (?o - object) (isCool ?o)))';
    const take = ['go to diningtable 1', 'take apple 1 from diningtable 1'];
    expect(won(either, ...take)).toBe(false);
    expect(won(either, ...take, 'go to fridge 1', 'cool apple 1 with fridge 1')).toBe(true);
    const held = '(forall (?a - agent ?o - object) (imply (holds ?a ?o) (objectType ?o KnifeType)))';
    expect(won(held)).toBe(true);
    expect(won(held, ...take)).toBe(false);
  });

  it('let an inner variable hide an outer one of the same name', () => {
    expect(won('(exists (?x - object) (and (objectType ?x MugType) (exists (?x - object) (objectType ?x KnifeType))))')).toBe(
      true,
    );
  });
});

describe('a problem that cannot be played', () => {
  it.each([
    ['is cut off', kitchen().slice(0, 900), /ends before \d of its parentheses are closed: fetch the game again$/],
    ['is empty', '', /is empty/],
    ['has text after its end', `${kitchen()} more`, /"more" after its last parenthesis/],
    ['closes too often', ')', /never opened/],
    ['is no list', 'define', /begins with "define"/],
    ['nests without end', '('.repeat(100_000), /nests more than/],
    ['has no goal', kitchen().replace('(:goal', '(:gaol'), /has no :goal/],
    [
      'has two agents',
      kitchen().replace('(:init', '(:init (atLocation agent1 loc_bar_1_bar_1_bar_45)'),
      /places the agent 2 times/,
    ],
    [
      'has a goal of unknown type',
      kitchen('(exists (?x - spoon) (and))'),
      /names "spoon" as a type in the exists of its goal: use one of agent/,
    ],
    [
      'has a goal of unknown kind',
      kitchen('(exists (?o - object) (objectType ?o SpoonType))'),
      /names "spoontype": declare it under :objects/,
    ],
    ['has a goal with an unknown predicate', kitchen('(exists (?o - object) (isShiny ?o))'), /predicate "isshiny"/],
    ['has a fact with too few names', kitchen('(holds agent1)'), /gives "holds" 1 arguments: it takes 2/],
    ['confuses types', kitchen('(exists (?o - object) (opened ?o))'), /gives "opened" the object "\?o"/],
    ['has a word as its goal', kitchen('won'), /bare word "won"/],
  ])('%s: one sentence that ends with what to do', (_, text, message) => {
    expect(() => createGame(readProblem(text), '')).toThrow(message);
  });
});

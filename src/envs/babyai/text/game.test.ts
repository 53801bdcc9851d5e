/** AgentGym's words for BabyAI: what is seen, which actions there are and in which order, and what is said of the others. */
import { describe, expect, it } from 'vitest';
import type { Mission } from '../world/mission.ts';
import { sceneLevel, type Placed } from '../world/scene.fixture.ts';
import { Thing } from '../world/things.ts';
import { goalOf, listOf } from './describe.ts';
import { TextGame, type GameRules } from './game.ts';

const elsewhere: Mission = { do: 'go to', what: { kind: 'box', colour: 'grey' } };
const game = (things: readonly Placed[], mission = elsewhere, rules?: GameRules): TextGame =>
  new TextGame(sceneLevel(things, mission), 0, rules);
const ball = (colour: 'red' | 'blue' | 'green' = 'red'): Thing => new Thing('ball', colour);
const told = (play: TextGame, action: string): string => {
  play.step(action);
  return play.observation;
};

describe('an observation', () => {
  it('tells the nearest things first, how far and on which side', () => {
    const { observation } = game([
      [6, 3, ball()],
      [4, 4, new Thing('key', 'blue')],
      [5, 1, new Thing('box', 'green')],
    ]);
    expect(observation).toBe(
      'In front of you in this room, you can see several objects: ' +
        'There is a blue key 1 1 steps in front of you and 1 steps to your right.  ' +
        'There is a red ball 1 right in front of you 3 steps away.  ' +
        'There is a green box 1 2 steps in front of you and 2 steps to your left.  ' +
        'The room has walls around you. You are facing a wall 4 steps away. You are not carrying anything.',
    );
  });

  it('tells the farther row first where two things are equally near', () => {
    const { observation } = game([
      [4, 4, new Thing('key', 'blue')],
      [5, 3, ball()],
    ]);
    expect(observation).toMatch(/red ball 1 right in front of you 2 .*blue key 1 1 steps in front of you and 1 /);
  });

  it('numbers things of one name by their distance', () => {
    const { observation } = game([
      [6, 3, ball()],
      [4, 3, ball()],
      [5, 5, ball('blue')],
    ]);
    expect(observation).toMatch(/red ball 1 right in front of you 1 .*red ball 2 right in front of you 3 .*blue ball 1 2 steps/);
  });

  it.each(['open', 'closed', 'locked'] as const)('says whether a door is %s', (state) => {
    expect(game([[5, 3, Thing.door('purple', state)]]).observation).toContain(
      `There is a purple ${state} door 1 right in front of you 2 steps away.`,
    );
  });

  it('tells what is in the hand', () => {
    const play = game([[4, 3, ball('green')]]);
    expect(told(play, 'pickup green ball 1')).toMatch(/You are carrying a green ball\.$/);
    expect(told(play, 'drop')).toMatch(/You are not carrying anything\.$/);
  });

  it('names a box as what one faces, and nothing else that lies there', () => {
    expect(game([[5, 3, new Thing('box', 'grey')]]).observation).toContain('You are facing a box 2 steps away. ');
    expect(game([[5, 3, ball()]]).observation).toContain('You are facing a wall 4 steps away. ');
  });
});

describe('actions', () => {
  it('stand in AgentGym’s order', () => {
    const { actions } = game([
      [6, 3, ball()],
      [4, 4, new Thing('key', 'blue')],
    ]);
    expect(actions).toEqual([
      'turn left',
      'turn right',
      'move forward',
      'pickup blue key 1',
      'pickup red ball 1',
      'go to blue key 1',
      'go to red ball 1',
      'check available actions',
    ]);
  });

  it('offer drop instead of pickup while something is carried', () => {
    const play = game([
      [4, 3, ball()],
      [5, 5, new Thing('key', 'blue')],
    ]);
    play.step('pickup red ball 1');
    expect(play.actions).toContain('drop');
    expect(play.actions.filter((action) => action.startsWith('pickup'))).toEqual([]);
  });

  it.each([
    ['open', null, ['go through red open door 1']],
    ['closed', null, ['toggle and go through red closed door 1', 'toggle']],
    ['locked', null, []],
    ['locked', 'blue', []],
    ['locked', 'red', ['toggle and go through red locked door 1', 'toggle']],
  ] as const)('for a %s red door right ahead with a key of colour %s: %j', (state, key, offered) => {
    const things: Placed[] = [[4, 3, Thing.door('red', state)]];
    if (key) things.push([3, 2, new Thing('key', key)]);
    const play = game(things);
    if (key) for (const action of ['turn left', `pickup ${key} key 1`, 'turn right']) play.step(action);
    expect(play.actions.filter((action) => /through|^toggle/.test(action))).toEqual(offered);
  });

  it('number only what can be reached', () => {
    // The far ball stands in a corner behind three boxes: the near one stays number 1, and there is no second.
    const box = (): Thing => new Thing('box', 'grey');
    const play = game([
      [4, 3, ball()],
      [6, 1, ball()],
      [5, 1, box()],
      [6, 2, box()],
    ]);
    expect(play.actions.filter((action) => action.startsWith('go to red'))).toEqual(['go to red ball 1']);
    expect(told(play, 'go to red ball 2')).toBe('You cannot go to red ball 2, as there is no path leading to it.');
    expect(told(play, 'pickup red ball 2')).toBe('You cannot pickup red ball 2, as there is no path leading to it.');
  });
});

describe('what cannot be done', () => {
  it.each<[string, readonly Placed[], string]>([
    ['move forward', [[4, 3, new Thing('box', 'red')]], "There is a barrier in front of you, you can't move forward."],
    ['drop', [], 'You cannot drop the object, as you are not carrying anything.'],
    [
      'go through red closed door 1',
      [[5, 3, Thing.door('red', 'closed')]],
      'You cannot go through red closed door 1, as it is closed. You should toggle it first.',
    ],
    [
      'toggle and go through red locked door 1',
      [[5, 3, Thing.door('red', 'locked')]],
      'You cannot toggle and go through red locked door 1, as you are not carrying a key.',
    ],
    ['fly away', [], 'The action is not recognized. Please check valid actions.'],
    ['', [], 'No change in state.'],
  ])('%j is answered by its reason', (action, things, reason) => expect(told(game(things), action)).toBe(reason));

  it('a key of another colour is named as the reason', () => {
    const play = game([
      [5, 3, Thing.door('red', 'locked')],
      [3, 2, new Thing('key', 'blue')],
    ]);
    for (const action of ['turn left', 'pickup blue key 1', 'turn right']) play.step(action);
    expect(told(play, 'toggle and go through red locked door 1')).toContain('does not match the color of door.');
  });

  it('a thing ahead keeps the hand from dropping', () => {
    const play = game([
      [4, 3, ball()],
      [3, 2, ball('blue')],
    ]);
    play.step('pickup red ball 1');
    play.step('turn left');
    expect(told(play, 'drop')).toBe('You cannot drop the object, as there is already an object in front of you.');
  });

  it('changes nothing in the world, and asking costs nothing either', () => {
    const play = game([[5, 3, ball()]]);
    const before = [play.world.maze.grid.encode(), play.world.steps];
    for (const action of ['drop', 'fly away', '', 'go to blue ball 1']) play.step(action);
    expect(told(play, 'please check')).toBe(`You can take the following actions: ${play.actions.join(', ')}`);
    expect([play.world.maze.grid.encode(), play.world.steps]).toEqual(before);
  });
});

describe('an action in words', () => {
  it('stands for as many moves as it needs', () => {
    const play = game([[6, 5, ball()]]);
    play.step('pickup red ball 1');
    // Two ahead, a turn, two down, a turn and the hand; or the other way round.
    expect(play.world.carrying?.kind).toBe('ball');
    expect(play.world.steps).toBe(6);
  });

  it('opens a door and stands in it', () => {
    const play = game([[5, 3, Thing.door('red', 'closed')]]);
    play.step('toggle and go through red closed door 1');
    expect([play.world.maze.x, play.world.maze.y]).toEqual([5, 3]);
  });

  it.each([' GO TO RED BALL 1 ', 'go to red ball 1\n', '\u001fgo to red ball 1'])('is read as %j too', (action) => {
    const play = game([[6, 3, ball()]], { do: 'go to', what: { kind: 'ball' } });
    play.step(action);
    expect(play).toMatchObject({ done: true, reward: 1 - (0.9 * 2) / 64 });
    expect(play.observation).toMatch(/\n The task is completed\.$/);
  });

  it('adds its reward to the score', () => {
    const play = game([[6, 3, ball()]], { do: 'go to', what: { kind: 'ball' } });
    play.step('turn left');
    expect(play.score).toBe(0);
    play.step('turn right');
    play.step('go to red ball 1');
    expect(play.score).toBe(1 - (0.9 * 4) / 64);
  });

  it('completes late without an end, or with one, as the rules say', () => {
    const late = (ending: GameRules['ending']): TextGame => {
      const play = game([[6, 3, ball()]], { do: 'go to', what: { kind: 'ball' } }, { ending, aliases: false });
      for (let turn = 0; turn < 40; turn++) play.step(turn % 2 === 0 ? 'turn left' : 'turn right');
      play.step('go to red ball 1');
      return play;
    };
    expect(late('agentgym')).toMatchObject({ done: false, reward: 1 - (0.9 * 42) / 64 });
    expect(late('first')).toMatchObject({ done: true });
  });
});

it('goals say "and" for every order, as AgentGym does', () => {
  expect(goalOf('go to the key, then go to the ball')).toBe('go to the key, and go to the ball');
  expect(goalOf('open the door after you pick up a box')).toBe('open the door and pick up a box');
  expect(listOf(['turn left', 'drop'])).toBe('\nAvailable actions: ["turn left", "drop"]');
});

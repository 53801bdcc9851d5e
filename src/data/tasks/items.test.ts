/** AgentGym's ids as its lists have them (agentgym-protocol, 4.2 and 4.3), and verl's names for the same tasks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abilityOf, fromInteractionKwargs, interactionKwargs, itemIdOf, parseItemId } from './items.ts';

describe('item ids', () => {
  it.each<[string, string, number | undefined]>([
    ['textcraft_17', 'textcraft', 17],
    ['webshop_0', 'webshop', 0],
    ['alfworld_2420', 'alfworld', 2420],
    ['sqlgym_10959', 'sqlgym', 10_959],
    ['lmrlgym_maze_24', 'maze', 24],
    ['lmrlgym_wordle_1450', 'wordle', 1450],
    ['weather_342', 'weather', 342],
    ['tool_weather_3', 'weather', 3],
    ['tool_academia_19', 'academia', 19],
    ['tool_sheet_0', 'sheet', 0],
    // SearchQA's ids carry the data set.
    ['nq_7', 'searchqa', 7],
    ['triviaqa_51711', 'searchqa', 51_711],
    ['2wikimultihopqa_12', 'searchqa', 12],
    ['bamboogle_1', 'searchqa', 1],
    // ALFWorld's training ids are names of games; the number behind the last _ is a time, not a task.
    ['look_at_obj_in_light-AlarmClock-None-DeskLamp-301_trial_T20190907_174127_043461', 'alfworld', undefined],
    // What is no AgentGym environment stands for itself.
    ['my_own_env_5', 'my_own_env', 5],
    ['textcraft', 'textcraft', undefined],
    ['textcraft_', 'textcraft_', undefined],
    ['textcraft_-1', 'textcraft_-1', undefined],
    ['textcraft_1.5', 'textcraft_1.5', undefined],
    ['', '', undefined],
    // Names of Object.prototype are names like any other.
    ['constructor_3', 'constructor', 3],
    ['__proto___3', '__proto__', 3],
  ])('%j is %s, %s', (id, env, number) => expect(parseItemId(id)).toEqual({ env, number }));

  const named = [
    'textcraft',
    'babyai',
    'sciworld',
    'webshop',
    'alfworld',
    'maze',
    'wordle',
    'sqlgym',
    'webarena',
    'weather',
    'movie',
    'todo',
  ];
  it('of every environment but SearchQA, whose ids name a data set, are read back', () => {
    for (const env of [...named, 'academia', 'sheet', 'constructor'])
      for (const number of [0, 7, 10_000]) expect(parseItemId(itemIdOf(env, number))).toEqual({ env, number });
  });

  it('abilities are words', () => {
    expect(['webshop', 'textcraft', 'my-env', 'toString'].map(abilityOf)).toEqual(['shopping', 'crafting', 'my-env', 'toString']);
  });
});

describe('interaction_kwargs', () => {
  it.each<[string, Record<string, unknown>]>([
    ['textcraft', { name: 'textcraft', session_id: 5, data_idx: 5 }],
    ['webshop', { name: 'webshop', session_id: 5 }],
    ['alfworld', { name: 'alfworld', session_id: 5, game: 5 }],
    ['maze', { name: 'maze', session_id: 5, game: 5 }],
    ['wordle', { name: 'wordle', session_id: 5, seed: 5 }],
    ['sqlgym', { name: 'sqlgym', session_id: 5, item_id: 5 }],
    ['searchqa', { name: 'searchqa', session_id: 5, id: 5 }],
    ['webarena', { name: 'webarena', session_id: 5, idx: 5 }],
    ['movie', { name: 'movie', session_id: 5, id: 5 }],
    ['my-env', { name: 'my-env', session_id: 5 }],
    ['valueOf', { name: 'valueOf', session_id: 5 }],
  ])('of %s has verl’s key and the server’s own', (env, want) => expect(interactionKwargs(env, 5)).toEqual(want));

  it('one key alone, where it is asked for', () => {
    expect(interactionKwargs('textcraft', 5, 'own')).toEqual({ name: 'textcraft', data_idx: 5 });
    expect(interactionKwargs('textcraft', 5, 'session_id')).toEqual({ name: 'textcraft', session_id: 5 });
    expect(interactionKwargs('webshop', 5, 'own')).toEqual({ name: 'webshop', session_id: 5 });
  });

  it.each<[Record<string, unknown> | undefined, { env: string; number: number | undefined } | undefined]>([
    [
      { name: 'webshop', session_id: 3 },
      { env: 'webshop', number: 3 },
    ],
    // A second server of the same environment.
    [
      { name: 'webshop_2', session_id: 3 },
      { env: 'webshop', number: 3 },
    ],
    [
      { name: 'textcraft', data_idx: 4 },
      { env: 'textcraft', number: 4 },
    ],
    // The server's own key is what its reset takes: it wins.
    [
      { name: 'textcraft', data_idx: 4, session_id: 9 },
      { env: 'textcraft', number: 4 },
    ],
    [
      { name: 'textcraft', data_idx: null, session_id: 9 },
      { env: 'textcraft', number: 9 },
    ],
    [
      { name: 'textcraft', task_id: 6 },
      { env: 'textcraft', number: 6 },
    ],
    [
      { name: 'lmrlgym_maze', game: 6 },
      { env: 'maze', number: 6 },
    ],
    [
      { name: 'tool_sheet', id: 6 },
      { env: 'sheet', number: 6 },
    ],
    // Task 0 is a task.
    [
      { name: 'webshop', session_id: 0 },
      { env: 'webshop', number: 0 },
    ],
    // Columns hold numbers in several ways.
    [
      { name: 'webshop', session_id: 7n },
      { env: 'webshop', number: 7 },
    ],
    [
      { name: 'webshop', session_id: '7' },
      { env: 'webshop', number: 7 },
    ],
    [
      { name: 'webshop', session_id: 7.0 },
      { env: 'webshop', number: 7 },
    ],
    // And what is no number of a task is none.
    [
      { name: 'webshop', session_id: 7.5 },
      { env: 'webshop', number: undefined },
    ],
    [
      { name: 'webshop', session_id: NaN },
      { env: 'webshop', number: undefined },
    ],
    [
      { name: 'webshop', session_id: -1 },
      { env: 'webshop', number: undefined },
    ],
    [
      { name: 'webshop', session_id: '' },
      { env: 'webshop', number: undefined },
    ],
    [
      { name: 'webshop', session_id: 'fixed_3' },
      { env: 'webshop', number: undefined },
    ],
    [{ name: 'webshop' }, { env: 'webshop', number: undefined }],
    [{ session_id: 3 }, undefined],
    [{ name: 3, session_id: 3 }, undefined],
    [undefined, undefined],
  ])('%o', (kwargs, want) => expect(fromInteractionKwargs(kwargs)).toEqual(want));

  it('are read back, whatever they are written with', () => {
    const env = fc.constantFrom('textcraft', 'webshop', 'maze', 'wordle', 'searchqa', 'sheet', 'my-env');
    fc.assert(
      fc.property(env, fc.nat(), fc.constantFrom('both', 'own', 'session_id'), (name, number, keys) => {
        expect(fromInteractionKwargs(interactionKwargs(name, number, keys))).toEqual({ env: name, number });
      }),
      { seed: 1 },
    );
  });
});

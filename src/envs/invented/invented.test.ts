import { expect, it } from 'vitest';
import { Random } from '../../core/random/random.ts';
import type { Episode, Expert } from '../environment.ts';
import { formOf, pickSyntax, reader } from './calls.ts';
import { inventedEnvironment } from './opened.fixture.ts';
import { kindNames } from './kinds.ts';
import { Lexicon, sideOf } from './lexicon.ts';

/** Plays an expert to the end. */
async function playOut(episode: Episode, expert: Expert): Promise<{ text: string; turns: number; success: boolean | undefined }> {
  let observation = episode.observation;
  let text = (episode.prompt ?? []).map((message) => message.text).join('\n');
  for (let turns = 1; turns <= 40; turns++) {
    const action = expert.next(observation) ?? '';
    const step = await episode.step(action);
    observation = step.observation;
    text += `\n> ${action}\n${observation}`;
    if (step.done) return { text, turns, success: step.success };
  }
  return { text, turns: 41, success: undefined };
}

it.each(kindNames)('the expert of %s solves every world, easy or hard, on both sides', async (kind) => {
  const environment = inventedEnvironment({ kind });
  for (const split of environment.splits) {
    for (let index = 0; index < 60; index++) {
      const task = { env: 'invented', split, index };
      const { success, turns, text } = await playOut(environment.open(task), environment.expert(task));
      expect(success, text).toBe(true);
      expect(turns).toBeLessThanOrEqual(14);
      expect(environment.tasks(split).info(index).category).toBe(kind);
    }
  }
});

it('names of training and validation have no word in common', () => {
  const drawn = (side: 'train' | 'validation'): Set<string> => {
    const words = new Lexicon(Random.of(1, side), side);
    return new Set(Array.from({ length: 400 }, () => words.names(4, 'made')).flat());
  };
  const train = drawn('train');
  expect([...drawn('validation')].filter((word) => train.has(word))).toEqual([]);
  expect([...train].every((word) => sideOf(word) === 'train')).toBe(true);
});

it('an action is read back as it was written, in every syntax', () => {
  const tools = [
    { id: 'move', verb: 'move', parameters: ['thing', 'place'], joins: ['to'], about: 'moves it' },
    { id: 'end', verb: 'end', parameters: [], joins: [], about: 'ends' },
  ];
  for (const side of ['train', 'validation'] as const) {
    for (let i = 0; i < 60; i++) {
      const syntax = pickSyntax(Random.of(i, side), side);
      const read = reader(syntax, tools);
      for (const tool of tools) {
        const values = tool.parameters.map((_, at) => ['copper lamp', 'B-12'][at] ?? '');
        expect(read(syntax.write(tool, values)), formOf(syntax, tool)).toEqual({ id: tool.id, values });
      }
      expect(read('nothing of the kind')).toBeNull();
    }
  }
});

it('wrong answers end a question, unknown words are answered with the forms', async () => {
  const environment = inventedEnvironment({ kind: 'lookup', difficulty: '0' });
  const episode = environment.open({ env: 'invented', split: 'train', index: 3 });
  const step = await episode.step('what now');
  expect(step).toMatchObject({ done: false, reward: 0 });
  expect(() => inventedEnvironment({ kind: 'lookups' })).toThrow(/lookup/);
  expect(() => inventedEnvironment({ difficulty: '2' })).toThrow(/within 0-1/);
});

import { describe, expect, it } from 'vitest';
import { completions, phrasesOf } from './complete.ts';

const observation =
  'Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 oak stairs using 6 oak planks, 2 stick\n\nGoal: craft oak stairs.';

describe('completion of what a player types', () => {
  it('knows the names that were seen', () => {
    expect(phrasesOf(observation)).toEqual(
      new Set(['Crafting commands', 'oak planks', 'oak logs', 'oak stairs', 'stick', 'Goal']),
    );
  });

  it('completes the longest end of the line that begins a name, and whole actions first', () => {
    const phrases = phrasesOf(observation);
    expect(completions('get 1 oak l', ['craft ', 'get '], phrases)).toEqual([['oak logs'], 'oak l']);
    expect(completions('craft 1 oak s', ['craft ', 'get '], phrases)).toEqual([['oak stairs'], 'oak s']);
    expect(completions('tu', ['turn left', 'turn right'], phrases)).toEqual([['turn left', 'turn right'], 'tu']);
    expect(completions('xyz', [], phrases)).toEqual([[], '']);
    // Whatever the case, and each once.
    expect(completions('GET 1 OAK L', [], phrases)).toEqual([['oak logs'], 'OAK L']);
    expect(completions('Tu', ['turn left', 'turn left'], phrases)).toEqual([['turn left'], 'Tu']);
  });
});

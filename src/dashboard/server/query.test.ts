import { describe, expect, it } from 'vitest';
import { episodeQuery, required, several } from './query.ts';

describe('what the page may ask for', () => {
  it('numbers are numbers, empty and unknown ones are left out', () => {
    const query = 'step=12&task=textcraft/test%2317&outcome=failed&minReward=-0.5&limit=50&text=&nonsense=1&__proto__=2';
    expect(episodeQuery(new URLSearchParams(query))).toEqual({
      step: 12,
      task: 'textcraft/test#17',
      outcome: 'failed',
      minReward: -0.5,
      limit: 50,
    });
    expect(episodeQuery(new URLSearchParams(''))).toEqual({});
  });
  it.each([
    'step=-1',
    'step=1.5',
    'step=x',
    'outcome=won',
    'purpose=test',
    'limit=0',
    'limit=1001',
    'offset=-1',
    'minReward=a',
    `task=${'x'.repeat(301)}`,
  ])('%s is refused by its name', (query) =>
    expect(() => episodeQuery(new URLSearchParams(query))).toThrow(
      new RegExp(`the filter "${query.split('=')[0]}" is not usable`),
    ),
  );
  it('required and repeated keys', () => {
    const search = new URLSearchParams('a=1&b=&c=x&c=y&c=x');
    expect([required(search, 'a'), several(search, 'c', 2)]).toEqual(['1', ['x', 'y']]);
    for (const key of ['b', 'd']) expect(() => required(search, key)).toThrow(`"${key}" is missing`);
    expect(() => several(search, 'c', 1)).toThrow(/given 2 times: give it 1 to 1 times/);
    expect(() => several(search, 'd', 3)).toThrow(/given 0 times/);
  });
});

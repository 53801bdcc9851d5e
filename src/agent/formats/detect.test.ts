import { describe, expect, it } from 'vitest';
import { formatOfCounts, formatOfReply, writtenAlike } from './detect.ts';
import { createFormat, formatNames } from './index.ts';

const instructions = {
  task: 'Craft.',
  actions: [
    { name: 'get', template: 'get {count} {item}', description: 'take', parameters: { count: 'how many', item: 'what' } },
  ],
};

describe('the format of replies', () => {
  it.each(formatNames)('%s is told from what it writes', (name) => {
    const reply = createFormat(name).write('get 2 oak log', 'I need wood.', instructions);
    const told = formatOfReply(reply);
    expect(writtenAlike(told ?? '', name)).toBe(true);
    expect(formatOfCounts({ [told ?? '']: 10 })).toBe(told);
  });
  it.each([
    ['Thought: x\n\nAction:\nget 1 stick', 'react'],
    ['**Action**: get 1 stick', 'react'],
    ['<think>long</think>> get 1 stick', 'adapt'],
    ['> think: I need planks.\nOK.\n> get 1 oak log', 'adapt'],
    ['think: I need planks.', 'adapt'],
    ['get 1 stick', 'direct'],
    ['I would say that\nwe need some sticks.', undefined],
    ['', undefined],
  ])('%j', (reply, format) => expect(formatOfReply(reply)).toBe(format));
  it('is that of most replies; ADaPT is known by a few of its signs', () => {
    expect(formatOfCounts({ react: 95, none: 5 })).toBe('react');
    expect(formatOfCounts({ adapt: 20, direct: 80 })).toBe('adapt');
    expect(formatOfCounts({ direct: 99, none: 1 })).toBe('direct');
    expect(formatOfCounts({ direct: 50, none: 50 })).toBeUndefined();
    expect(formatOfCounts({})).toBeUndefined();
  });
});

/** Prompts of the field, in the words that matter, and every format's own opening. */
import { describe, expect, it } from 'vitest';
import { formatAskedBy, readsWhatIsAsked } from './asked.ts';
import { writtenAlike } from './detect.ts';
import { createFormat, formatNames } from './index.ts';

const instructions = {
  task: 'Craft things.',
  actions: [
    { name: 'get', template: 'get {count} {item}', description: 'take', parameters: { count: 'how many', item: 'what' } },
    { name: 'inventory', template: 'inventory', description: 'see what you have', parameters: {} },
  ],
};
const shopping = {
  task: 'Shop.',
  actions: [{ name: 'search', template: 'search[{words}]', description: 'search', parameters: { words: 'what' } }],
};
const system = (text: string) => [{ role: 'system', text } as const];

describe('the format that a prompt asks for', () => {
  it.each(formatNames.filter((name) => name !== 'tools'))('%s is told from its own opening', (name) => {
    const asked = formatAskedBy(createFormat(name, { fewShot: false }).opening(instructions));
    expect(writtenAlike(asked?.format ?? '', name), JSON.stringify(asked)).toBe(true);
  });

  it.each<[string, string | undefined]>([
    ['You can use actions like:\n- get [object]\n- inventory\n\nYour response should contain only the action.', 'direct'],
    ['Your response should contain only the action in the format: search[keywords] or click[item]', 'direct'],
    ['Do NOT include explanations, reasoning, or any other text - just the action.', 'direct'],
    ['Your output must strictly follow this format:"Thought:\nyour thoughts.\n\nAction:\nyour next action"', 'react'],
    ['Your response format:\n<think>\n[reasoning]\n</think>\n\nAction:\n[Your action command]', 'react'],
    ['Give exactly one action:\nThought: …\nAction: … \nOnly one action per reply; output only the action after it.', 'react'],
    [
      "use prefix 'think: '.\n\nGoal: craft dark oak sign\n\n> think: I should check.\nOK.\n\n> inventory\nInventory: []",
      'adapt',
    ],
    ['Reply with JSON that has "thought", "function_name" and "arguments".', 'function_calling'],
    ['You are a helpful agent in a world of crafting. Available actions: get, craft.', undefined],
  ])('%j', (text, format) => expect(formatAskedBy(system(text))?.format).toBe(format));

  it('turns that are shown say more than sentences; canned answers say nothing', () => {
    const user = { role: 'user', text: 'Craft a stick.' } as const;
    const turns = (reply: string) => [
      user,
      { role: 'assistant', text: 'OK. I will follow.' } as const,
      user,
      { role: 'assistant', text: reply } as const,
    ];
    expect(formatAskedBy(turns('> think: I need planks.'))).toEqual({ format: 'adapt', words: '> think: I need planks.' });
    expect(formatAskedBy(turns('Thought:\nWood.\n\nAction:\nget 1 oak log'))?.format).toBe('react');
    expect(formatAskedBy([user, { role: 'assistant', text: 'OK.' }])).toBeUndefined();
  });
});

describe('a reader and what it is asked to read', () => {
  it.each<[string, string, boolean]>([
    ['direct', 'direct', true],
    ['react', 'direct', false],
    ['direct', 'react', false],
    ['adapt', 'direct', true],
    ['adapt-last', 'direct', true],
    ['direct', 'adapt', false],
    ['function_calling', 'react', false],
    ['code', 'direct', false],
  ])('%s reads what %s asks for: %s', (reader, asked, reads) =>
    expect(readsWhatIsAsked(createFormat(reader), asked, instructions)).toBe(reads),
  );
  it('actions in brackets are read bare by ReAct as well, and environments that take replies as they are read anything', () => {
    expect(readsWhatIsAsked(createFormat('react'), 'direct', shopping)).toBe(true);
    expect(readsWhatIsAsked(createFormat('react'), 'direct', { ...instructions, verbatim: true })).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToyEnvironment } from '../../../tests/fixtures/toy-environment.ts';
import type { Instructions } from '../../envs/environment.ts';
import { readAdapt, readAdaptLast } from './adapt.ts';
import { readCode } from './code.ts';
import { readCall } from './function-calling.ts';
import { createFormat, formatNames } from './index.ts';
import { withPrompt } from './variations.ts';
import { readReact } from './react.ts';

const toy: Instructions = new ToyEnvironment().instructions;
const craft: Instructions = {
  task: 'Craft.',
  actions: [
    {
      name: 'craft',
      template: 'craft {count} {item} using {ingredients}',
      description: 'makes an item',
      parameters: { count: 'how many', item: 'what', ingredients: 'from what' },
    },
    { name: 'search', template: 'search[{keywords}]', description: 'searches', parameters: { keywords: 'words' } },
    { name: 'inventory', template: 'inventory', description: 'lists', parameters: {} },
  ],
};

describe('every format', () => {
  it.each(formatNames)('%s reads back what it writes', (name) => {
    const format = createFormat(name);
    for (const action of ['inventory', 'craft 4 stick using 2 oak planks', 'search[red shoes, size 9 (wide)]']) {
      expect(format.read(format.write(action, 'I know.', craft), craft).action).toBe(action);
    }
  });

  it.each(formatNames)('%s never throws and always says why there is no action', (name) => {
    const format = createFormat(name);
    const pieces = [
      'Action:',
      'Thought:',
      '```',
      '{',
      '}',
      '"',
      '(',
      ')',
      '>',
      '<think>',
      '</think>',
      'craft',
      '\n',
      ' ',
      '\\',
      '#',
      '=',
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 20 });
    fc.assert(
      fc.property(text, (parts) => {
        const read = format.read(parts.join(''), craft);
        if (read.action === null) expect(read.problem).not.toBe('');
        else expect(read.action).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it.each(formatNames)('%s tells the task and how to act', (name) => {
    const text = createFormat(name)
      .opening(toy)
      .map((message) => message.text)
      .join('\n');
    expect(text).toContain(toy.task);
  });

  it('puts the worked example into the prompt on request, in its own words', () => {
    expect(createFormat('react', { fewShot: true }).opening(toy)[0]?.text).toContain(
      'Thought:\nTwo are missing.\n\nAction:\nadd 2',
    );
    expect(createFormat('code', { fewShot: true }).opening(toy)[0]?.text).toContain('add(count="2")');
    expect(() => createFormat('react', { fewShot: true }).opening(craft)).toThrow(/--few-shot/);
  });

  it('names the formats there are', () => {
    expect(() => createFormat('rect')).toThrow(/react, direct/);
  });
});

describe('actions with brackets', () => {
  it.each([
    ['search[red shoes]', 'search[red shoes]'],
    ['I would like red shoes, so I use search[red shoes].', 'search[red shoes]'],
    ['Search[red shoes]', 'search[red shoes]'],
    ['First search[red], no: search[red shoes]', 'search[red shoes]'],
    ['Thought: hm\nAction: I will search[red shoes] now', 'search[red shoes]'],
    ['Thought: hm\nAction:\nsearch[red shoes]', 'search[red shoes]'],
  ])('are read bare or after a sentence: %j', (reply, action) => {
    expect(createFormat('react').read(reply, craft).action).toBe(action);
    if (!reply.includes('Action')) expect(createFormat('direct').read(reply, craft).action).toBe(action);
  });

  it('with brackets inside go to the environment as they are', () => {
    expect(createFormat('direct').read('search[a[b]c]', craft).action).toBe('search[a[b]c]');
    expect(readReact('Action: search[a[b]c]', craft.actions).action).toBe('search[a[b]c]');
  });
});

describe('react', () => {
  it.each([
    ['Thought:\nhm\n\nAction:\nget 1 stick', 'get 1 stick'],
    ['Action: get 1 stick', 'get 1 stick'],
    ['Action: [[ get 1 oak log ]]', 'get 1 oak log'],
    ['**Action:** look', 'look'],
    ['Action:\n```sql\nSELECT 1\nFROM t\n```', 'SELECT 1\nFROM t'],
    ['<think>Action: no</think>Thought: x\nAction: yes', 'yes'],
    ['Thought: I will.\nAction:\nclick[Next >]\n\nObservation: invented', 'click[Next >]'],
  ])('%j', (reply, action) => {
    expect(readReact(reply).action).toBe(action);
  });

  it('tells the agent what is wrong', () => {
    expect(readReact('I think so')).toMatchObject({ action: null, problem: expect.stringContaining('no "Action:"') as string });
    expect(readReact('Action: a\nAction: b')).toMatchObject({ problem: expect.stringContaining('exactly one') as string });
    expect(readReact('Action:\n')).toMatchObject({ problem: expect.stringContaining('empty') as string });
  });
});

describe('adapt', () => {
  it('takes the first command and ignores what was invented after it', () => {
    expect(readAdapt('> think: hm\nOK.\n\n> inventory\nInventory: []\n\n> get slime block').action).toBe('inventory');
    expect(readAdapt('Think: …\nAction: [[ get 1 oak log ]]').action).toBe('get 1 oak log');
  });

  it('reads the last line as the recorder of the Sampling data did, where that is chosen', () => {
    const reply = '> think: hm\nOK.\n\n> inventory\nInventory: [slime block] (1)';
    const [first, last] = [createFormat('adapt'), createFormat('adapt-last')];
    expect([first.name, last.name]).toEqual(['adapt', 'adapt-last']);
    expect(first.read(reply, toy).action).toBe('inventory');
    expect(last.read(reply, toy).action).toBe('Inventory slime block 1');
    expect(last.read('> think: only this', toy)).toEqual({ action: null, problem: 'OK.' });
    expect(readAdaptLast('> search[red shoes]', craft.actions).action).toBe('search[red shoes]');
  });

  it('answers a thought with OK., as the prompt promises', () => {
    expect(readAdapt('> think: I should look.')).toEqual({ action: null, problem: 'OK.' });
  });
});

describe('function calling', () => {
  it('forgives text around the object and raw line breaks inside', () => {
    const reply =
      'Sure!\n{"thought": "two\nlines", "function_name": "craft", "arguments": {"count": 4, "item": "stick", "ingredients": ["2 planks"]}}';
    expect(readCall(reply, craft.actions)).toEqual({ action: 'craft 4 stick using 2 planks', thought: 'two\nlines' });
  });

  it('names what is missing or unknown', () => {
    expect(readCall('{"function_name": "craft", "arguments": {"item": "x"}}', craft.actions)).toMatchObject({
      problem: 'craft needs the arguments count, ingredients.',
    });
    expect(readCall('{"function_name": "fly", "arguments": {}}', craft.actions)).toMatchObject({
      problem: expect.stringContaining('craft, search, inventory') as string,
    });
    expect(readCall('{"function_name": "inventory", "arguments": {"x": 1}}', craft.actions)).toMatchObject({
      problem: expect.stringContaining('no argument x') as string,
    });
  });
});

describe('code as action', () => {
  it('reads positions, names and comments', () => {
    const reply = '```python\n# I need sticks\n# now\ncraft(4, "stick # not a comment", ingredients=\'2 planks\')\n```';
    expect(readCode(reply, craft.actions)).toEqual({
      action: 'craft 4 stick # not a comment using 2 planks',
      thought: 'I need sticks now',
    });
  });

  it('parses and never runs', () => {
    for (const reply of ['__import__("os").system("x")', 'craft(open("f"))', 'search("a"); search("b")', 'search("a" + "b")']) {
      expect(readCode(reply, craft.actions).action).toBeNull();
    }
  });
});

describe('a prompt of the user', () => {
  it('fills in the words of the environment and keeps the roles', () => {
    const format = withPrompt(createFormat('react'), '=== user\nRules: {{task}}\n{{actions}}\n=== assistant\nOK.');
    expect(format.opening(toy)).toEqual([
      { role: 'user', text: 'Rules: Reach the goal number by adding.\n- add <count>: adds a number\n- look: says where you are' },
      { role: 'assistant', text: 'OK.' },
    ]);
    expect(format.fingerprint).toMatch(/^prompt [0-9a-f]{16}$/);
    expect(withPrompt(createFormat('react'), 'Just play.').opening(toy)).toEqual([{ role: 'system', text: 'Just play.' }]);
  });

  it('says which words there are', () => {
    expect(() => withPrompt(createFormat('react'), '{{goal}}').opening(toy)).toThrow(/\{\{task\}\}/);
    expect(() => withPrompt(createFormat('react'), ' \n')).toThrow(/empty/);
  });
});

import { describe, expect, it } from 'vitest';
import { constructChat, constructCompletion, constructLlama2, currentText } from './construct.ts';
import { extractAction } from './extract.ts';
import { readInstruction } from './instruction.ts';

const RAW = `prompt = {
	"intro": """You browse.
"Quoted" it's \\u00e9""",  # a comment
	"examples": [
		("""OBSERVATION:
[1] link""", "Because 'a'. " 'Then \`\`\`click [1]\`\`\`'),
	],
	"template": """OBSERVATION:
{observation}
URL: {url}
OBJECTIVE: {objective}
PREVIOUS ACTION: {previous_action} {{kept}}""",
	"meta_data": {
		"observation": "accessibility_tree",
		"keywords": ["url", "objective"],
		"prompt_constructor": "CoTPromptConstructor",
		"answer_phrase": "In summary,",
		"action_splitter": "\`\`\`",
		"force_prefix": "Let's",
		"limit": 3,
		"nothing": None,
	},
}
`;

describe('prompts of WebArena', () => {
  const instruction = readInstruction(RAW, 'p.py');
  const told = { page: 'tree {x}', url: 'http://a', objective: 'find', previous: 'None' };

  it('are read from Python and from JSON alike', () => {
    expect(instruction.intro).toBe('You browse.\n"Quoted" it\'s é');
    expect(instruction.examples).toEqual([['OBSERVATION:\n[1] link', "Because 'a'. Then ```click [1]```"]]);
    expect(instruction.meta_data).toMatchObject({ limit: 3, nothing: null });
    expect(readInstruction(JSON.stringify(instruction), 'p.json')).toEqual(instruction);
  });

  it.each(['prompt = run()', 'x = 1', 'prompt = {"intro": 1}', 'prompt = {"a": "b', '{"intro":'])('refuse %s', (text) => {
    expect(() => readInstruction(text, 'p')).toThrow(/prompt/);
  });

  it('become what a model is asked', () => {
    const current = currentText(instruction, told);
    expect(current).toBe('OBSERVATION:\ntree {x}\nURL: http://a\nOBJECTIVE: find\nPREVIOUS ACTION: None {kept}');
    expect(constructChat(instruction, current).map(({ role, name }) => name ?? role)).toEqual([
      'system',
      'example_user',
      'example_assistant',
      'user',
    ]);
    expect(constructCompletion(instruction, current)).toMatch(/examples:\nObservation\n:OBSERVATION:[\s\S]*\n\nAction:$/);
    expect(constructLlama2(instruction, current)).toMatch(/^<s>\[INST\] <<SYS>>\nYou[\s\S]*\[\/INST\] Let's$/);
  });

  it('find the action in a reply', () => {
    const splitter = '```';
    expect(extractAction('so ```\n click [1] ``` and ```stop```', { splitter })).toEqual({ text: 'click [1]' });
    expect(extractAction('so ```click [1]', { splitter })).toMatchObject({
      error: { message: 'Cannot parse action from response so ```click [1]' },
    });
    expect(extractAction('no', { splitter, answerPhrase: 'In summary' })).toMatchObject({
      error: { message: 'Cannot find the answer phrase "In summary" in "no"' },
    });
    expect(extractAction('<a>stop</a>', { splitter: '</?a>' })).toEqual({ text: 'stop' });
  });
});

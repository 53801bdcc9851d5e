import { Template } from '@huggingface/jinja';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toolSchemas } from '../../../policy/tool-schema.ts';
import { checkLaws } from '../../../lint/laws.ts';
import { dataEnvironment } from '../opened.fixture.ts';
import { callsIn, responseText, shortened, toolsText, withTools, writeCall } from './hermes.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const task = { env: 'data', split: 'test', index: 0 };
const call = (name: string, given: object): string => writeCall({ name, arguments: { ...given } });

describe('calls as text', () => {
  it('are read as verl reads them', () => {
    const two = `I compute.\n${call('a', { x: 1 })}\n${call('b', {})}`;
    expect(callsIn(two).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(callsIn('<tool_call>{"name": "a"}</tool_call><tool_call>{torn</tool_call><tool_call>[]</tool_call>')).toEqual([]);
    expect(callsIn('<tool_call>{"name": "a", "arguments": {}}')).toEqual([]);
    expect(callsIn('{"name": "a", "arguments": "{\\"x\\": 1}"}')).toEqual([{ name: 'a', arguments: { x: 1 } }]);
    expect(callsIn('#### 7')).toEqual([]);
  });
  it('lose the middle of long answers', () => {
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened('abcdefgh', 4)).toBe('ab...(truncated)...gh');
  });
  it('stand in the prompt as Qwen’s template writes functions', async () => {
    const env = await dataEnvironment({ tools: 'calculator,search' });
    const schemas = toolSchemas(env.instructions.actions);
    // The part of Qwen2.5's chat template that writes tools, in its own words.
    const qwen = new Template(
      '{{- messages[0][\'content\'] }}{{- "\\n\\n# Tools\\n\\nYou may call one or more functions to assist with the user query.\\n\\nYou are provided with function signatures within <tools></tools> XML tags:\\n<tools>" }}{%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}{{- "\\n</tools>\\n\\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\\n<tool_call>\\n{\\"name\\": <function-name>, \\"arguments\\": <args-json-object>}\\n</tool_call>" }}',
    );
    const [system] = env.open(task).prompt ?? [];
    const messages = [{ role: 'system', content: 'You are a helpful assistant.' }];
    expect(system?.text).toBe(qwen.render({ messages, tools: schemas }));
    expect(withTools([{ role: 'system', text: 'Be brief.' }], [])[0]?.text).toBe(`Be brief.\n\n${toolsText([])}`);
  });
});

describe('tasks with tools', () => {
  it('answer calls, tell what is wrong with one, and end with the first reply that calls nothing', async () => {
    const env = await dataEnvironment({ kind: 'products', tools: 'calculator' });
    await using episode = env.open(task);
    const { groundTruth, extraInfo } = env.truth(task);
    const expression = String(extraInfo['question']).replace(' =', '');
    const step = async (reply: string) => episode.step(reply);
    expect(await step(call('calculator', { expression }))).toEqual({
      observation: `<tool_response>\n${String(groundTruth)}\n</tool_response>`,
      reward: 0,
      done: false,
    });
    expect((await step(call('calculator', { expression: 'os.exit()' }))).observation).toMatch(
      /Error when executing tool: .*no arithmetic/,
    );
    expect((await step(call('calculator', {}))).observation).toMatch(/Error when executing tool: .*missing/);
    expect((await step(call('python', { code: '1' }))).observation).toBe(responseText(["Error when executing tool: 'python'"]));
    expect((await step(call('calculator', { expression: '1+1' }) + call('calculator', { expression: '2+2' }))).observation).toBe(
      responseText(['2']),
    );
    expect(await step(`#### ${String(groundTruth)}`)).toMatchObject({ reward: 1, done: true, success: true });
    expect(await step(call('calculator', { expression: '1+1' }))).toMatchObject({ reward: 0, done: true });
  });

  it('find passages, and cut them where verl would', async () => {
    const env = await dataEnvironment({ kind: 'questions', tools: 'search', response: '4000' });
    const expert = env.expert(task);
    await using episode = env.open(task);
    const seen: string[] = [];
    let reward = 0;
    for (let reply = expert.next(''); reply !== null; reply = expert.next('')) {
      const step = await episode.step(reply);
      seen.push(step.observation);
      reward += step.reward;
    }
    expect(seen[0]).toMatch(/^<tool_response>\n\{"result":"Doc 1 \(Title: /);
    expect(reward).toBe(1);
    const bare = await episode.step(call('search', {}));
    expect(bare.done).toBe(true);
  });

  it('read verl’s files of tools, with their schemas as they are', async () => {
    const path = join(folder, 'tools.yaml');
    const schema = (name: string) =>
      `{ type: function, function: { name: ${name}, description: Runs code., parameters: { type: object, properties: { expression: { type: string, description: what } }, required: [expression] } } }`;
    writeFileSync(
      path,
      `tools:\n  - { class_name: my.CalculatorTool, config: { type: native }, tool_schema: ${schema('calc')} }\n`,
    );
    const env = await dataEnvironment({ tools: path, parallel: '2' });
    expect(toolSchemas(env.instructions.actions)).toMatchObject([
      { function: { name: 'calc', parameters: { required: ['expression'] } } },
    ]);
    await using episode = env.open(task);
    const both = call('calc', { expression: '1+1' }) + call('calc', { expression: '2+2' });
    expect((await episode.step(both)).observation).toBe(responseText(['2', '4']));

    writeFileSync(path, `tools: [{ class_name: verl.tools.gsm8k_tool.Gsm8kTool, config: {} }]\n`);
    await expect(dataEnvironment({ tools: path })).rejects.toThrow(/Gsm8kTool is Python, which is not run here/);
    writeFileSync(path, 'tool: []\n');
    await expect(dataEnvironment({ tools: path })).rejects.toThrow(/tools: \[/);
    await expect(dataEnvironment({ tools: 'hammer' })).rejects.toThrow(/calculator, python, javascript, search/);
  });

  it('keep the laws', async () => {
    const env = await dataEnvironment({ tools: 'calculator' });
    const options = { cases: 10, expertTasks: 20, memorySteps: 500 };
    for await (const { law, violation } of checkLaws(env, options)) expect([law, violation]).toEqual([law, undefined]);
  });
});

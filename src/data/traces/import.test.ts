/** The same conversation in three logs gives the same task; what went well is demonstrated, played and held out. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool } from 'ai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTraces } from '../../gym/agents/trace-environment.ts';
import { openReward } from '../../rewards/open.ts';
import { rewardSchema } from '../../config/recipe/reward-config.ts';
import { readConversations } from '../read.ts';
import { Conversations } from './conversations.ts';
import { callsOf, importTraces } from './import.ts';
import { traceTask } from './trace-tasks.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-traces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parameters = { type: 'object', properties: { box: { type: 'string' } }, required: ['box'] };
const tools = [{ type: 'function', function: { name: 'look', description: 'Look into a box.', parameters } }];
const system = { role: 'system', content: 'Look into the box.' };
const user = (box: string) => ({ role: 'user', content: `What is in the ${box} box?` });
const call = (box: string, id = 'call_1') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: `{"box": "${box}"}` } }],
});
const found = (word: string, id = 'call_1') => ({ role: 'tool', tool_call_id: id, content: word });
const said = (content: string) => ({ role: 'assistant', content });
const logged = (messages: readonly object[], message: object, more: object = {}) => ({
  request: { model: 'any', messages, tools },
  response: { choices: [{ index: 0, message }] },
  ...more,
});

/** Both calls of a conversation that looks once. */
const conversation = (box: string, word: string, answer = word, more: object = {}) => [
  logged([system, user(box)], call(box)),
  logged([system, user(box), call(box), found(word)], said(answer), more),
];

function together(records: readonly unknown[]) {
  const all = new Conversations();
  for (const record of records) for (const one of callsOf(record)) all.add(one);
  return all.conversations();
}

const heldOut = { validation: 0, test: 0 };

describe('logs', () => {
  it('single calls become whole conversations, also where two begin alike', () => {
    const [first, last] = conversation('red', 'stone');
    const both = together([first, first, last, ...conversation('red', 'lamp').slice(1)]);
    expect(both.map(({ messages }) => messages.at(-1)?.content)).toEqual(['stone', 'lamp']);
    expect(together([...conversation('red', 'stone'), { level: 'info' }, 7])).toHaveLength(1);
  });

  it("the AI SDK's telemetry gives the same task as the chat log of the same calls", async () => {
    const log: object[] = [];
    const answer = (body: { messages: readonly { role: string; content: string }[] }): object => {
      const last = body.messages.at(-1);
      const message = last?.role === 'tool' ? said(last.content) : call('red');
      log.push({ request: body, response: { choices: [{ index: 0, message }] } });
      return { id: 'x', created: 0, model: 'any', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: {} };
    };
    const spans: object[] = [];
    await generateText({
      model: createOpenAICompatible({
        name: 'any',
        baseURL: 'http://127.0.0.1:1/v1',
        fetch: (_url, init) => {
          const body = JSON.parse(init?.body as string) as Parameters<typeof answer>[0];
          return Promise.resolve(new Response(JSON.stringify(answer(body)), { headers: { 'content-type': 'application/json' } }));
        },
      })('any'),
      system: 'Look into the box.',
      prompt: 'What is in the red box?',
      tools: {
        look: tool({ description: 'Look into a box.', inputSchema: z.object({ box: z.string() }), execute: () => 'stone' }),
      },
      stopWhen: stepCountIs(3),
      experimental_telemetry: { isEnabled: true, metadata: { reward: 1 }, tracer: recorder(spans) as never },
    });
    expect(spans.length).toBeGreaterThan(3);
    const [task] = together(spans).map((one) => traceTask(one, heldOut));
    expect(task).toMatchObject({ replies: ['{"name": "look", "arguments": {"box":"red"}}', 'stone'], reward: 1 });
    const [fromLog] = together(log).map((one) => traceTask(one, heldOut));
    expect({ ...task, reward: undefined, replies: [] }).toEqual({ ...fromLog, reward: undefined, replies: [] });
  });

  it("OpenTelemetry's spans, as an OTLP exporter writes them, in the order of their times", () => {
    const text = (content: string) => [{ type: 'text', content }];
    const asked = { role: 'user', parts: text('What is in the red box?') };
    const called = { role: 'assistant', parts: [{ type: 'tool_call', id: 'a', name: 'look', arguments: { box: 'red' } }] };
    const answered = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'a', response: 'stone' }] };
    const span = (start: number, input: object[], output: object) => ({
      name: 'chat any',
      startTimeUnixNano: String(start),
      attributes: [
        { key: 'gen_ai.system_instructions', value: { stringValue: JSON.stringify(text('Look into the box.')) } },
        { key: 'gen_ai.tool.definitions', value: { stringValue: JSON.stringify(tools.map((one) => one.function)) } },
        { key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify(input) } },
        { key: 'gen_ai.output.messages', value: { stringValue: JSON.stringify([output]) } },
        { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.9 } },
      ],
    });
    const late = span(2, [asked, called, answered], { role: 'assistant', parts: text('stone'), finish_reason: 'stop' });
    const [task, ...others] = together([{ resourceSpans: [{ scopeSpans: [{ spans: [late, span(1, [asked], called)] }] }] }]).map(
      (one) => traceTask(one, heldOut),
    );
    expect(others).toEqual([]);
    const [fromLog] = together(conversation('red', 'stone')).map((one) => traceTask(one, heldOut));
    expect(task).toMatchObject({ id: fromLog?.id, reward: 0.9, results: [{ name: 'look', content: 'stone' }] });
  });
});

describe('agoge data import', () => {
  const file = join(folder, 'log.jsonl');
  const words = ['stone', 'lamp', 'river', 'wool'];
  const records = Array.from({ length: 60 }, (_, at) => {
    const [box, word] = [`box-${at % 20}`, words[at % 4] ?? ''];
    return conversation(box, `${word} ${at}`, at % 3 === 0 ? 'no idea' : `${word} ${at}`);
  }).flat();
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const options = { name: 'boxes', minReward: 0.5, heldOut: { validation: 0.1, test: 0.2 } };

  it('keeps what a reward finds good; its tasks are played by their demonstrations, and only by them', async () => {
    const rewardFile = join(folder, 'reward.mjs');
    writeFileSync(rewardFile, 'export default ({ turns }) => (turns.at(-1).reply === turns.at(-2)?.observation ? 1 : 0);\n');
    const out = join(folder, 'judged');
    const reward = await openReward(rewardSchema.parse(rewardFile));
    const report = await importTraces([file], { ...options, out, reward });
    expect(report).toMatchObject({ calls: 120, conversations: 60, judged: 60, good: 40, others: 0 });
    const { train, validation, test } = report.tasks;
    expect([train + validation + test, test > 0, report.demonstrations === train]).toEqual([40, true, true]);
    const environment = defineTraces({ name: 'boxes', tasks: join(out, 'tasks.jsonl') });
    const task = { env: 'boxes', split: 'test', index: 0 };
    const expert = environment.expert?.(task);
    await using episode = await environment.open(task);
    const looked = await episode.step(expert?.next('') ?? '');
    expect(looked).toMatchObject({ observation: expect.stringMatching(/^(stone|lamp|river|wool) \d+$/) as string, done: false });
    expect(await episode.step('{"name": "look", "arguments": {"box": "other"}}')).toMatchObject({
      observation: 'look has no answer to this in the log',
    });
    expect(await episode.step(expert?.next('') ?? '')).toMatchObject({ reward: 1, done: true });
    await using wrong = await environment.open(task);
    expect(await wrong.step('no idea')).toMatchObject({ reward: 0, done: true });
    const rows = [];
    for await (const row of readConversations(join(out, 'demonstrations.jsonl'))) rows.push(row);
    expect(rows).toHaveLength(train);
    expect(rows[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
    await using opened = await environment.open({ ...task, split: 'train' });
    expect(rows[0]?.messages.slice(0, 2)).toMatchObject(opened.prompt?.map(({ role, text }) => ({ role, content: text })) ?? []);
    expect(readFileSync(join(out, 'train.yaml'), 'utf8')).toContain('split: train');
  });

  it('believes the log where it says how it went, and says what it cannot use', async () => {
    const small = join(folder, 'small.jsonl');
    const rated = [
      ...conversation('red', 'stone', 'stone', { success: true }),
      ...conversation('blue', 'lamp', '?', { success: false }),
    ];
    writeFileSync(small, [...rated, { level: 'info' }].map((record) => `${JSON.stringify(record)}\n`).join(''));
    const report = await importTraces([small], { ...options, out: join(folder, 'rated') });
    expect(report).toMatchObject({ conversations: 2, judged: 2, good: 1, others: 1 });
    await expect(importTraces([small], { ...options, out: join(folder, 'rated') })).rejects.toMatchObject({
      code: 'DATA_OUTPUT_EXISTS',
    });
    await expect(importTraces([small], { ...options, minReward: 2, out: join(folder, 'x') })).rejects.toThrow(/none earned 2/);
    writeFileSync(small, '{"level":"info"}\n');
    await expect(importTraces([small], { ...options, out: join(folder, 'y') })).rejects.toThrow(
      /holds no conversation of a model/,
    );
  });
});

/** As much of OpenTelemetry's tracer as the AI SDK uses: what a span ends with is kept. */
function recorder(spans: object[]): object {
  const span = (name: string, options?: { attributes?: object }) => {
    const attributes: Record<string, unknown> = { ...options?.attributes };
    const self = {
      setAttribute: (key: string, value: unknown) => ((attributes[key] = value), self),
      setAttributes: (more: object) => (Object.assign(attributes, more), self),
      addEvent: () => self,
      recordException: () => undefined,
      setStatus: () => self,
      updateName: () => self,
      isRecording: () => true,
      end: () => void spans.push({ name, attributes }),
      spanContext: () => ({ traceId: 't', spanId: 's', traceFlags: 0 }),
    };
    return self;
  };
  return {
    startSpan: span,
    startActiveSpan: (name: string, ...rest: unknown[]) =>
      (rest.at(-1) as (made: object) => unknown)(span(name, rest[0] as { attributes?: object })),
  };
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgogeError } from '../../core/error.ts';
import type { Action } from '../../envs/webarena/actions/action.ts';
import { readInstruction } from '../../envs/webarena/prompts/instruction.ts';
import { webArena } from '../../envs/webarena/webarena.ts';
import { Conversation } from '../../policy/conversation.ts';
import type { Policy } from '../../policy/policy.ts';
import { writtenReply } from '../../policy/words.ts';
import { promptAgent, teacherAgent } from './agents.ts';
import { earlyStop } from './early-stop.ts';
import { policyModel } from './models/policy-model.ts';
import { isScored, runHarness } from './run.ts';

const limits = { steps: 30, parsingFailures: 3, repeated: 3 };
const click: Action = { kind: 'click', element: '1' };
const typed = (text: string): Action => ({ kind: 'type', element: '2', text });

describe('early stops', () => {
  it.each<[string, readonly Action[], string | undefined]>([
    ['nothing yet', [], undefined],
    ['steps', Array.from({ length: 30 }, (_, at): Action => ({ kind: 'click', element: String(at) })), 'Reach max steps 30'],
    ['no actions', [click, { kind: 'none' }, { kind: 'none' }, { kind: 'none' }], 'Failed to parse actions for 3 times'],
    ['the same click', [click, click, click], 'Same action for 3 times'],
    ['clicks with a pause', [click, { kind: 'go_back' }, click, click], undefined],
    ['typing with a pause', [typed('a'), click, typed('b'), click, typed('c')], 'Same typing action for 3 times'],
  ])('%s', (_, actions, why) => {
    expect(earlyStop(actions, limits)).toBe(why);
  });
});

describe('the harness', () => {
  const signal = new AbortController().signal;

  it('plays, scores, writes pages, goes on where it ended, and never scores what broke', { timeout: 60_000 }, async () => {
    const environment = await webArena();
    const folder = await mkdtemp(join(tmpdir(), 'agoge-webarena-'));
    try {
      const tasks = environment.tasksBetween(10_000, 10_004);
      let broken = true;
      let lost = 0;
      const options = {
        environment,
        tasks,
        limits,
        folder,
        parallel: 2,
        screenshots: false,
        traces: false,
        signal,
        agent: (task: (typeof tasks)[number]) => {
          if (broken && task === tasks[1]) throw new Error('out of order');
          // A browser that dies twice: the task is played a third time, and scored.
          if (task === tasks[2] && lost++ < 2) throw new AgogeError('ENV_BROWSER_LOST', 'gone; play the task again');
          return teacherAgent(environment.teacher(task), environment.addresses);
        },
      };
      const first = await runHarness(options);
      expect(lost).toBe(3);
      expect(first.map((result) => (isScored(result) ? result.score : result.error.code))).toEqual([1, 'EVAL_WEBARENA', 1, 1]);
      broken = false;
      const again: number[] = [];
      const second = await runHarness({ ...options, onResult: ({ task_id }) => again.push(task_id) });
      expect(again).toEqual([tasks[1]?.task_id]);
      expect(second.every(isScored)).toBe(true);
      const page = await readFile(join(folder, `render_${tasks[0]?.task_id ?? 0}.html`), 'utf8');
      expect(page).toMatch(/<div class='parsed_action' style='background-color:yellow'><pre>stop \[/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('asks a model by a prompt file, and again while there is no action', async () => {
    const environment = await webArena();
    const replies = ['hm', 'I think. ```goto [https://reddit.com/f]```'];
    const asked: Conversation[] = [];
    const policy: Policy = {
      id: 'openai:fake',
      reply: (conversation) => {
        asked.push(conversation);
        return Promise.resolve(writtenReply(conversation, replies.shift() ?? ''));
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const instruction = readInstruction(
      JSON.stringify({
        intro: 'You browse.',
        examples: [['seen', 'done']],
        template: '{observation}|{url}|{objective}|{previous_action}',
        meta_data: { keywords: [], prompt_constructor: 'DirectPromptConstructor', action_splitter: '```' },
      }),
      'p.json',
    );
    const sampling = { temperature: 0, topP: 1, maxTokens: 10, maxObservation: 0, seed: 1 };
    const agent = promptAgent({
      model: policyModel(policy, 'chat'),
      actionSet: 'id_accessibility_tree',
      instruction,
      addresses: environment.addresses,
      tries: 2,
      ...sampling,
    });
    const decided = await agent.next({ page: 'tree', url: 'u', objective: 'o', previous: 'None' }, '', signal);
    expect(decided.action).toEqual({ kind: 'goto', url: `${environment.addresses.reddit}/f` });
    expect(asked).toHaveLength(2);
    expect(asked[1]?.messages).toEqual([
      { role: 'system', text: 'You browse.' },
      { role: 'system', name: 'example_user', text: 'seen' },
      { role: 'system', name: 'example_assistant', text: 'done' },
      { role: 'user', text: 'tree|u|o|None' },
    ]);
  });
});

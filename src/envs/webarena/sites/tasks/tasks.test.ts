import { expect, test } from 'vitest';
import { parseAction } from '../../actions/parse.ts';
import { checkEvaluators, evaluate } from '../../evaluators/evaluate.ts';
import { fastBackend } from '../../fast/player.ts';
import { PUBLIC } from '../../tasks/sites.ts';
import { readTask, startUrls, type WebTask } from '../../tasks/task.ts';
import { teacher } from '../../tasks/book.ts';
import { siteBook } from './book.ts';
import { siteTasks, tasksOf, templates, webTask } from './index.ts';

const book = siteBook(PUBLIC);
const backend = fastBackend();

/** Plays a task to its end; its score, or why it never came to one. */
async function play(task: WebTask, answer?: string): Promise<number | string> {
  const expert = book.expert?.(task);
  const forced = teacher(task);
  await using player = await backend.open({ urls: startUrls(task), viewport: { width: 1280, height: 720 }, login: task.sites });
  for (;;) {
    const { text } = await player.see();
    const said = answer === undefined ? expert?.next(text) : `stop [${answer}]`;
    if (said === null || said === undefined) return `gave up on\n${text}`;
    // Teacher forcing plays the same actions: the expert finds the numbers that are written down.
    if (answer === undefined) expect(forced?.next(text), `${task.intent}: run scripts/webarena-references.ts`).toBe(said);
    const parsed = parseAction(said);
    if ('error' in parsed) return parsed.error.message;
    if (parsed.action.kind === 'stop')
      return await evaluate(task, { answer: parsed.action.answer, page: player.page, addresses: PUBLIC });
    const { failure } = await player.act(parsed.action);
    if (failure !== '') return failure;
  }
}

test('the tasks follow the official schema, and their evaluators can be built', () => {
  for (const one of siteTasks()) checkEvaluators(readTask(webTask(one), one.template.name));
  expect(new Set(siteTasks().flatMap(({ template }) => template.sites)).size).toBe(6);
  expect(siteTasks().filter(({ template }) => template.sites.length === 2).length).toBeGreaterThan(80);
});

test('templates decide the split', () => {
  const of = (split: 'train' | 'test' | 'unseen') => new Set(tasksOf(split).map(({ template }) => template));
  for (const template of of('unseen')) expect(of('train').has(template) || of('test').has(template)).toBe(false);
  expect(of('train').size + of('unseen').size).toBe(templates.length);
  for (const split of ['train', 'test', 'unseen'] as const) {
    const intents = tasksOf(split).map((task) => webTask(task).intent);
    expect(new Set(intents).size, split).toBe(intents.length);
  }
});

test('the expert solves a task of every template, and saying nothing solves none', async () => {
  const seen = new Set<string>();
  for (const one of siteTasks()) {
    const { name, sites } = one.template;
    if (seen.has(`${sites.join()} ${name}`)) continue;
    seen.add(`${sites.join()} ${name}`);
    const task = webTask(one, PUBLIC);
    expect(await play(task), `${name}: ${task.intent}`).toBe(1);
    expect(await play(task, 'N/A'), `${name}: ${task.intent}`).toBe(0);
  }
  expect(seen.size).toBe(templates.length);
});

/**
 * Writes which numbers the experts use (src/envs/webarena/sites/tasks/reference-ids.ts) after the sites or their tasks changed, then plays
 * every task by teacher forcing with them. Usage: npx tsx scripts/webarena-references.ts [--check]
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAction } from '../src/envs/webarena/actions/parse.ts';
import { evaluate } from '../src/envs/webarena/evaluators/evaluate.ts';
import { fastBackend } from '../src/envs/webarena/fast/player.ts';
import { planExpert } from '../src/envs/webarena/sites/tasks/expert.ts';
import { planOf, siteTasks, templates, webTask } from '../src/envs/webarena/sites/tasks/index.ts';
import { teacher } from '../src/envs/webarena/tasks/book.ts';
import { PUBLIC } from '../src/envs/webarena/tasks/sites.ts';
import { startUrls, type WebTask } from '../src/envs/webarena/tasks/task.ts';
import type { Expert } from '../src/envs/environment.ts';

const backend = fastBackend();

async function play(task: WebTask, expert: Expert): Promise<{ readonly score: number; readonly ids: readonly string[] }> {
  await using player = await backend.open({ urls: startUrls(task), viewport: { width: 1280, height: 720 }, login: task.sites });
  const ids: string[] = [];
  for (;;) {
    const said = expert.next((await player.see()).text);
    if (said === null) throw new Error(`task ${task.task_id}: the actions end before the task`);
    const parsed = parseAction(said);
    if ('error' in parsed) throw new Error(parsed.error.message);
    const { action } = parsed;
    if (action.kind === 'stop')
      return { ids, score: await evaluate(task, { answer: action.answer, page: player.page, addresses: PUBLIC }) };
    const id = /^(?:click|type) \[(\d+)\]/.exec(said)?.[1];
    if (id !== undefined) ids.push(id);
    await player.act(action);
  }
}

if (!process.argv.includes('--check')) {
  const lines: string[][] = templates.map(() => []);
  for (const one of siteTasks()) {
    const { ids } = await play(webTask(one, PUBLIC), planExpert(planOf(one, PUBLIC)));
    lines[one.templateId]?.push(ids.join('.'));
  }
  const rows = lines.map((ids, at) => `  '${ids.join(' ')}', // ${templates[at]?.name ?? ''}`);
  const head = `/**
 * Numbers of the elements that the experts click and type into, on pages told as \`plain\`: a line per template, an instance after the other.
 * Written by scripts/webarena-references.ts; sites that change make it anew.
 */
export const referenceIds: readonly string[] = [`;
  const file = fileURLToPath(new URL('../src/envs/webarena/sites/tasks/reference-ids.ts', import.meta.url));
  writeFileSync(file, `${head}\n${rows.join('\n')}\n];\n`);
  console.log(`wrote the numbers of ${siteTasks().length} tasks; run again with --check`);
} else {
  let solved = 0;
  for (const one of siteTasks()) {
    const task = webTask(one, PUBLIC);
    const forced = teacher(task);
    if (!forced) throw new Error(`task ${task.task_id} has no reference actions`);
    const { score } = await play(task, forced);
    if (score === 1) solved++;
    else console.log(`task ${task.task_id} (${one.template.name}) scored ${score}`);
  }
  console.log(`teacher forcing solved ${solved} of ${siteTasks().length} tasks`);
}

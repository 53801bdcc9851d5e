/** `agoge play`: a person plays a task in the terminal, with completion, and can keep the episode as a demonstration. */
import type { Command } from '@commander-js/extra-typings';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { AgogeError } from '../../core/error.ts';
import { isPrintable, printable, printableValue } from '../../core/printable.ts';
import { formatTask, parseTask, type TaskRef } from '../../core/task.ts';
import type { Environment } from '../../envs/environment.ts';
import { wrap } from '../../demo/screen.ts';
import { completions, phrasesOf } from '../terminal/complete.ts';
import { interruption } from '../terminal/signals.ts';
import { collect, generatedHelp, givenSettings, serverHelp } from '../options/settings.ts';
import { print, printDrawing, printFile } from '../terminal/print.ts';

const help = `  <action>        play it (Tab completes)
  :goal           the first observation again
  :actions        the actions that are possible now, or the forms they have
  :save <file>    append the episode so far to a JSONL file of demonstrations
  :quit           leave`;

export function register(command: Command): void {
  command
    .argument('<environment>', 'a name, name@http://host:port for one that is served, or your own ./my-env.ts')
    .option(
      '--task <task>',
      "its number in the split, AgentGym's id (textcraft_17), or textcraft/test#17; one at random otherwise",
    )
    .option('--split <split>', 'the split that --task counts in (default: all, where there is one)')
    .option('--save <file>', 'append the episode to this JSONL file of demonstrations when it ends')
    .option('--server <key=value>', serverHelp, collect, [])
    .option('--set <env.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .option('--generated', generatedHelp)
    .addHelpText('after', '\nExamples:\n  agoge play textcraft --task 17\n  agoge play babyai --save demonstrations.jsonl\n')
    .action(async (spec, options) => {
      const stop = interruption();
      await import('../../envs/builtin.ts');
      const { openEnvironment, parseEnvironmentSpec } = await import('../../gym/client/connect.ts');
      const { parseServers } = await import('../../config/recipe/servers.ts');
      const { name } = parseEnvironmentSpec(spec);
      const environment = await openEnvironment(spec, (await givenSettings(options, [name])).get(name), {
        ...parseServers(options.server),
        signal: stop,
      });
      try {
        await play(environment, await taskOf(environment, options.task, options.split), options.save, stop);
      } finally {
        await environment.close?.();
      }
    });
}

async function play(environment: Environment, task: TaskRef, save: string | undefined, stop: AbortSignal): Promise<void> {
  const { itemId, category, title } = environment.tasks(task.split).info(task.index);
  await using episode = await environment.open(task, { signal: stop });
  const { environmentEntries } = await import('../../envs/registry.ts');
  const entry = environmentEntries().find(({ name }) => name === environment.name);
  const [drawing, reading] = await Promise.all([entry?.drawing?.(), entry?.reading?.()]);
  const colour = process.stdout.isTTY;
  const actions = (): readonly string[] => [...new Set(episode.actions ?? [])].filter(isPrintable);
  const draw = (): void => {
    const picture = drawing?.(printableValue(episode.state), { colour });
    if (picture) printDrawing(`\n${picture}\n`);
  };
  const show = (observation: string): void => {
    if (reading) printDrawing(inLines(reading(printable(observation), { colour, actions: actions() })));
    else printFile(inLines(observation));
  };
  const phrases = phrasesOf(episode.observation);
  const verbs = environment.instructions.actions.map(({ template }) => template.replace(/\s*\{.*$/s, ' '));
  const turns: { action: string; observation: string }[] = [];
  let total = 0;
  let success = false;
  const keep = (file: string): void => {
    const record = demonstration(environment, task, episode.observation, turns, { item_id: itemId, reward: total, success });
    appendFileSync(file, `${JSON.stringify(record)}\n`);
    print(`saved to ${file}`);
  };

  printFile(inLines(`${formatTask(task)}  ${itemId}, ${category}${title === undefined ? '' : `: ${title}`}`));
  printFile(inLines(`${environment.instructions.task}\n\n${howToAct(environment)}`));
  draw();
  print('');
  show(episode.observation);
  print('\n:help lists the commands\n');
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: process.stdin.isTTY && process.stdout.isTTY,
    prompt: '> ',
    completer: (line: string) => completions(line, [...actions(), ...verbs], phrases),
  });
  stop.addEventListener('abort', () => terminal.close(), { once: true });
  terminal.on('SIGINT', () => terminal.close());
  terminal.prompt();
  for await (const line of terminal) {
    const [command = '', file = ''] = line.startsWith(':') ? line.split(/\s+/, 2) : [];
    if (command === ':quit' || command === ':q') break;
    if (command === ':goal') show(episode.observation);
    else if (command === ':actions') printFile(inLines(actions().join('\n')) || howToAct(environment));
    else if (command === ':save' && file === '') print('give a file: :save demonstrations.jsonl');
    else if (command === ':save') keep(file);
    else if (command !== '') print(help);
    else {
      const step = await episode.step(line);
      turns.push({ action: line, observation: step.observation });
      for (const phrase of phrasesOf(step.observation)) phrases.add(phrase);
      total += step.reward;
      draw();
      show(step.observation);
      print(`  [turn ${turns.length}, score ${total}]`);
      if (step.done) {
        success = step.success ?? total >= 1;
        print(success ? 'Solved.' : 'Over, not solved.');
        break;
      }
    }
    terminal.prompt();
  }
  terminal.close();
  if (save !== undefined && turns.length > 0) keep(save);
}

/** The forms of the actions with what they do, one below the other. */
function howToAct({ instructions }: Environment): string {
  return instructions.actions
    .map(({ template, description }) => (description === template ? `  ${template}` : `  ${template}   ${description}`))
    .join('\n');
}

/** On a terminal no word is broken at the edge. */
function inLines(text: string): string {
  return process.stdout.isTTY ? wrap(text, process.stdout.columns).join('\n') : text;
}

/** As AgentGym keeps trajectories, with what the episode earned. */
function demonstration(
  environment: Environment,
  task: TaskRef,
  observation: string,
  turns: readonly { action: string; observation: string }[],
  facts: { item_id: string; reward: number; success: boolean },
) {
  const human = (value: string) => ({ from: 'human', loss: null, value });
  const agent = (value: string, loss: boolean) => ({ from: 'gpt', loss, value });
  const conversations = [
    human(environment.instructions.task),
    agent("OK. I'll follow your instructions and try my best to solve the task.", false),
    human(observation),
    ...turns.flatMap(({ action, observation: next }) => [agent(`Thought:\n\n\nAction:\n${action}`, true), human(next)]),
  ];
  return { conversations: conversations.slice(0, -1), ...facts, task: formatTask(task) };
}

async function taskOf(environment: Environment, text: string | undefined, split: string | undefined): Promise<TaskRef> {
  const chosen = split ?? (environment.splits.includes('all') ? 'all' : (environment.splits[0] ?? ''));
  const { size } = environment.tasks(chosen);
  const env = environment.name;
  if (text === undefined) return { env, split: chosen, index: Math.floor(Math.random() * Math.min(size, 1_000_000)) };
  if (/^\d+$/.test(text)) return { env, split: chosen, index: Number(text) };
  if (text.includes('#')) return parseTask(text);
  const { taskOfItem } = await import('../../agent/items.ts');
  try {
    return taskOfItem(environment, text);
  } catch (thrown) {
    if (!(thrown instanceof AgogeError) || thrown.code !== 'ENV_UNKNOWN_TASK' || /_\d+$/.test(text)) throw thrown;
    throw new AgogeError(
      'CLI_USAGE_TASK',
      `there is no task "${text}" in ${env}: give a number, an item id, or ${env}/${chosen}#0`,
    );
  }
}

/**
 * A recipe as a folder that verl trains from on Ray: its tasks as parquet (each prompt ends with the first observation), verl's
 * configuration, the adapter to `agoge serve` (Python, from `adapters/verl`), and a script that starts both.
 */
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { openPrompting } from '../../agent/prompting.ts';
import type { PromptFormat } from '../../agent/format.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { toVerl } from '../../config/verl/to-verl.ts';
import { AgogeError } from '../../core/error.ts';
import { makeFolder } from '../../core/make-folder.ts';
import { formatNamed } from '../../data/formats/formats.ts';
import { abilityOf, interactionKwargs, parseItemId } from '../../data/tasks/items.ts';
import type { DataMessage, TaskRow } from '../../data/rows.ts';
import type { ListedTask } from '../../data/tasks/task-list.ts';
import { RowWriter } from '../../data/write.ts';
import type { Environment } from '../../envs/environment.ts';
import { settleRlAgent } from '../run/agent-setup.ts';
import { openEnvironments } from '../run/open-parts.ts';
import { openDeck, stepsOver, type DeckParts, type TaskDeck } from '../tasks/deck.ts';

export interface VerlExportOptions {
  /** Release of verl: up to 0.7 an interaction, later an agent loop. */
  readonly verl: string;
  /** Address of `agoge serve` for environments that have none in the recipe. */
  readonly url: string;
  readonly model?: string | undefined;
  /** Rows of a file at most. */
  readonly rows: number;
  readonly gpus: number;
  readonly nodes: number;
}

export interface VerlExport {
  readonly train: number;
  readonly test: number;
  readonly environments: readonly string[];
  readonly notes: readonly string[];
}

const adapters = fileURLToPath(new URL('../../../adapters/verl/', import.meta.url));
const readable = ['react', 'direct'];

export async function exportVerl(recipe: RlRecipe, out: string, options: VerlExportOptions): Promise<VerlExport> {
  const folder = resolve(out);
  const model = options.model ?? (recipe.policy.startsWith('hf:') ? recipe.policy.slice(3) : undefined);
  if (model === undefined)
    throw new AgogeError('CONFIG_NOT_IN_VERL', `verl cannot start from ${recipe.policy}: name a Hugging Face model with --model`);
  // Another model than the recipe's policy was not taught its format; chat models reason before they act.
  const agent =
    options.model === undefined ? await settleRlAgent(recipe) : { ...recipe.agent, format: recipe.agent.format ?? 'react' };
  if (!readable.includes(agent.format))
    throw new AgogeError(
      'CONFIG_NOT_IN_VERL',
      `the adapter for verl reads replies in ${readable.join(' and ')}, not ${agent.format}: choose agent.format=react`,
    );
  const { format } = await openPrompting(agent);
  await using environments = await openEnvironments(recipe);
  const parts: DeckParts = { environment: (entry) => environments.open(entry), limits: (name) => environments.limits(name) };
  await makeFolder(folder);
  const decks = await Promise.all(recipe.tasks.map((entry) => openDeck(entry, parts)));
  const steps = stepsOver(recipe, decks);
  const train: ListedTask[] = decks.flatMap((deck) => listed(deck, Math.min(options.rows, steps * recipe.rollout.groups)));
  const panels = await Promise.all(panelsOf(recipe).map((entry) => openDeck(entry, parts).catch(() => undefined)));
  const held = panels.flatMap((deck) => (deck ? listed(deck, recipe.evaluate.tasks ?? 100) : []));
  const { config, notes: lost } = toVerl(recipe, {
    model,
    folder,
    interaction: usesInteraction(options.verl),
    steps,
    gpus: options.gpus,
    nodes: options.nodes,
  });
  const notes = [...lost, ...(held.length > 0 ? [] : ['no tasks to evaluate on: test.parquet holds the first of training'])];
  const loop = usesInteraction(options.verl) ? 'tool_agent' : 'agoge';
  await writeRows(join(folder, 'train.parquet'), train, format, loop);
  await writeRows(join(folder, 'test.parquet'), held.length > 0 ? held : train.slice(0, 100), format, loop);
  const played = [...new Map([...train, ...held].map(({ environment }) => [environment.name, environment])).values()];
  const turns = Array.isArray(agent.max_turns) ? (agent.max_turns.at(-1) ?? 30) : agent.max_turns;
  const settings = (environment: Environment): Record<string, unknown> => ({
    url: addressOf(recipe, environment.name) ?? options.url,
    format: agent.format,
    brackets: environment.instructions.actions.flatMap(({ template }) => /^(\w+)\[\{\w+\}\]$/.exec(template)?.[1] ?? []),
    max_turns: turns,
    tokens_per_turn: agent.tokens_per_turn,
  });
  const wait = { timeout: agent.step_deadline / 1000, wait: agent.wait / 1000 };
  const interaction = played.map((environment) => ({
    name: environment.name,
    class_name: 'agoge_interaction.AgogeInteraction',
    config: { ...settings(environment), ...wait },
  }));
  const each = Object.fromEntries(played.map((environment) => [environment.name, settings(environment)]));
  await writeYaml(join(folder, 'interaction.yaml'), { interaction });
  await writeYaml(join(folder, 'agent_loop.yaml'), [
    { name: 'agoge', _target_: 'agoge_agent_loop.AgogeAgentLoop', environments: each, ...wait },
  ]);
  await writeYaml(join(folder, 'config.yaml'), config);
  for (const name of await readdir(adapters)) if (name.endsWith('.py')) await copyFile(join(adapters, name), join(folder, name));
  const here = played.filter(({ name }) => addressOf(recipe, name) === undefined).map(({ name }) => name);
  await writeFile(join(folder, 'run.sh'), script(recipe, here, options.url), { mode: 0o755 });
  return { train: train.length, test: held.length, environments: played.map(({ name }) => name), notes };
}

function usesInteraction(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  if (major !== 0 || minor === undefined || !Number.isSafeInteger(minor) || minor < 5)
    throw new AgogeError('CLI_USAGE_EXPORT', `"${version}" is no release of verl that is known here: give 0.5 to 0.9`);
  return minor <= 7;
}

function panelsOf({ evaluate, tasks }: RlRecipe): RlRecipe['evaluate']['panels'] {
  if (evaluate.panels.length > 0) return evaluate.panels;
  return tasks.flatMap((entry) => ('file' in entry ? [] : [{ ...entry, split: evaluate.split, from: 0, to: null }]));
}

function addressOf({ tasks }: RlRecipe, env: string): string | undefined {
  return tasks.find((entry) => entry.env === env && entry.url !== null)?.url ?? undefined;
}

function listed(deck: TaskDeck, most: number): ListedTask[] {
  return Array.from({ length: Math.min(deck.size, most) }, (_, position) => deck.at(position));
}

async function writeRows(path: string, tasks: readonly ListedTask[], format: PromptFormat, loop: string): Promise<void> {
  await using writer = await RowWriter.open(path, formatNamed('verl-rl'), { force: true });
  for (const [index, listedTask] of tasks.entries()) await writer.add(await rowOf(listedTask, index, format, loop));
  await writer.finish();
}

async function rowOf({ environment, task }: ListedTask, index: number, format: PromptFormat, loop: string): Promise<TaskRow> {
  await using episode = await environment.open(task);
  const { itemId } = environment.tasks(task.split).info(task.index);
  const item = parseItemId(itemId);
  const number = item.number ?? task.index;
  const { name } = environment;
  return {
    kind: 'task',
    env: name,
    ability: abilityOf(name),
    prompt: withObservation(format.opening(environment.instructions), episode.observation),
    rewardModel: { style: 'interaction', ground_truth: '' },
    extraInfo: {
      index,
      interaction_kwargs: {
        ...interactionKwargs(name, number, 'session_id', item),
        env: task.env,
        split: task.split,
        task: task.index,
      },
    },
    extra: { agent_name: loop },
  };
}

/** Templates want turns to alternate: words of the user before the observation are part of its message. */
function withObservation(opening: readonly { role: DataMessage['role']; text: string }[], observation: string): DataMessage[] {
  const messages = opening.map(({ role, text }): DataMessage => ({ role, content: text }));
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: observation }];
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${observation}` }];
}

async function writeYaml(path: string, value: unknown): Promise<void> {
  await writeFile(path, stringify(value, { lineWidth: 0 }));
}

function script(recipe: RlRecipe, environments: readonly string[], url: string): string {
  const set = recipe.tasks.flatMap((entry) =>
    entry.url === null && entry.env !== null
      ? Object.entries(entry.settings).map(([key, value]) => ` --set ${entry.env ?? ''}.${key}=${String(value)}`)
      : [],
  );
  const { port, hostname } = new URL(url.split(',')[0] ?? url);
  const host = /^(127\.|localhost$|\[::1\])/.test(hostname) ? '' : ' --host 0.0.0.0';
  const serve = `agoge serve ${environments.join(' ')}${host} --port ${port || '36001'}${[...new Set(set)].join('')}`;
  const start =
    environments.length === 0
      ? ''
      : `\n# The environments; on several machines start them where ${url} leads.\n${serve} &\ntrap 'kill %1' EXIT\n`;
  return `#!/usr/bin/env bash
# Trains ${recipe.run} with verl on Ray. Further settings as verl takes them: ./run.sh trainer.nnodes=4
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export PYTHONPATH="$here\${PYTHONPATH:+:$PYTHONPATH}"
${start}
python3 -m verl.trainer.main_ppo --config-path "$here" --config-name config "$@"
`;
}

/**
 * All commands of `agoge`: one file per sub-command in `commands/`, which gives its command arguments, options and an action. Only the
 * commands that are named on the command line are loaded, so that help, the version and completion answer at once.
 */
import { Command } from '@commander-js/extra-typings';
import { version } from './version.ts';

interface Entry {
  readonly name: string;
  readonly description: string;
  readonly hidden?: true;
  load(): Promise<{ register(command: Command): void }>;
}

const entries: readonly Entry[] = [
  {
    name: 'serve',
    description: 'serve environments over HTTP, wire-compatible with AgentGym, or a model behind the OpenAI or the Tinker API',
    load: () => import('./commands/serve/serve.ts'),
  },
  {
    name: 'eval',
    description: 'evaluate policies: success and reward with intervals, per category, paired by task',
    load: () => import('./commands/eval/eval.ts'),
  },
  {
    name: 'compare',
    description: 'compare two evaluations, paired by task; says "not distinguishable" when that is so',
    load: () => import('./commands/compare.ts'),
  },
  {
    name: 'summary',
    description: 'one table over models, checkpoints and seeds, from evaluations and runs: text, CSV and Markdown',
    load: () => import('./commands/summary.ts'),
  },
  {
    name: 'train',
    description: 'train a policy by reinforcement learning: grpo, ppo, rloo, reinforce++, remax, …',
    load: () => import('./commands/training/train.ts'),
  },
  {
    name: 'sweep',
    description:
      'train one recipe over a grid of settings, in parallel; resumable; chooses on validation and ends with one table',
    load: () => import('./commands/sweep.ts'),
  },
  {
    name: 'study',
    description:
      'compare arms over seeds and environments from one plan: gains with intervals over seeds and tasks, equal-compute columns',
    load: () => import('./commands/study.ts'),
  },
  {
    name: 'recipes',
    description: 'list the recipes that ship, or print one to start your own from',
    load: () => import('./commands/recipes.ts'),
  },
  { name: 'config', description: 'work with configuration files', load: () => import('./commands/config.ts') },
  {
    name: 'migrate',
    description: 'bring a recipe or a run of an earlier version into the words of this one, and say what changed',
    load: () => import('./commands/migrate.ts'),
  },
  {
    name: 'sft',
    description: 'train a policy on conversations: AgentGym JSON, JSONL, parquet, or demonstrations played by experts',
    load: () => import('./commands/training/sft.ts'),
  },
  {
    name: 'reward',
    description: 'train a reward model on preference pairs (prompt, chosen, rejected), with Bradley and Terry’s loss',
    load: () => import('./commands/training/reward.ts'),
  },
  {
    name: 'data',
    description: 'convert, inspect, validate and make data: AgentGym JSON, verl parquet, chat JSONL, episodes',
    load: () => import('./commands/data/data.ts'),
  },
  {
    name: 'model',
    description: 'checkpoints of other tools: convert them to Hugging Face folders',
    load: () => import('./commands/model.ts'),
  },
  {
    name: 'export',
    description: 'write a recipe for another trainer: verl on Ray with our environments',
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'view',
    description: 'look at runs in the browser: curves, episodes, evaluations, play; or write a run as one HTML file',
    load: () => import('./commands/view.ts'),
  },
  {
    name: 'docs',
    description: 'read the pages of this version in the browser: guides, tutorial, reference, results; with search',
    load: () => import('./commands/docs.ts'),
  },
  {
    name: 'mcp',
    description: 'offer an environment to MCP clients: its actions are the tools',
    load: () => import('./commands/mcp.ts'),
  },
  { name: 'play', description: 'play a task yourself', load: () => import('./commands/play.ts') },
  {
    name: 'new',
    description:
      'start an environment, an agent, an algorithm, a reward, a format or a policy of your own from a small one that works',
    load: () => import('./commands/new/new.ts'),
  },
  {
    name: 'lint',
    description: 'check the laws that every environment keeps; a broken one comes with a small counter-example',
    load: () => import('./commands/lint.ts'),
  },
  {
    name: 'demo',
    description: 'watch a small policy learn: evaluation, a minute of GRPO on this CPU, evaluation on tasks it never trained on',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'doctor',
    description: 'say what works on this machine and what to do about the rest; or whether a policy can learn an environment',
    load: () => import('./commands/doctor/doctor.ts'),
  },
  {
    name: 'gpu',
    description: 'the card of this machine: what it lacks, and the libraries that the engine needs on it',
    load: () => import('./commands/gpu.ts'),
  },
  {
    name: 'completion',
    description: 'completion for your shell: prints its script, or installs it',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: '__complete',
    description: 'what may stand where the last word is typed',
    hidden: true,
    load: () => import('./commands/complete.ts'),
  },
  { name: 'bench', description: 'measure this machine', load: () => import('./commands/bench.ts') },
  {
    name: 'webarena',
    description: 'the original WebArena’s harness, on its sites or on those that ship',
    load: () => import('./commands/webarena/webarena.ts'),
  },
  {
    name: 'chaos',
    description: 'faults that --chaos puts into train, sft, eval, serve and data sample',
    load: () => import('./commands/chaos.ts'),
  },
];

/** The program, with the commands loaded whose names stand among the words; without words, with all of them. */
export async function openProgram(words?: readonly string[]): Promise<Command> {
  const program = new Command('agoge')
    .description('Reinforcement learning for language-model agents, on one machine, without Python.')
    .version(version)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', '\nExample:\n  agoge demo        a policy learns before your eyes, on this CPU, in a minute\n');
  const named = entries.filter(({ name }) => words?.includes(name) ?? true);
  const loaded = new Map(await Promise.all(named.map(async (entry) => [entry, await entry.load()] as const)));
  for (const entry of entries) {
    const command = program.command(entry.name, { hidden: entry.hidden ?? false }).description(entry.description);
    loaded.get(entry)?.register(command);
  }
  return program;
}

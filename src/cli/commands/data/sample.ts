/** `agoge data sample` and `agoge data demonstrate`: policies and experts play, and what is worth keeping is written. */
import type { Command } from '@commander-js/extra-typings';
import { collect, generatedHelp, serverHelp } from '../../options/settings.ts';
import { oneOf, onOff, prices, real, whole } from '../../options/values.ts';
import { chaosHelp, sampleUnderChaos } from '../chaos.ts';
import { demonstrations } from './demonstrations.ts';
import { formats } from './formats.ts';

export function registerSample(data: Command): void {
  data
    .command('sample')
    .description('let a policy play tasks and keep the trajectories worth keeping (rejection sampling)')
    .argument('<environment>', 'textcraft, webshop@http://host:36001, ./my-env.ts, …')
    .requiredOption('--policy <name>', 'base, run:<dir>, hf:<folder>, openai:<model>@<url>, expert, random')
    .requiredOption('--out <file>', 'output: .jsonl (sampling, with a summary beside it), .json (agenttraj), .parquet (verl-sft)')
    .option('--to <format>', 'format of the output (default: by its extension; chat for messages)', oneOf(...formats))
    .option('--split <name>', 'split of the tasks', 'train')
    .option('--tasks <ranges>', 'which tasks: 0-99, 3,7,20-29, or a file of rows or item ids (default: all)')
    .option('--interactions <file>', "verl's interaction file: servers and time-outs by name")
    .option('--count <tasks>', 'at most so many tasks', whole(1))
    .option('--strict', 'refuse a file with rows whose task does not exist (default: they are passed over and counted)')
    .option('--samples <number>', 'plays of each task', whole(1), 1)
    .option('--keep <which>', 'success, best (of each task), or all', oneOf('success', 'best', 'all'), 'success')
    .option('--min-reward <number>', 'keep what earned at least this', real())
    .option(
      '--reward <name>',
      'what is paid for: a score, ./my-reward.ts, or a recipe with reward: (default: what the environment pays)',
    )
    .option(
      '--format <name>',
      'prompt format: react, direct, adapt, adapt-last, … (default: what a checkpoint was taught, else react)',
    )
    .option('--turns <number>', 'replies per episode', whole(1), 30)
    .option('--max-tokens <number>', 'tokens per reply', whole(1), 512)
    .option('--temperature <number>', 'sampling temperature', real(0), 1)
    .option('--top-p <number>', 'nucleus sampling', real(0, 1))
    .option('--top-k <number>', 'sample from the k likeliest tokens', whole(1))
    .option('--few-shot', "put the environment's worked example into the prompt")
    .option(
      '--prompt <file>',
      'your own prompt; may use {{task}}, {{actions}}, {{example}}; or `row`: what the rows of a file say',
    )
    .option('--thinking <on|off>', 'ask for replies with or without thinking', onOff)
    .option('--chat-template <file>', "a Jinja chat template in place of the model's own, or `plain`")
    .option('--timeout <seconds>', 'for one request to an endpoint', real(0.001))
    .option('--price <in,out>', 'dollars per million tokens of an endpoint, to count the cost', prices)
    .option(
      '--tokenizer <folder>',
      "the served model's, a folder or hf:owner/name: endpoints (vLLM, SGLang, agoge serve) get and give token ids, kept with log-probabilities",
    )
    .option('--budget <dollars>', 'stop asking an endpoint when so much is spent (needs --price)', real(0))
    .option('--concurrency <number>', 'episodes at once (endpoints: 16)', whole(1))
    .option('--seed <number>', 'seed of the sampling, where the policy takes one', whole(0), 1)
    .option('--set <env.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .option('--generated', generatedHelp)
    .option('--server <key=value>', serverHelp, collect, [])
    .option('--force', 'replace an output that exists')
    .option('--chaos <seed[:profile]>', chaosHelp)
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge data sample textcraft --policy base --format direct --samples 8 --out solved.jsonl
  agoge data sample textcraft --policy openai:qwen3@http://127.0.0.1:8000/v1 --keep best --samples 4 --out best.parquet
  agoge data sample textcraft --policy openai:my-model --format adapt --price 0.15,0.60 --budget 5 --out sampled.jsonl

Interrupted, failed episodes or a spent budget: the same command again goes on with what is missing.
`,
    )
    .action(async (environment, options) => {
      if (options.chaos !== undefined) return sampleUnderChaos(options.chaos, options);
      await demonstrations({ ...options, environment });
    });
}

export function registerDemonstrate(data: Command): void {
  data
    .command('demonstrate')
    .description("let an environment's expert play tasks: demonstrations for agoge sft")
    .argument('<environment>', 'textcraft, babyai, ./my-env.ts, …')
    .requiredOption('--out <file>', 'output: .json (agenttraj), .jsonl (chat), .parquet (verl-sft)')
    .option('--to <format>', 'format of the output (default: by its extension)', oneOf(...formats))
    .option('--split <name>', 'split of the tasks', 'train')
    .option('--tasks <ranges>', 'which tasks: 0-99 or 3,7,20-29 (default: all)')
    .option('--count <tasks>', 'at most so many tasks (needed for endless splits)', whole(1))
    .option('--format <name>', 'prompt format: react, direct, adapt, adapt-last, …', 'react')
    .option('--turns <number>', 'replies per episode', whole(1), 100)
    .option('--set <env.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .option('--server <key=value>', serverHelp, collect, [])
    .option('--force', 'replace an output that exists')
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge data demonstrate textcraft --out textcraft.json
  agoge data demonstrate textcraft --split generated --count 20000 --format direct --set textcraft.expert=stack --out worlds.jsonl
`,
    )
    .action(async (environment, options) => {
      await demonstrations({
        ...options,
        environment,
        policy: 'expert',
        keep: 'success',
      });
    });
}

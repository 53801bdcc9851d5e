/** `agoge data`: AgentGym's files, verl's parquet, chat JSONL and our own episodes, in and out. */
import type { Command } from '@commander-js/extra-typings';
import type { FormatName } from '../../../data/formats/format.ts';
import type { Row } from '../../../data/rows.ts';
import { bigints, describeInspection, describeTransfer, describeValidation, Progress } from './print.ts';
import { chaosHelp, sampleUnderChaos } from '../chaos.ts';
import { interruption } from '../../terminal/signals.ts';
import { collect, generatedHelp, serverHelp } from '../../options/settings.ts';
import { registerImport } from './import.ts';
import { demonstrations, environments, tokenCounter } from './open.ts';
import { print, printJson } from '../../terminal/print.ts';
import { oneOf, onOff, prices, real, whole } from '../../options/values.ts';

const formats = [
  'agenttraj',
  'ids',
  'sampling',
  'chat',
  'verl-sft',
  'verl-rl',
  'episodes',
] as const satisfies readonly FormatName[];
const FORMATS = formats.join(', ');

export function register(data: Command): void {
  data.addHelpText(
    'after',
    `
Formats (recognised by content): ${FORMATS}
Examples:
  agoge data inspect AgentTraj-L/textcraft_train.json
  agoge data convert AgentGym-RL-Data/train/webshop_train.json webshop.parquet
  agoge data demonstrate textcraft --split train --out demonstrations.json
  agoge data import traces.jsonl --reward ./reward.ts --out support
`,
  );
  registerConvert(data);
  registerInspect(data);
  registerValidate(data);
  registerSample(data);
  registerDemonstrate(data);
  registerSplit(data);
  registerDedupe(data);
  registerImport(data);
  for (const command of data.commands) command.exitOverride();
}

function registerConvert(data: Command): void {
  data
    .command('convert')
    .description('convert files or a folder; the input format is recognised, the output follows --to or its extension')
    .argument('<paths...>', 'inputs (files, or one folder) and, last, the output (a file, or a folder for a folder)')
    .option('--from <format>', `read as this format: ${FORMATS}`, oneOf(...formats))
    .option('--to <format>', 'write this format (default: by the extension of the output)', oneOf(...formats))
    .option(
      '--opening <how>',
      'start of conversations: auto, keep, system (first message becomes the system message), agentgym',
      oneOf('auto', 'keep', 'system', 'agentgym'),
      'auto',
    )
    .option('--env <name>', 'environment of tasks whose ids do not say it')
    .option(
      '--prompt <form>',
      'prompt of verl RL rows: auto, system, system+user',
      oneOf('auto', 'system', 'system+user'),
      'auto',
    )
    .option(
      '--keys <which>',
      "verl's interaction_kwargs: both, session_id, or own (the environment's own key)",
      oneOf('both', 'session_id', 'own'),
      'both',
    )
    .option('--success-only', 'keep only solved conversations with at least two messages')
    .option('--min-reward <number>', 'keep only conversations with at least this reward', real())
    .option('--limit <rows>', 'write at most so many rows', whole(0))
    .option('--skip-bad', 'leave out rows that cannot be read, and count them')
    .option('--force', 'replace outputs that exist')
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge data convert AgentGym-RL-Data/train/textcraft_train.json train.parquet          item ids → verl RL rows
  agoge data convert AgentTraj-L/textcraft_train.json sft.parquet                       trajectories → verl SFT rows
  agoge data convert Sampling/textcraft.jsonl sft.parquet --success-only                solved samples → verl SFT rows
  agoge data convert AgentGym-RL-Data/train Verl-Data/train                             a folder, file by file
`,
    )
    .action(async (paths, options) => {
      const { AgogeError } = await import('../../../core/error.ts');
      const output = paths.at(-1);
      const inputs = paths.slice(0, -1);
      if (output === undefined || inputs.length === 0) {
        throw new AgogeError('CLI_USAGE_CONVERT', 'name the input and then the output: agoge data convert in.json out.parquet');
      }
      const [{ transfer }, { rowPrompt }] = await Promise.all([
        import('../../../data/transfer.ts'),
        import('../../../data/tasks/prompts.ts'),
      ]);
      const load = await environments({ set: [] });
      const progress = Progress.start(options.json === true);
      let bad = 0;
      const reports = await transfer(inputs, output, {
        from: options.from,
        to: options.to,
        opening: options.opening,
        env: options.env,
        prompt: async (env) => {
          const known = load.names.includes(env) ? await load.instructions(env) : undefined;
          return rowPrompt(env, known, options.prompt);
        },
        keys: options.keys,
        filter: rowFilter(options.successOnly === true, options.minReward),
        limit: options.limit,
        force: options.force,
        ...(options.skipBad ? { onBadRow: () => bad++ } : {}),
        onShare: (file, share) => progress.update(share, file),
        signal: interruption(),
      }).finally(() => progress.stop());
      if (options.json) printJson({ bad, files: reports });
      else {
        for (const report of reports) print(describeTransfer(report));
        if (bad > 0) print(`left out ${bad} rows that cannot be read`);
      }
    });
}

function registerInspect(data: Command): void {
  data
    .command('inspect')
    .description('what is in files: format, counts, roles, lengths, categories, three rows, problems')
    .argument('<paths...>', 'files or folders')
    .option('--policy <name>', 'count lengths in tokens of this policy (base, run:…, hf:…)')
    .option('--samples <rows>', 'how many rows to show', whole(0), 3)
    .option('--json', 'report as JSON')
    .addHelpText('after', '\nExample:\n  agoge data inspect AgentTraj-L/textcraft_train.json --policy base\n')
    .action(async (paths, options) => {
      const [{ dataFiles }, { inspectFile }, { formatNamed }] = await Promise.all([
        import('../../../data/read.ts'),
        import('../../../data/inspect.ts'),
        import('../../../data/formats/formats.ts'),
      ]);
      await using counter = await tokenCounter(options.policy);
      const category = (await environments({ set: [] })).categories();
      const signal = interruption();
      for (const file of await dataFiles(paths)) {
        const progress = Progress.start(options.json === true);
        const found = await inspectFile(file, {
          count: counter.count,
          category: await category(file),
          samples: options.samples,
          onShare: (share) => progress.update(share, file),
          signal,
        }).finally(() => progress.stop());
        const title = found.format === undefined ? 'no rows' : formatNamed(found.format).title;
        if (options.json) printJson(found, bigints);
        else print(describeInspection(found, title));
      }
    });
}

function registerValidate(data: Command): void {
  data
    .command('validate')
    .description('check every row: is it readable, does its task exist, does it replay with the recorded answers and reward')
    .argument('<paths...>', 'files or folders')
    .option(
      '--set <env.key=value>',
      'a setting of an environment, such as webshop.products=products_1k.json (repeatable)',
      collect,
      [],
    )
    .option('--generated', generatedHelp)
    .option(
      '--env <environment>',
      'an environment of your own that rows come from: ./my-env.ts or a package (repeatable)',
      collect,
      [],
    )
    .option(
      '--reader <name>',
      'how replies are read: auto (as they replay), 2024, 2025, adapt (first command), adapt-last (last line), direct, anywhere, interaction, first-action',
      oneOf('auto', '2024', '2025', 'adapt', 'adapt-last', 'direct', 'anywhere', 'interaction', 'first-action'),
      'auto',
    )
    .option('--fix <folder>', 'write good rows (wrong labels put right) and bad rows into this folder')
    .option('--show <rows>', 'how many bad rows to print', whole(0), 20)
    .option('--force', 'replace outputs that exist')
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  agoge data validate AgentTraj-L/textcraft_train.json\n  agoge data validate sampled.jsonl --fix checked\n',
    )
    .action(async (paths, options) => {
      const [{ dataFiles }, { validateFile }, path] = await Promise.all([
        import('../../../data/read.ts'),
        import('../../../data/validate.ts'),
        import('node:path'),
      ]);
      const { load } = await environments(options, options.env);
      const signal = interruption();
      let problems = 0;
      for (const file of await dataFiles(paths)) {
        const progress = Progress.start(options.json === true);
        const name = path.basename(file);
        const report = await validateFile(file, {
          load,
          reader: options.reader,
          ...(options.fix === undefined
            ? {}
            : {
                fix: {
                  good: path.join(options.fix, name),
                  bad: path.join(options.fix, `${name}.bad.jsonl`),
                  force: options.force,
                },
              }),
          onShare: (share) => progress.update(share, file),
          signal,
        }).finally(() => progress.stop());
        problems += report.problems.length;
        if (options.json) printJson(report);
        else print(describeValidation(report, options.show));
      }
      if (problems > 0 && options.fix === undefined) process.exitCode = 1;
    });
}

function registerSample(data: Command): void {
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

function registerDemonstrate(data: Command): void {
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

function registerSplit(data: Command): void {
  data
    .command('split')
    .description('split a file at random, exactly and repeatably, into two of the same format')
    .argument('<file>', 'the file')
    .argument('<first>', 'output with most of the rows')
    .argument('<second>', 'output with the share that is held out')
    .option('--share <number>', 'share of rows for the second output', real(0, 1), 0.1)
    .option('--seed <number>', 'seed of the shuffle', whole(0), 42)
    .option('--by-item', 'keep rows of the same item together, so that no task is on both sides')
    .option('--force', 'replace outputs that exist')
    .option('--json', 'report as JSON')
    .addHelpText('after', '\nExample:\n  agoge data split sft.parquet train_split.parquet val_split.parquet --share 0.1\n')
    .action(async (file, first, second, options) => {
      const [{ planSplit }, { formatOf }, { writeSelected }] = await Promise.all([
        import('../../../data/select.ts'),
        import('../../../data/transfer.ts'),
        import('../../../data/selected.ts'),
      ]);
      const format = await formatOf(file);
      const plan = await planSplit(file, options.share, options.seed, options.byItem === true);
      const outputs = [
        { path: first, takes: (number: number) => !plan.isHeld(number) },
        { path: second, takes: (number: number) => plan.isHeld(number) },
      ];
      const written = await writeSelected(file, format, outputs, { force: options.force, signal: interruption() });
      const report = { rows: plan.rows, outputs: outputs.map(({ path }, at) => ({ path, rows: written[at] ?? 0 })) };
      if (options.json) printJson(report);
      else print(report.outputs.map(({ path, rows }) => `wrote ${path}: ${rows} of ${plan.rows} rows`).join('\n'));
    });
}

function registerDedupe(data: Command): void {
  data
    .command('dedupe')
    .description('keep one of rows that say the same, or one row of each item')
    .argument('<file>', 'the file')
    .argument('<output>', 'output in the same format')
    .option(
      '--by <what>',
      'words (same messages), item (first of each item), best (highest reward of each item)',
      oneOf('words', 'item', 'best'),
      'words',
    )
    .option('--force', 'replace an output that exists')
    .option('--json', 'report as JSON')
    .addHelpText('after', '\nExample:\n  agoge data dedupe sampled.jsonl best.jsonl --by best\n')
    .action(async (file, output, options) => {
      const [{ planDedupe }, { formatOf }, { writeSelected }] = await Promise.all([
        import('../../../data/select.ts'),
        import('../../../data/transfer.ts'),
        import('../../../data/selected.ts'),
      ]);
      const format = await formatOf(file);
      const { rows, keep } = await planDedupe(file, options.by);
      const outputs = [{ path: output, takes: (number: number) => keep.has(number) }];
      const [written = 0] = await writeSelected(file, format, outputs, { force: options.force, signal: interruption() });
      if (options.json) printJson({ rows, written, output });
      else print(`wrote ${output}: ${written} of ${rows} rows`);
    });
}

function rowFilter(successOnly: boolean, minReward: number | undefined): ((row: Row) => boolean) | undefined {
  if (!successOnly && minReward === undefined) return undefined;
  return (row) => {
    if (row.kind !== 'conversation') return true;
    if (minReward !== undefined && !((row.reward ?? -Infinity) >= minReward)) return false;
    return !successOnly || ((row.success ?? (row.reward ?? 0) >= 1) && row.messages.length >= 2);
  };
}

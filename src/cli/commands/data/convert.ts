/** `agoge data convert`: files from one format into another. */
import type { Command } from '@commander-js/extra-typings';
import type { Row } from '../../../data/rows.ts';
import { oneOf, real, whole } from '../../options/values.ts';
import { print, printJson } from '../../terminal/print.ts';
import { interruption } from '../../terminal/signals.ts';
import { FORMATS, formats } from './formats.ts';
import { environments } from './open.ts';
import { describeTransfer, Progress } from './print.ts';

export function registerConvert(data: Command): void {
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

function rowFilter(successOnly: boolean, minReward: number | undefined): ((row: Row) => boolean) | undefined {
  if (!successOnly && minReward === undefined) return undefined;
  return (row) => {
    if (row.kind !== 'conversation') return true;
    if (minReward !== undefined && !((row.reward ?? -Infinity) >= minReward)) return false;
    return !successOnly || ((row.success ?? (row.reward !== undefined && row.reward >= 1)) && row.messages.length >= 2);
  };
}

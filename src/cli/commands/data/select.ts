/** `agoge data split` and `agoge data dedupe`: some of the rows of a file, in its own format. */
import type { Command } from '@commander-js/extra-typings';
import { oneOf, real, whole } from '../../options/values.ts';
import { print, printJson } from '../../terminal/print.ts';
import { interruption } from '../../terminal/signals.ts';

export function registerSplit(data: Command): void {
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
      const report = { rows: plan.rows, outputs: outputs.map(({ path }, at) => ({ path, rows: written[at] })) };
      if (options.json) printJson(report);
      else print(report.outputs.map(({ path, rows }) => `wrote ${path}: ${rows} of ${plan.rows} rows`).join('\n'));
    });
}

export function registerDedupe(data: Command): void {
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

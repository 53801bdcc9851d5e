/** `agoge summary`: one table over models, checkpoints and seeds, from any number of evaluations and runs. */
import type { Command } from '@commander-js/extra-typings';
import { print, printJson } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .argument(
      '<folders...>',
      'folders of evaluations (agoge eval), runs (agoge train, sft), and results of others (eval_results_….jsonl)',
    )
    .option('-o, --out <base>', 'write <base>.txt, <base>.csv and <base>.md')
    .option('--json', 'print the rows as JSON')
    .addHelpText('after', '\nExample:\n  agoge summary outputs/eval-* outputs/textcraft-sft --out results/summary\n')
    .action(async (folders, options) => {
      const [{ summaryRows, writeSummary }, { summaryText }] = await Promise.all([
        import('../../eval/summary-files.ts'),
        import('../../eval/summary.ts'),
      ]);
      const rows = (await Promise.all(folders.map(summaryRows))).flat();
      const files = options.out === undefined ? [] : await writeSummary(options.out, rows);
      if (options.json === true) printJson(rows);
      else print([summaryText(rows).trimEnd(), ...files.map((file) => `wrote ${file}`)].join('\n'));
    });
}

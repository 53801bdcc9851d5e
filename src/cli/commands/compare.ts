/** `agoge compare`: two policies on one panel, paired by task. */
import type { Command } from '@commander-js/extra-typings';
import { print, printJson } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .argument('<a>', 'folder of an evaluation; folder#policy where it has several')
    .argument('<b>', 'the other one')
    .option('--json', 'print the comparison as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge compare outputs/eval-before outputs/eval-after
  agoge compare outputs/eval-1a2b3c4d#base outputs/eval-1a2b3c4d#run:outputs/textcraft-grpo@step_40
`,
    )
    .action(async (a, b, options) => {
      const [{ compareFolders }, { comparisonText }] = await Promise.all([
        import('../../eval/read.ts'),
        import('../../eval/table.ts'),
      ]);
      const comparisons = await compareFolders(a, b);
      if (options.json === true) printJson(comparisons);
      else print(comparisons.map(comparisonText).join('\n\n'));
    });
}

/** `agoge export`: a recipe for an engine that is not ours. */
import type { Command } from '@commander-js/extra-typings';
import { print, printJson } from '../terminal/print.ts';
import { whole } from '../options/values.ts';

export function register(exporting: Command): void {
  exporting.addHelpText(
    'after',
    '\nExample:\n  agoge export verl recipes/textcraft-grpo.yaml --out textcraft-verl --model Qwen/Qwen3-1.7B\n',
  );
  exporting
    .command('verl')
    .description('write what verl reads: parquet, configuration, the adapter to `agoge serve`, and the script that runs it')
    .argument('<recipe>', 'a recipe of agoge train')
    .argument('[overrides...]', 'settings as key=value, as for agoge train')
    .requiredOption('-o, --out <folder>', 'where to write')
    .option('--model <model>', 'Hugging Face folder or name (default: the policy of the recipe, if it is hf:…)')
    .option('--verl <version>', 'release of verl: up to 0.7 an interaction is used, later an agent loop', '0.9')
    .option(
      '--url <address>',
      'where `agoge serve` will listen, seen from the workers; several with commas',
      'http://127.0.0.1:36001',
    )
    .option('--rows <n>', 'tasks of an endless or large split at most', whole(1, 10_000_000), 10_000)
    .option('--gpus <n>', 'GPUs per machine', whole(1, 1024), 8)
    .option('--nodes <n>', 'machines', whole(1, 10_000), 1)
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge export verl recipes/textcraft-grpo.yaml --out textcraft-verl --model Qwen/Qwen3-1.7B agent.format=react
  textcraft-verl/run.sh trainer.n_gpus_per_node=4
  agoge model convert textcraft-verl/checkpoints my-model
`,
    )
    .action(async (path, overrides, { out, json, ...options }) => {
      const [{ readRlRecipe }, { exportVerl }] = await Promise.all([
        import('../../config/recipe/read-recipe.ts'),
        import('../../train/rl/verl-export.ts'),
      ]);
      await import('../../envs/builtin.ts');
      const report = await exportVerl(await readRlRecipe(path, overrides), out, options);
      if (json === true) {
        printJson(report);
        return;
      }
      print(
        [
          `${out}: ${String(report.train)} tasks to train on, ${String(report.test)} to evaluate on (${report.environments.join(', ')})`,
          ...report.notes.map((note) => `not carried over: ${note}`),
          `start it where verl is installed: ${out}/run.sh`,
        ].join('\n'),
      );
    });
  for (const command of exporting.commands) command.exitOverride();
}

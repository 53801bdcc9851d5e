/** `agoge sft`: supervised training on conversations from files or on experts' demonstrations. */
import type { Command } from '@commander-js/extra-typings';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { noViewHelp, showTraining, viewHelp } from './dashboard.ts';
import { interruption } from './signals.ts';
import { finishRun, progressEvents } from './training-progress.ts';
import { print, printJson } from './print.ts';

export function register(program: Command): void {
  program
    .command('sft')
    .description('train a policy on conversations: AgentGym JSON, JSONL, parquet, or demonstrations played by experts')
    .argument('[recipe]', 'a YAML file, or the name of a recipe that ships: textcraft-imitation (see agoge recipes)')
    .argument('[overrides...]', 'key.sub=value, as in Hydra: optimizer.lr=3e-4 data.train=my.jsonl')
    .option('--resume <run>', 'go on with a run from its latest checkpoint; overrides may make it longer: steps=60')
    .option('--dry-run', 'print the resolved recipe, then end')
    .option('--view', viewHelp)
    .option('--no-view', noViewHelp)
    .option('--json', 'print one JSON line per log entry')
    .addHelpText(
      'after',
      `
Examples:
  agoge sft recipes/base.yaml                            a fresh model learns from experts
  agoge sft recipes/textcraft-sft.yaml data.train=demos.jsonl
  agoge sft --resume outputs/base
`,
    )
    .action(async (path, overrides, options) => {
      const json = options.json === true;
      const { startSft, resumeRun } = await import('../train/start-run.ts');
      if (options.resume !== undefined) {
        const changes = [...(path === undefined ? [] : [path]), ...overrides];
        if (path !== undefined && !path.includes('='))
          throw new AgogeError('CLI_USAGE_SFT', 'a resumed run keeps its recipe: give either --resume or a recipe');
        const signal = interruption();
        await using _ = await showTraining(options.resume, 'outputs', options);
        await finishRun(await resumeRun(options.resume, { signal, events: progressEvents(json) }, changes), json, 'sft');
        return;
      }
      if (path === undefined)
        throw new AgogeError('CLI_USAGE_SFT', 'nothing to train: give a recipe, for example recipes/base.yaml');
      const { readSftRecipe, formatRecipe } = await import('../config/recipe.ts');
      const recipe = await readSftRecipe(path, overrides);
      if (options.dryRun === true) {
        if (json) printJson(recipe);
        else print(formatRecipe(recipe).trimEnd());
        return;
      }
      const signal = interruption();
      await using _ = await showTraining(join(recipe.output, recipe.run), recipe.output, options);
      await finishRun(await startSft(recipe, { signal, events: progressEvents(json) }), json, 'sft');
    });
}

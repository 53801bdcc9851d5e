/** `agoge reward`: a reward model from preference pairs. */
import type { Command } from '@commander-js/extra-typings';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { noViewHelp, showTraining, viewHelp } from './dashboard.ts';
import { interruption } from './signals.ts';
import { finishRun, progressEvents } from './training-progress.ts';
import { print, printJson } from './print.ts';

export function register(program: Command): void {
  program
    .command('reward')
    .description('train a reward model on preference pairs (prompt, chosen, rejected), with Bradley and Terry’s loss')
    .argument('[recipe]', 'a YAML file, or the name of a recipe that ships: reward-model (see agoge recipes)')
    .argument('[overrides...]', 'key.sub=value, as in Hydra: pairs.train=pairs.jsonl policy=hf:Qwen3-0.6B')
    .option('--resume <run>', 'go on with a run from its latest checkpoint; overrides may make it longer: steps=600')
    .option('--dry-run', 'print the resolved recipe, then end')
    .option('--view', viewHelp)
    .option('--no-view', noViewHelp)
    .option('--json', 'print one JSON line per log entry')
    .addHelpText(
      'after',
      `
Examples:
  agoge reward recipes/reward-model.yaml                          generated pairs, in a few minutes
  agoge reward reward-model pairs.source=files pairs.train=pairs.jsonl policy=hf:my-model
  agoge train data-grpo 'reward={parts: [{use: reward_model, model: run:outputs/reward-model}]}'
  agoge serve --model run:outputs/reward-model                    /classify, as vLLM serves one
`,
    )
    .action(async (path, overrides, options) => {
      const json = options.json === true;
      const { startReward, resumeRun } = await import('../train/start-run.ts');
      if (options.resume !== undefined) {
        const changes = [...(path === undefined ? [] : [path]), ...overrides];
        if (path !== undefined && !path.includes('='))
          throw new AgogeError('CLI_USAGE_REWARD', 'a resumed run keeps its recipe: give either --resume or a recipe');
        const signal = interruption();
        await using _ = await showTraining(options.resume, 'outputs', options);
        await finishRun(await resumeRun(options.resume, { signal, events: progressEvents(json) }, changes), json, 'reward');
        return;
      }
      if (path === undefined)
        throw new AgogeError('CLI_USAGE_REWARD', 'nothing to train: give a recipe, for example recipes/reward-model.yaml');
      const { readRewardModelRecipe, formatRecipe } = await import('../config/recipe.ts');
      const recipe = await readRewardModelRecipe(path, overrides);
      if (options.dryRun === true) {
        if (json) printJson(recipe);
        else print(formatRecipe(recipe).trimEnd());
        return;
      }
      const signal = interruption();
      await using _ = await showTraining(join(recipe.output, recipe.run), recipe.output, options);
      await finishRun(await startReward(recipe, { signal, events: progressEvents(json) }), json, 'reward');
    });
}

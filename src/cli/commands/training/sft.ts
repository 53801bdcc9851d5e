/** `agoge sft`: supervised training on conversations from files or on experts' demonstrations. */
import type { Command } from '@commander-js/extra-typings';
import type { SftRecipe } from '../../../config/recipe/sft-recipe.ts';
import { chaosHelp } from '../chaos.ts';
import { deviceHelp, deviceName, deviceOverride } from '../../options/device.ts';
import { noViewHelp, viewHelp } from '../../terminal/dashboard.ts';
import { runTraining, type TrainingKind } from './training-run.ts';

const imitation: TrainingKind<SftRecipe> = {
  command: 'sft',
  usage: 'CLI_USAGE_SFT',
  example: 'recipes/base.yaml',
  read: async (path, overrides) => ({
    recipe: await (await import('../../../config/recipe/read-recipe.ts')).readSftRecipe(path, overrides),
  }),
  explain: async (recipe) => (await import('../../../config/recipe/recipe.ts')).formatRecipe(recipe).trimEnd(),
  start: async (recipe, options) => (await import('../../../train/sft/start.ts')).startSft(recipe, options),
};

export function register(command: Command): void {
  command
    .argument('[recipe]', 'a YAML file, or the name of a recipe that ships: textcraft-imitation (see agoge recipes)')
    .argument('[overrides...]', 'key.sub=value, as in Hydra: optimizer.lr=3e-4 data.train=my.jsonl')
    .option('--resume <run>', 'go on with a run from its latest checkpoint; overrides may make it longer: steps=60')
    .option('--dry-run', 'print the resolved recipe, then end')
    .option('--device <name>', `${deviceHelp}; the same as engine.device=`, deviceName)
    .option('--chaos <seed[:profile]>', chaosHelp)
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
    .action((path, overrides, options) =>
      runTraining(imitation, path, [...overrides, ...deviceOverride(options.device)], options),
    );
}

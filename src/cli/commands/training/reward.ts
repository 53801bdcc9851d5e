/** `agoge reward`: a reward model from preference pairs. */
import type { Command } from '@commander-js/extra-typings';
import type { RewardModelRecipe } from '../../../config/recipe/reward-model-recipe.ts';
import { noViewHelp, viewHelp } from '../../terminal/dashboard.ts';
import { runTraining, type TrainingKind } from './training-run.ts';

const rewardModel: TrainingKind<RewardModelRecipe> = {
  command: 'reward',
  usage: 'CLI_USAGE_REWARD',
  example: 'recipes/reward-model.yaml',
  read: async (path, overrides) => ({
    recipe: await (await import('../../../config/recipe/read-recipe.ts')).readRewardModelRecipe(path, overrides),
  }),
  explain: async (recipe) => (await import('../../../config/recipe/recipe.ts')).formatRecipe(recipe).trimEnd(),
  start: async (recipe, options) => (await import('../../../train/reward/start.ts')).startReward(recipe, options),
};

export function register(command: Command): void {
  command
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
    .action((path, overrides, options) => runTraining(rewardModel, path, overrides, options));
}

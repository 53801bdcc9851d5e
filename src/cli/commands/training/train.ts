/** `agoge train`: reinforcement learning from a recipe; resumes with --resume, explains itself with --dry-run. */
import type { Command } from '@commander-js/extra-typings';
import type { RlRecipe } from '../../../config/recipe/rl-recipe.ts';
import { chaosHelp } from '../chaos.ts';
import { deviceHelp, deviceName, deviceOverride } from '../../options/device.ts';
import { noViewHelp, viewHelp } from '../../terminal/dashboard.ts';
import { runTraining, type TrainingKind } from './training-run.ts';

const reinforcement: TrainingKind<RlRecipe> = {
  command: 'train',
  usage: 'CLI_USAGE_TRAIN',
  example: 'recipes/textcraft-grpo.yaml',
  read: async (path, overrides) => (await import('../../../config/recipe/read-recipe.ts')).readRlRecipeWithNotes(path, overrides),
  explain: async (recipe, notes) => {
    const { formatRecipe } = await import('../../../config/recipe/recipe.ts');
    return [formatRecipe(recipe), await needs(recipe), ...notes.map((note) => `# Note: ${note}`)].join('\n');
  },
  start: async (recipe, options) => (await import('../../../train/rl/start.ts')).startRl(recipe, options),
};

export function register(command: Command): void {
  command
    .argument('[recipe]', 'a YAML file, or the name of a recipe that ships: textcraft-grpo (see agoge recipes)')
    .argument('[overrides...]', 'key.sub=value, as in Hydra: rollout.groups=16 agent.max_turns=[10,20,30]')
    .option('--resume <run>', 'go on with a run from its latest checkpoint; overrides may make it longer: steps=60')
    .option('--dry-run', 'print the resolved recipe and what it will need, then end')
    .option('--device <name>', `${deviceHelp}; the same as engine.device=`, deviceName)
    .option('--chaos <seed[:profile]>', chaosHelp)
    .option('--view', viewHelp)
    .option('--no-view', noViewHelp)
    .option('--json', 'print one JSON line per step')
    .addHelpText(
      'after',
      `
Examples:
  agoge train recipes/textcraft-grpo.yaml
  agoge train recipes/textcraft-grpo.yaml run=my-run steps=50 optimizer.lr=3e-5
  agoge train recipes/textcraft-grpo.yaml --dry-run
  agoge train --resume outputs/textcraft-grpo
  agoge train --resume outputs/textcraft-grpo steps=200          a finished run goes on
`,
    )
    .action((path, overrides, options) =>
      runTraining(reinforcement, path, [...overrides, ...deviceOverride(options.device)], options),
    );
}

/** What a run will need, in words. */
async function needs(recipe: RlRecipe): Promise<string> {
  const { openEnvironments, deckParts, weightsOf } = await import('../../../train/run/open-parts.ts');
  const { openDeck } = await import('../../../train/tasks/deck.ts');
  const { enginesOf, rewardModelsOf } = await import('../../../train/rl/engines.ts');
  await using environments = await openEnvironments(recipe);
  const models = rewardModelsOf(recipe).map((model) => `${model} for the reward`);
  const engines = [...enginesOf(recipe), ...models];
  const decks = await Promise.all(recipe.tasks.map((entry) => openDeck(entry, deckParts(environments))));
  const tasks = decks.map(({ name, size }) => `${name} (${size === Infinity ? 'endless' : size} tasks)`);
  const length = recipe.epochs === null ? `${recipe.steps ?? 0} steps` : `${recipe.epochs} epochs in steps`;
  const episodes = recipe.rollout.groups * recipe.rollout.samples;
  return [
    `# Weights: ${await weightsOf(recipe.policy)}; engines: ${engines.join(', ')} (${recipe.engine.kind})`,
    `# Tasks: ${tasks.join(', ')}`,
    `# ${length} of ${episodes} episodes (${recipe.rollout.groups} groups of ${recipe.rollout.samples}), ${recipe.update.epochs * recipe.update.minibatches} optimizer steps each`,
    `# Writes to ${recipe.output}/${recipe.run}`,
  ].join('\n');
}

/** `agoge config`: recipes from other systems' configuration files. */
import type { Command } from '@commander-js/extra-typings';
import { print, printJson } from './print.ts';

export function register(program: Command): void {
  const config = program.command('config').description('work with configuration files');
  config
    .command('from-verl')
    .description('turn a verl or AgentGym-RL configuration into a recipe, naming what could not be carried over')
    .argument('<file>', 'a YAML file of verl or AgentGym-RL')
    .argument('[overrides...]', 'Hydra overrides of the launch script: actor_rollout_ref.rollout.n=8 +key=value')
    .option('--out <recipe>', 'write the recipe here instead of printing it')
    .option('--json', 'print recipe, notes and losses as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge config from-verl textcraft_grpo_train.yaml --out recipes/mine.yaml
  agoge config from-verl ppo_trainer.yaml data.train_batch_size=32 actor_rollout_ref.rollout.n=8
`,
    )
    .action(async (file, overrides, options) => {
      const [{ readConfig, rlRecipe, sftRecipe }, { applyOverrides }, { fromVerl }, { stringify }] = await Promise.all([
        import('../config/recipe.ts'),
        import('../config/overrides.ts'),
        import('../config/from-verl.ts'),
        import('yaml'),
      ]);
      await import('../envs/builtin.ts');
      const { environmentEntries, loadEnvironment } = await import('../envs/registry.ts');
      const sizes = new Map<string, number>();
      for (const { name } of environmentEntries()) {
        if (name !== 'webshop') sizes.set(name, (await loadEnvironment(name)).tasks('train').size);
      }
      const tree = applyOverrides(await readConfig(file), overrides) as Record<string, unknown>;
      const converted = fromVerl(tree, { tasks: (env) => sizes.get(env) });
      // Checked before it is shown: what is written can be trained.
      if (converted.kind === 'rl') rlRecipe(converted.recipe, 'the converted recipe');
      else sftRecipe(converted.recipe, 'the converted recipe');
      if (options.json === true) {
        printJson(converted);
        return;
      }
      const comments = [
        `From ${file}. Train with: agoge ${converted.kind === 'rl' ? 'train' : 'sft'} <this file>`,
        ...converted.notes.map((note) => `Note: ${note}.`),
        ...converted.lost.map((lost) => `Not carried over: ${lost}`),
        ...(converted.unneeded.length > 0 ? [`Not needed here: ${converted.unneeded.join(', ')}`] : []),
      ];
      const text = `${comments.map((line) => `# ${line}`).join('\n')}\n${stringify(converted.recipe, { lineWidth: 120 })}`;
      if (options.out === undefined) print(text.trimEnd());
      else {
        const { writeWhole } = await import('../run/files.ts');
        await writeWhole(options.out, text);
        print(`wrote ${options.out}; ${converted.lost.length} settings could not be carried over`);
        for (const lost of converted.lost) print(`  ${lost}`);
      }
    });
}

/** `agoge config`: recipes from other systems' configuration files, and the schema of our own. */
import { Argument, type Command } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Converted } from '../../config/from-verl.ts';
import type { ConvertedEvaluation } from '../../config/verl/evaluation.ts';
import type { FromScript } from '../../config/verl/script.ts';
import { whole } from '../options/values.ts';
import { print, printFile, printJson } from '../terminal/print.ts';

export function register(config: Command): void {
  config
    .command('schema')
    .description("print the JSON schema of a recipe: editors complete and check it (yaml-language-server: '$schema=recipe.json')")
    .addArgument(new Argument('[kind]', 'which recipe').choices(['rl', 'sft', 'reward']).default('rl'))
    .addHelpText('after', '\nExample:\n  agoge config schema sft > recipe.json\n')
    .action(async (kind) => {
      const { recipeSchema } = await import('../../config/recipe/recipe.ts');
      printJson(recipeSchema(kind), undefined, 2);
    });
  config
    .command('from-verl')
    .description('turn a verl or AgentGym-RL configuration into a recipe, naming what could not be carried over')
    .argument('<file>', 'a launch script (run_grpo.sh) or YAML file of verl or AgentGym-RL; without one, overrides alone')
    .argument('[overrides...]', 'arguments of the script, and Hydra overrides: actor_rollout_ref.rollout.n=8 +key=value')
    .option(
      '--verl <version>',
      "whose base values fill in: 0.2 to 0.9, or agentgym-rl (default: the newest, or AgentGym-RL's where its keys are used)",
    )
    .option('--launch <n>', 'which training of a script that starts several', whole(1))
    .option('--out <recipe>', 'write the recipe here instead of printing it')
    .option('--json', 'print recipe, notes and losses as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge config from-verl run_textcraft_grpo_train.sh --out recipes/mine.yaml      the script is read, never run
  MODEL_PATH=~/models/x agoge config from-verl run_textcraft_eval.sh              an agoge eval command
  agoge config from-verl textcraft_grpo_train.yaml --out recipes/mine.yaml
  agoge config from-verl algorithm.adv_estimator=grpo data.train_files=train.parquet actor_rollout_ref.rollout.n=8
  agoge config from-verl ppo_trainer.yaml data.train_batch_size=32 actor_rollout_ref.rollout.n=8
`,
    )
    .action(convertFromVerl);
}

type Training = Extract<FromScript, { kind: 'training' }>;

interface FromVerl {
  readonly verl?: string | undefined;
  readonly launch?: number | undefined;
  readonly out?: string | undefined;
  readonly json?: true | undefined;
}

async function convertFromVerl(first: string, rest: readonly string[], options: FromVerl): Promise<void> {
  const alone = /^[+~]*[\w.]+=/.test(first) && !existsSync(first);
  const [file, overrides] = alone ? ['from-verl', [first, ...rest]] : [first, rest];
  const { isLaunchScript } = await import('../../config/verl/launch.ts');
  const script = isLaunchScript(file) ? await scriptOf(file, rest, options) : undefined;
  if (script?.kind === 'evaluation') return printEvaluations(script.evaluations, file, options);
  const recipe = await recipeFromVerl(file, overrides, { alone, version: options.verl, script });
  if (options.json === true) {
    printJson(recipe);
    return;
  }
  const { stringify } = await import('yaml');
  const comments = commentsOn(recipe, alone ? 'overrides' : file);
  const text = `${comments.map((line) => `# ${line}`).join('\n')}\n${stringify(recipe.recipe, { lineWidth: 120 })}`;
  if (options.out === undefined) {
    printFile(text.trimEnd());
    return;
  }
  const { writeWhole } = await import('../../run/files.ts');
  await writeWhole(options.out, text);
  print(`wrote ${options.out}; ${recipe.lost.length} settings could not be carried over`);
  for (const lost of recipe.lost) print(`  ${lost}`);
}

/** Checked before it is shown: what is written can be trained. `alone`: overrides without a file. */
async function recipeFromVerl(
  file: string,
  overrides: readonly string[],
  {
    alone,
    version,
    script,
  }: { readonly alone: boolean; readonly version: string | undefined; readonly script: Training | undefined },
): Promise<Converted> {
  const [{ rlRecipe, sftRecipe }, { readConfig }, { fromVerl, launchedAlone }, { filesNear }, { followingRows }] =
    await Promise.all([
      import('../../config/recipe/recipe.ts'),
      import('../../config/read-config.ts'),
      import('../../config/from-verl.ts'),
      import('../../config/verl/near.ts'),
      import('../../data/tasks/converted-format.ts'),
    ]);
  const folder = script?.folder ?? dirname(file);
  const config = async (): Promise<unknown> => (alone ? launchedAlone(overrides) : readConfig(file));
  const converted = script?.converted ?? (await fromVerl(await config(), { overrides, version, file, folder }));
  const recipe = await followingRows(filesNear(converted, folder));
  if (recipe.kind === 'rl') rlRecipe(recipe.recipe, 'the converted recipe');
  else sftRecipe(recipe.recipe, 'the converted recipe');
  return recipe;
}

/** What stands above the recipe: where it comes from, what was lost and what is not needed here. */
function commentsOn({ kind, notes, lost, unneeded }: Converted, source: string): string[] {
  const reasons = new Map<string, string[]>();
  for (const { key, why } of unneeded) reasons.set(why, [...(reasons.get(why) ?? []), key]);
  return [
    `From ${source}. Train with: agoge ${kind === 'rl' ? 'train' : 'sft'} <this file>`,
    ...notes.map((note) => `Note: ${note}.`),
    ...lost.map((one) => `Not carried over: ${one}`),
    ...[...reasons].map(([why, keys]) => `Not needed here (${why}): ${keys.join(', ')}`),
  ];
}

async function scriptOf(file: string, args: readonly string[], { verl: version, launch }: FromVerl): Promise<FromScript> {
  const { fromScript } = await import('../../config/verl/script.ts');
  return fromScript(file, { args, version, launch });
}

/** Evaluations of a script as commands, each with what the user should know of it. */
async function printEvaluations(
  evaluations: readonly ConvertedEvaluation[],
  file: string,
  { out, json }: FromVerl,
): Promise<void> {
  if (json === true) {
    printJson(evaluations.map(({ command, notes, lost }) => ({ command, notes, lost })));
    return;
  }
  const { commandText } = await import('../../config/verl/evaluation.ts');
  const texts = evaluations.map(({ command, notes, lost }) => {
    const said = [...notes.map((note) => `# Note: ${note}.`), ...lost.map((each) => `# Not carried over: ${each}`)];
    return [...said, commandText(command)].join('\n');
  });
  const text = `# From ${file}.\n${[...new Set(texts)].join('\n\n')}\n`;
  if (out === undefined) {
    printFile(text.trimEnd());
    return;
  }
  const { writeWhole } = await import('../../run/files.ts');
  await writeWhole(out, `#!/bin/sh\nset -e\n${text}`);
  print(`wrote ${out}; run it with: sh ${out}`);
}

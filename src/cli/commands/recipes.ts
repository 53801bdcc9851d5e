/** `agoge recipes`: what ships, what it starts from and how it is run. */
import type { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../core/error.ts';
import { helpLines, helpWidth } from '../terminal/help-text.ts';
import { print, printFile, printJson } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .argument('[name]', 'print this recipe')
    .option('--env <name>', 'only those that train on this environment')
    .option('--json', 'print them as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge recipes
  agoge recipes --env webshop
  agoge recipes textcraft-grpo > mine.yaml
`,
    )
    .action(async (name, options) => {
      const { findRecipe, packagedRecipes } = await import('../../config/packaged-recipes.ts');
      const all = await packagedRecipes();
      if (name !== undefined) {
        const { readFile } = await import('node:fs/promises');
        const one = all.find((recipe) => recipe.name === name.replace(/\.yaml$/, ''));
        if (!one) {
          const { meant } = await findRecipe(name);
          throw new AgogeError(
            'CLI_USAGE_RECIPES',
            `no recipe "${name}" ships: ${meant === undefined ? 'see agoge recipes' : `did you mean "${meant}"?`}`,
          );
        }
        printFile((await readFile(one.path, 'utf8')).trimEnd());
        return;
      }
      const chosen = all.filter(({ environments }) => options.env === undefined || environments.includes(options.env));
      if (chosen.length === 0) {
        const known = [...new Set(all.flatMap(({ environments }) => environments))].sort();
        throw new AgogeError(
          'CLI_USAGE_RECIPES',
          `no recipe trains on "${options.env ?? ''}": choose one of ${known.join(', ')}`,
        );
      }
      if (options.json === true) {
        printJson(chosen);
        return;
      }
      for (const { command, name: shown, about, policy, results } of chosen) {
        print(`agoge ${command} ${shown}`);
        const text = `    ${about}. Starts from ${policy}.${results === undefined ? '' : ` Figures: ${results}`}`;
        print(helpLines(text, helpWidth()));
      }
    });
}

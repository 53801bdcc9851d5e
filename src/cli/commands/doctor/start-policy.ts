/** Whom `agoge doctor <env>` asks about where nobody is named: the policy that the environment's imitation recipe starts from. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { packagedRecipes, type PackagedRecipe } from '../../../config/packaged-recipes.ts';
import { readConfig } from '../../../config/read-config.ts';
import { templates } from '../new/templates/templates.ts';

export interface StartPolicy {
  readonly policy: string;
  /** Which recipe says so, in words. */
  readonly because: string;
}

/** `env` is a name, a file of the user's, or a server's environment without its address. A fresh model has nothing to ask about. */
export async function startPolicyOf(env: string): Promise<StartPolicy> {
  if (/\.[mc]?[jt]s$/.test(env)) {
    const recipe = join(dirname(env), 'sft.yaml');
    const beside = existsSync(recipe) ? policyIn(await readConfig(recipe)) : undefined;
    if (beside !== undefined) return { policy: beside, because: 'as in the sft.yaml beside it' };
  }
  const [own] = (await packagedRecipes())
    .filter(({ command, environments }) => command === 'sft' && environments.includes(env))
    // Named after it, else the one for the fewest environments.
    .sort((a, b) => rankOf(a, env) - rankOf(b, env));
  if (own && ['base', 'reader'].includes(own.policy)) return { policy: own.policy, because: `as in the recipe ${own.name}` };
  return { policy: policyIn(parse(templates.env['sft.yaml'])) ?? 'reader', because: 'as in the recipes of agoge new env' };
}

function rankOf({ name, environments }: PackagedRecipe, env: string): number {
  return name === `${env}-sft` ? 0 : environments.length;
}

/** The policy that a recipe names, if it is one by name. */
function policyIn(recipe: unknown): string | undefined {
  const { policy } = (recipe ?? {}) as { readonly policy?: unknown };
  return typeof policy === 'string' ? policy : undefined;
}

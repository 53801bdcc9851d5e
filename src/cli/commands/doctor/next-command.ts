/** What `agoge doctor <env>` says to do next: a command that works as it stands, or a step. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { environmentEntry } from '../../../envs/registry.ts';
import { parseEnvironmentSpec } from '../../../gym/client/connect.ts';
import type { Checkup } from '../../../train/checkup/checkup.ts';
import type { Forecast } from '../../../train/checkup/forecast.ts';
import { isFile } from '../../../user-modules/load-file.ts';

/** `isThere`: whether a recipe lies at a path. */
export function nextCommand(found: Checkup, isThere: (path: string) => boolean = existsSync): string {
  const { forecast, environment, policy, expert, play } = found;
  if (policy.startsWith('openai:'))
    return `ask the same of its weights, which can be trained: agoge doctor ${environment} --policy hf:FOLDER, or gguf:FILE`;
  if (nothingLeft(forecast, play)) return 'choose harder tasks (--split, --set), then ask again';
  switch (forecast.verdict) {
    case 'there':
    case 'may-learn':
      return learn('train', found, isThere);
    case 'learns':
      return learn('sft', found, isThere);
    case 'no':
      if (forecast.because === 'no-signal' && 'missing' in expert)
        return 'give the environment an expert (solve), or easier tasks; then ask again';
      if (forecast.because === 'context')
        return policy === 'base'
          ? 'shorten what the environment says, or take a policy with a longer context: --policy reader, gguf:…'
          : 'shorten what the environment says, or take a policy with a longer context: --policy hf:…, gguf:…';
      return policy === 'base'
        ? `agoge doctor ${environment} --policy reader, or a larger start (docs/larger-start.md)`
        : 'make that kind of turn easier (say what it needs in the last observation), or take a larger start (docs/larger-start.md)';
  }
}

/** The level is reached, and all samples of a task got the same: GRPO has nothing to compare. */
export function nothingLeft({ verdict }: Forecast, { signal }: Checkup['play']): boolean {
  return verdict === 'there' && signal === 0;
}

function learn(command: 'sft' | 'train', { environment, policy }: Checkup, isThere: (path: string) => boolean): string {
  const { name, file } = parseEnvironmentSpec(environment);
  if (file === undefined && environmentEntry(name))
    return `agoge ${command} RECIPE policy=${policy}, with the recipe of ${name} that agoge recipes lists`;
  const folder = file !== undefined && isFile(file) ? dirname(file) : undefined;
  if (folder === undefined || !isThere(join(folder, `${command}.yaml`)))
    return `agoge ${command} RECIPE policy=${policy}, with a recipe like the ${command}.yaml of agoge new env`;
  // What a recipe names lies where the command is given.
  if (folder === '.') return `agoge ${command} ${command}.yaml policy=${policy}`;
  return `cd ${folder} && agoge ${command} ${command}.yaml policy=${seenFrom(folder, policy)}`;
}

/** A policy with a path, as it is named in that folder. */
function seenFrom(folder: string, policy: string): string {
  const [, kind, path] = /^(run|gguf):([^/].*)$/.exec(policy) ?? [];
  return kind === undefined || path === undefined ? policy : `${kind}:${relative(folder, path)}`;
}

/**
 * What changed in recipes, oldest first. Each rule looks at a recipe as it was written; a key that is there is never overruled. Defaults
 * are judged by absence: run folders hold every key that the version knew which made them.
 */
import { valueAt } from '../value-at.ts';
import { isTestSplit } from './choosing.ts';
import { isSilent, isSilentImitation } from './watched.ts';

export type Recipe = Readonly<Record<string, unknown>>;

/** A key by its parts, and its new value; undefined: the key goes. */
export interface Edit {
  readonly key: readonly string[];
  readonly value?: unknown;
}

interface Rule {
  /** `default`: such a recipe is taken today, and means something else. */
  readonly only?: 'default';
  find(recipe: Recipe): { readonly note: string; readonly edits?: readonly Edit[] } | undefined;
}

export const upgradeRules: readonly Rule[] = [
  renamed('data.format', 'agent.format'),
  renamed('template', 'agent.chat_template'),
  {
    find: (recipe) =>
      valueAt(recipe, 'evaluate.format') === undefined
        ? undefined
        : { note: 'evaluate.format is gone: evaluations talk as agent.format says', edits: [edit('evaluate.format')] },
  },
  {
    find: (recipe) =>
      valueAt(recipe, 'evaluate.choose') === undefined && evaluatesOnTest(recipe) && !stopsByEvaluations(recipe)
        ? {
            note: 'evaluations play test, so they no longer choose the best checkpoint: evaluate.choose=false',
            edits: [edit('evaluate.choose', false)],
          }
        : undefined,
  },
  changed(usesGigpo, edit('algorithm.step_scale', 'std'), 'GiGPO no longer divides its comparison of steps by its deviation'),
  changed(isRl, edit('stop.fall', null), 'a run ends when three evaluations in a row lie below the best by more than noise'),
  changed(isRl, edit('stop.unreadable', false), 'a run ends where no reply of its first step can be read'),
  changed(
    isSilent,
    edit('evaluate.every', 0),
    'a run whose recipe does not mention evaluate is evaluated before its first step, every ten steps and at its end',
  ),
  changed(
    isSilentImitation,
    edit('evaluate.at_start', false),
    'imitation of a policy whose recipe does not mention evaluate is evaluated before its first step too',
  ),
  changed(readsFiles, edit('data.openings', 'keep'), 'what a client of mazes said before the first observation is taken off'),
  {
    only: 'default',
    find: (recipe) =>
      // Written by a version that does not know stop.fall.
      branches(recipe) && valueAt(recipe, 'stop.fall') === undefined
        ? {
            note: 'with rollout.branch only continuations say what an action is worth, unscaled; nothing brings the old rule back',
          }
        : undefined,
  },
];

/** A value under its new key; where that one is written too, it stands. */
function renamed(from: string, to: string): Rule {
  return {
    find: (recipe) => {
      const value = valueAt(recipe, from);
      if (value === undefined) return undefined;
      const edits = valueAt(recipe, to) === undefined ? [edit(from), edit(to, value)] : [edit(from)];
      return { note: `${from} is ${to} now`, edits };
    },
  };
}

/** A default that is another one now; the edit writes out what it was. */
function changed(meant: (recipe: Recipe) => boolean, before: Edit, note: string): Rule {
  const find: Rule['find'] = (recipe) =>
    meant(recipe) && valueAt(recipe, before.key.join('.')) === undefined ? { note, edits: [before] } : undefined;
  return { only: 'default', find };
}

function isRl(recipe: Recipe): boolean {
  return 'tasks' in recipe || 'rollout' in recipe || 'algorithm' in recipe;
}

function usesGigpo(recipe: Recipe): boolean {
  return (valueAt(recipe, 'algorithm.estimator') ?? valueAt(recipe, 'algorithm.name')) === 'gigpo';
}

function readsFiles(recipe: Recipe): boolean {
  const train = valueAt(recipe, 'data.train');
  return !isRl(recipe) && (Array.isArray(train) ? train.length > 0 : train !== undefined);
}

function branches(recipe: Recipe): boolean {
  const branch = valueAt(recipe, 'rollout.branch');
  return typeof branch === 'number' && branch > 0;
}

/** They choose by definition: only the user knows whether to evaluate elsewhere or to stop by something else. */
function stopsByEvaluations(recipe: Recipe): boolean {
  return [valueAt(recipe, 'stop.patience'), valueAt(recipe, 'stop.success')].some((value) => typeof value === 'number');
}

/** As choosing.ts asks: by panels, or by the split where there are none. */
function evaluatesOnTest(recipe: Recipe): boolean {
  const panels = valueAt(recipe, 'evaluate.panels');
  const played = Array.isArray(panels) && panels.length > 0 ? panels : [valueAt(recipe, 'evaluate')];
  return played.map((panel: unknown) => valueAt(panel, 'split')).some((split) => typeof split === 'string' && isTestSplit(split));
}

function edit(key: string, value?: unknown): Edit {
  return { key: key.split('.'), value };
}

/**
 * The runs that a plan comes to: for each arm and environment its recipe, command and settings, checked before anything is begun, and a
 * fingerprint of all that decides its results, so that a changed plan never mixes its runs with earlier ones.
 */
import { createHash } from 'node:crypto';
import { readConfig } from '../config/read-config.ts';
import { applyOverrides } from '../config/overrides.ts';
import { kindOf } from '../config/packaged-recipes.ts';
import { readRlRecipe, readSftRecipe } from '../config/recipe/read-recipe.ts';
import { AgogeError } from '../core/error.ts';
import { cellsOf, type Cell } from '../train/run/sweep.ts';
import { askedArgs } from './asked-args.ts';
import { refuseOwnSettings } from './own-settings.ts';
import { armOf, armsIn, recipeOf, type ArmPlan, type EnvironmentPlan, type Plan, type StudyDevice } from './plan.ts';
import { readSmall, runFile, type Cost } from './results.ts';

export interface ArmRuns {
  readonly environment: string;
  readonly arm: string;
  readonly plan: ArmPlan;
  readonly played: EnvironmentPlan;
  readonly recipe: string;
  readonly command: 'train' | 'sft';
  readonly overrides: readonly string[];
  readonly fingerprint: string;
  /** The same of its weights alone: panels do not change them. */
  readonly made: string;
  /** Settings that are tried on validation; one empty cell where nothing is chosen. */
  readonly cells: readonly Cell[];
  /** The policy that it begins with; undefined after another arm, and for a fresh model. */
  readonly policy?: string;
  /** How that policy is asked: its recipe's words, as options of `agoge eval`. */
  readonly asked: readonly string[];
  /** What its scores are kept under: the policy's name, and the arm's where another arm asks the same policy in other words. */
  readonly start?: string;
  /** Minutes that the recipe gives itself, where it does. */
  readonly minutes: number | null;
  /** Where its runs and evaluations compute. */
  readonly device: StudyDevice;
  /** GiB of a card that its runs say they take at most. */
  readonly memory?: number;
}

/** Every arm of every environment, those that others begin with first; throws for recipes that are missing or wrong. A device given here goes before the plan's. */
export async function armRuns(plan: Plan, device?: StudyDevice): Promise<ArmRuns[]> {
  const all: ArmRuns[] = [];
  const known = new Map<string, ArmRuns>();
  const add = async (environment: string, arm: string): Promise<ArmRuns> => {
    const before = known.get(`${environment}/${arm}`);
    if (before) return before;
    const { after } = armOf(plan, arm);
    const start = after === null ? undefined : await add(environment, after);
    const runs = await readArm(plan, environment, arm, { start, device });
    known.set(`${environment}/${arm}`, runs);
    all.push(runs);
    return runs;
  };
  for (const environment of Object.keys(plan.environments))
    for (const arm of armsIn(plan, environment)) await add(environment, arm);
  return all.map((of) => named(of, all));
}

function named(of: ArmRuns, all: readonly ArmRuns[]): ArmRuns {
  const { policy, environment, asked } = of;
  if (policy === undefined) return of;
  const alike = all.filter((one) => one.environment === environment && one.policy === policy);
  const first = alike.find((one) => one.asked.join('\n') === asked.join('\n')) ?? of;
  return { ...of, start: first === alike[0] ? policy : `${policy} as ${first.arm}` };
}

async function readArm(
  plan: Plan,
  environment: string,
  arm: string,
  { start, device }: { readonly start: ArmRuns | undefined; readonly device: StudyDevice | undefined },
): Promise<ArmRuns> {
  const played = plan.environments[environment];
  if (!played)
    throw new AgogeError('CONFIG_STUDY', `${plan.path} has no environment ${environment}: name it below environments:`);
  const of = armOf(plan, arm);
  const recipe = await recipeOf(plan, arm, environment);
  const raw = await readConfig(recipe);
  const kind = kindOf(raw);
  if (kind === 'reward')
    throw new AgogeError(
      'CONFIG_STUDY',
      `${plan.path}: arms.${arm} trains a reward model, which plays nothing: name a recipe for train or sft`,
    );
  const said = [...of.set, ...(played.set[arm] ?? [])];
  refuseOwnSettings(`${plan.path}: arms.${arm}`, [...said, ...Object.keys(of.choose?.over ?? {})], of.after);
  // A study claims on its panels, once: whatever a run evaluates on its way must be fit to choose by, so the schema refuses test tasks.
  const overrides = [...said, 'evaluate.choose=true'];
  const cells = cellsOf(Object.entries(of.choose?.over ?? {}).map(([key, values]) => `${key}=${values.map(String).join(',')}`));
  const first = Object.entries(cells[0] ?? {}).map((pair) => pair.join('='));
  const checked =
    kind === 'sft' ? await readSftRecipe(recipe, [...overrides, ...first]) : await readRlRecipe(recipe, [...overrides, ...first]);
  for (const cell of cells.slice(1)) {
    const more = [...overrides, ...Object.entries(cell).map((pair) => pair.join('='))];
    await (kind === 'sft' ? readSftRecipe(recipe, more) : readRlRecipe(recipe, more));
  }
  if (of.choose && checked.evaluate.every === 0 && !checked.evaluate.at_end)
    throw new AgogeError(
      'CONFIG_STUDY',
      `${plan.path}: arms.${arm} chooses on validation and its recipe evaluates nothing: set evaluate.at_end=true`,
    );
  const place = device ?? played.device ?? checked.engine.device;
  // A card's sums are not the processor's: what was made on one is not taken for the other's.
  if (place !== checked.engine.device) overrides.push(`engine.device=${place}`);
  const memory = place === 'host' ? undefined : played.card_memory;
  if (memory !== undefined) overrides.push(`engine.card_memory=${memory}`);
  const bound = memory ?? checked.engine.card_memory ?? undefined;
  const written = applyOverrides(raw, overrides);
  const decides = {
    written,
    choose: of.choose,
    checkpoint: of.checkpoint,
    start: start?.fingerprint,
    env: played.env,
    panels: played.panels,
  };
  return {
    environment,
    arm,
    plan: of,
    played,
    recipe,
    command: kind === 'sft' ? 'sft' : 'train',
    overrides,
    cells,
    fingerprint: hashOf(decides),
    made: hashOf({ written, start: start && [start.made, start.plan.checkpoint, start.plan.choose] }),
    ...(start === undefined && typeof checked.policy === 'string' ? { policy: checked.policy } : {}),
    asked: askedArgs(checked.agent),
    minutes: 'stop' in checked ? checked.stop.minutes : checked.minutes,
    device: place,
    ...(place === 'host' || bound === undefined ? {} : { memory: bound }),
  };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

/** By the clock: what a run of the same arm will take. */
function minutesOf({ minutes, core_minutes }: Cost, threads: number): number {
  return minutes ?? core_minutes / threads;
}

export interface PlannedRun {
  readonly environment: string;
  readonly arm: string;
  readonly seed: number;
  readonly state: 'finished' | 'failed' | 'to do';
  /** Of training, on as many cores as it has threads; from its recipe, or from earlier seeds. */
  readonly minutes?: number;
  /** Further runs that only choose settings. */
  readonly trials: number;
  readonly device: StudyDevice;
}

/** What there is to do, and how long it takes as far as that is known; throws CONFIG_STUDY_CHANGED where results are of another plan. */
export async function plannedRuns(plan: Plan, runs: readonly ArmRuns[], results: string): Promise<PlannedRun[]> {
  const planned: PlannedRun[] = [];
  for (const { environment, arm, fingerprint, minutes, cells, device, plan: of } of runs) {
    const found = await Promise.all(plan.seeds.map((seed) => readSmall(results, 'runs', runFile(environment, arm, seed))));
    const taken = found.flatMap((result) => (result?.status === 'finished' ? [minutesOf(result.cost, plan.threads)] : []));
    const known = minutes ?? (taken.length > 0 ? taken.reduce((a, b) => a + b) / taken.length : undefined);
    plan.seeds.forEach((seed, at) => {
      const result = found[at];
      if (result?.status === 'finished' && result.fingerprint !== fingerprint)
        throw new AgogeError(
          'CONFIG_STUDY_CHANGED',
          `${results}/${runFile(environment, arm, seed)} was made with another recipe, other settings or other panels: give --results and --out other folders, or remove it and its run to make it again`,
        );
      const trial = of.choose !== null && (of.choose.seeds ?? plan.seeds.slice(0, 1)).includes(seed) ? cells.length - 1 : 0;
      const state = result?.status ?? 'to do';
      planned.push({
        environment,
        arm,
        seed,
        state,
        trials: state === 'finished' ? 0 : trial,
        device,
        ...(known === undefined ? {} : { minutes: known }),
      });
    });
  }
  return planned;
}

/**
 * The plan of a study: arms × seeds × environments in one YAML file. An arm is a recipe with settings, from its own start or after another
 * arm; an environment has panels, on which every arm is evaluated once. Everything that is misspelt is said before anything is run.
 */
import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { count, engineSchema, runName } from '../config/recipe/shared-keys.ts';
import { readConfig } from '../config/read-config.ts';
import { findRecipe } from '../config/packaged-recipes.ts';
import { AgogeError } from '../core/error.ts';
import { issueInWords } from '../core/issue-words.ts';
import { choice } from '../core/nearest.ts';

/** Where a study's runs compute, in place of what their recipes say. */
export type StudyDevice = z.infer<typeof deviceSchema>;
const deviceSchema = engineSchema.shape.device.unwrap();

const setting = z.union([z.string(), z.number(), z.boolean()]);

const panelSchema = z.strictObject({
  /** Split of the tasks. */
  split: z.string().default('test'),
  /** Which tasks, as `agoge eval --tasks` has them; a number: the first so many. */
  tasks: z.union([count.transform((n) => `0-${n - 1}`), z.string()]).default('all'),
  /** Episodes per task: what pass@k is measured on. */
  samples: count.default(4),
  /** Of sampling; 0: the likeliest token. */
  temperature: z.number().nonnegative().default(1),
  /** Replies of an episode; null: what is usual for the environment. */
  max_turns: count.nullable().default(null),
  /** Tokens of a reply; null: what is usual for the environment. */
  max_tokens: count.nullable().default(null),
  /** The environment's own settings. */
  settings: z.record(z.string(), setting).default({}),
});

const environmentSchema = z.strictObject({
  /** The environment, where its name here is another. */
  env: z.string().optional(),
  /** Where its runs and evaluations compute; absent: as the recipes say. */
  device: deviceSchema.optional(),
  /** GiB of the card that each of its runs and evaluations takes at most; absent: as the recipes say. */
  card_memory: z.number().positive().optional(),
  /** What every arm is evaluated on, once, at its end; the first is the one that is claimed on. */
  panels: z
    .record(z.string(), panelSchema)
    .refine((panels) => Object.keys(panels).length > 0, { error: 'name one panel at least' }),
  /** Settings of single arms in this environment: { arm: [key=value] }. */
  set: z.record(z.string(), z.array(z.string())).default({}),
});

const chooseSchema = z.strictObject({
  /** Values of settings that are tried: { optimizer.lr: [1e-4, 3e-4] }. */
  over: z
    .record(z.string(), z.array(setting).min(1))
    .refine((over) => Object.keys(over).length > 0, { error: 'name one setting at least' }),
  /** Seeds that they are tried with; default: the first of the study. */
  seeds: z.array(z.number().int()).min(1).optional(),
});

const armSchema = z.strictObject({
  /** A recipe beside the plan, or one that ships; {env} stands for the environment's name. */
  recipe: z.string(),
  /** The arm whose weights it begins with, seed by seed; null: as the recipe says. */
  after: z.string().nullable().default(null),
  /** Settings of all its runs. */
  set: z.array(z.string()).default([]),
  /** Which checkpoint is evaluated and handed on: the last, or the best by validation. */
  checkpoint: z.enum(['latest', 'best']).default('latest'),
  /** Settings that are chosen on validation, for each environment by itself; null: none. */
  choose: chooseSchema.nullable().default(null),
  /** Only in these environments; null: in all. */
  environments: z.array(z.string()).nullable().default(null),
});

const planSchema = z.strictObject({
  /** Name of the study and of its folders. */
  study: runName,
  /** What is asked, in a sentence. */
  question: z.string().default(''),
  /** Each arm runs once with each. */
  seeds: z.array(z.number().int()).min(1),
  /** Threads of a run. */
  threads: count.default(1),
  /** Where they are played and evaluated. */
  environments: z.record(z.string(), environmentSchema),
  /** What is compared. */
  arms: z.record(z.string(), armSchema),
  /** Success in training that is waited for: the table says after how many episodes it was reached, and what foretold it. */
  threshold: z.number().gt(0).max(1).nullable().default(null),
  /** Pairs of arms: what the second has more than the first. */
  compare: z.array(z.tuple([z.string(), z.string()])).default([]),
});

export type PanelPlan = z.infer<typeof panelSchema>;
export type ArmPlan = z.infer<typeof armSchema>;
export type EnvironmentPlan = z.infer<typeof environmentSchema>;
export interface Plan extends z.infer<typeof planSchema> {
  readonly path: string;
}

/** Reads a plan; throws CONFIG_STUDY with all that is wrong in it. */
export async function readPlan(path: string): Promise<Plan> {
  if (!existsSync(path)) throw new AgogeError('CONFIG_STUDY', `there is no plan ${path}: give the path of a study's plan.yaml`);
  const parsed = planSchema.safeParse(await readConfig(path), { error: issueInWords });
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the plan'}: ${issue.message}`);
    throw new AgogeError('CONFIG_STUDY', `${path}: ${problems.join('; ')}. Correct the plan; docs/study.md has every key`);
  }
  const plan = { ...parsed.data, path };
  checkNames(plan);
  return plan;
}

/** The file of an arm's recipe in an environment; throws CONFIG_STUDY where there is none. */
export async function recipeOf(plan: Plan, arm: string, environment: string): Promise<string> {
  const name = armOf(plan, arm).recipe.replaceAll('{env}', environment);
  const beside = join(dirname(plan.path), name);
  if (existsSync(beside)) return beside;
  const { path, meant } = await findRecipe(name);
  if (existsSync(path)) return path;
  const hint = meant === undefined ? 'write it beside the plan, or see agoge recipes' : `did you mean "${meant}"?`;
  throw new AgogeError('CONFIG_STUDY', `${plan.path}: arms.${arm} has no recipe ${name}: ${hint}`);
}

export function armOf(plan: Plan, name: string): ArmPlan {
  const arm = plan.arms[name];
  if (!arm) throw unknown(plan, 'arm', name, 'arms', Object.keys(plan.arms));
  return arm;
}

/** Arms of an environment, in the order of the plan. */
export function armsIn(plan: Plan, environment: string): string[] {
  return Object.keys(plan.arms).filter((name) => armOf(plan, name).environments?.includes(environment) ?? true);
}

function checkNames(plan: Plan): void {
  const [arms, environments] = [Object.keys(plan.arms), Object.keys(plan.environments)];
  const arm = (name: string, where: string): void => {
    if (!arms.includes(name)) throw unknown(plan, 'arm', name, where, arms);
  };
  if (arms.length === 0) throw new AgogeError('CONFIG_STUDY', `${plan.path} has no arms: name one below arms:`);
  if (environments.length === 0)
    throw new AgogeError('CONFIG_STUDY', `${plan.path} has no environments: name one below environments:`);
  for (const name of [...arms, ...environments])
    if (!/^[A-Za-z0-9][\w.+-]*$/.test(name))
      throw new AgogeError(
        'CONFIG_STUDY',
        `${plan.path}: "${name}" names folders too: write it with letters, digits and . _ + -`,
      );
  for (const [name, { after, environments: only }] of Object.entries(plan.arms)) {
    if (after !== null) arm(after, `arms.${name}.after`);
    for (const env of only ?? [])
      if (!environments.includes(env)) throw unknown(plan, 'environment', env, `arms.${name}.environments`, environments);
    const way = new Set([name]);
    for (let at = after; at !== null; at = armOf(plan, at).after) {
      if (way.has(at)) throw new AgogeError('CONFIG_STUDY', `${plan.path}: arms.${name} comes after itself: change its after:`);
      way.add(at);
    }
    for (const env of environments)
      if (after !== null && armsIn(plan, env).includes(name) && !armsIn(plan, env).includes(after))
        throw new AgogeError(
          'CONFIG_STUDY',
          `${plan.path}: arms.${name} runs in ${env} after ${after}, which does not: add ${env} there`,
        );
  }
  for (const [env, { set }] of Object.entries(plan.environments))
    for (const name of Object.keys(set)) arm(name, `environments.${env}.set`);
  for (const name of plan.compare.flat()) arm(name, 'compare');
  if (new Set(plan.seeds).size < plan.seeds.length)
    throw new AgogeError('CONFIG_STUDY', `${plan.path} has a seed twice, which would count one run as two: name each once`);
}

function unknown(plan: Plan, what: string, name: string, where: string, known: readonly string[]): AgogeError {
  return new AgogeError('CONFIG_STUDY', `${plan.path}: ${where} names the ${what} "${name}": ${choice(name, known)}`);
}

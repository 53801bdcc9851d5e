/**
 * From a recipe to a run: creates or reopens its directory, opens engines and environments, trains, and closes everything in
 * the end. What `agoge train`, `agoge sft` and `agoge reward` do apart from printing.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Environments } from '../../agent/environments.ts';
import { openPrompting, templateOf } from '../../agent/prompting.ts';
import { pinnedPolicy } from '../../agent/open-policy.ts';
import { applyOverrides } from '../../config/overrides.ts';
import { loadOwnDefinitions } from '../../config/own-definitions.ts';
import { formatRecipe, rewardModelRecipe, rlRecipe, sftRecipe } from '../../config/recipe.ts';
import type { RewardModelRecipe } from '../../config/reward-model-recipe.ts';
import { checkResumable } from '../../config/resumable.ts';
import { upgradeRecipe } from '../../config/upgrade.ts';
import type { RlRecipe } from '../../config/rl-recipe.ts';
import type { SftRecipe } from '../../config/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import { createRenderer, type Renderer } from '../../policy/renderer.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { dataGaps, gapInWords, policyGaps, settleRlAgent, settleSftAgent } from './agent-setup.ts';
import { Demonstrations, type ExpertPool } from '../sft/demonstrations.ts';
import type { TrainerEvents, TrainResult } from './events.ts';
import { ExpertSource } from '../sft/expert-source.ts';
import { checkFiles, FileSource, type Part } from '../sft/file-source.ts';
import { conversationTexts, demonstrationTexts, openFreshModel } from './fresh-model.ts';
import { openEngine, openEnvironments } from './open-parts.ts';
import { needs } from '../rl/needs.ts';
import { rewardTitle, runReward } from '../reward/start-reward.ts';
import { trainRl } from '../rl/trainer.ts';
import type { SftSource } from '../sft/source.ts';
import { trainSft } from '../sft/trainer.ts';
import type { PoolParts } from '../tasks/pool.ts';

/** How a run is stopped, and who is told what happens. */
export interface StartOptions {
  readonly signal: AbortSignal;
  readonly events?: TrainerEvents;
  /** What should be said before the first step. */
  readonly notes?: readonly string[];
}

/** Starts an RL run. */
export async function startRl(given: RlRecipe, options: StartOptions): Promise<TrainResult> {
  const recipe = { ...given, policy: await pinnedPolicy(given.policy), agent: await settleRlAgent(given) };
  const formats = await policyGaps(recipe.policy, recipe.agent.format);
  const directory = await RunDirectory.create(join(recipe.output, recipe.run), formatRecipe(recipe), {
    name: recipe.run,
    kind: 'rl',
    title: [recipe.algorithm.name, recipe.tasks.map(taskTitle).join('+'), recipe.policy].join(' · '),
    seed: recipe.seed,
    steps: recipe.steps,
    versions: versions(),
    environments: {},
    formats,
  });
  await say([...(options.notes ?? []), ...formats.map(gapInWords)], directory, options);
  return runRl(recipe, directory, 0, options);
}

/** Trains on conversations, from the recipe to the last checkpoint; throws RUN_EXISTS. */
export async function startSft(given: SftRecipe, options: StartOptions): Promise<TrainResult> {
  const { data: asked } = given;
  const counts = asked.source === 'files' ? await checkFiles([asked.train].flat(), given) : undefined;
  const recipe = { ...given, agent: settleSftAgent(given.agent, counts?.written) };
  const data =
    recipe.data.source === 'experts'
      ? recipe.data.experts.map((entry) => entry.env).join('+')
      : [recipe.data.train].flat().join('+');
  const formats = dataGaps(counts?.written, recipe.agent.format);
  const directory = await RunDirectory.create(join(recipe.output, recipe.run), formatRecipe(recipe), {
    name: recipe.run,
    kind: 'sft',
    title: ['sft', data, typeof recipe.policy === 'string' ? recipe.policy : `fresh ${recipe.policy.fresh.preset}`].join(' · '),
    seed: recipe.seed,
    steps: recipe.steps,
    versions: versions(),
    environments: {},
    formats,
  });
  await say(formats.map(gapInWords), directory, options);
  return runSft(recipe, directory, 0, options);
}

async function say(notes: readonly string[], directory: RunDirectory, { events }: StartOptions): Promise<void> {
  for (const note of notes) {
    events?.onNote?.(note);
    await directory.note(note);
  }
}

/** Starts training a reward model. */
export async function startReward(recipe: RewardModelRecipe, options: StartOptions): Promise<TrainResult> {
  const directory = await RunDirectory.create(join(recipe.output, recipe.run), formatRecipe(recipe), {
    name: recipe.run,
    kind: 'reward',
    title: rewardTitle(recipe),
    seed: recipe.seed,
    steps: recipe.steps,
    versions: versions(),
    environments: {},
  });
  return failing(directory, () => runReward(recipe, directory, 0, options));
}

/**
 * Goes on with a run of any kind from its latest checkpoint. Overrides may make it longer, or change when it evaluates, saves and
 * logs (config/resumable.ts): never what it learns.
 */
export async function resumeRun(path: string, options: StartOptions, overrides: readonly string[] = []): Promise<TrainResult> {
  checkResumable(overrides);
  const { directory, step } = await RunDirectory.resume(path);
  const written: unknown = parse(await directory.config());
  const { config: upgraded, notes } = directory.info.v === undefined ? upgradeRecipe(written) : { config: written, notes: [] };
  const config = applyOverrides(upgraded, overrides);
  if (overrides.length > 0 || notes.length > 0) directory.changeConfig(stringify(config));
  for (const note of notes) options.events?.onNote?.(`recipe of an older version: ${note}`);
  await loadOwnDefinitions(config);
  if (directory.info.kind === 'rl') return runRl(rlRecipe(config, `${path}/config.yaml`), directory, step, options);
  if (directory.info.kind === 'reward')
    return failing(directory, () => runReward(rewardModelRecipe(config, `${path}/config.yaml`), directory, step, options));
  return runSft(sftRecipe(config, `${path}/config.yaml`), directory, step, options);
}

async function runRl(
  recipe: RlRecipe,
  directory: RunDirectory,
  from: number,
  { signal, events }: StartOptions,
): Promise<TrainResult> {
  return failing(directory, async () => {
    const onNotice = noted(directory, events);
    await using environments = await openEnvironments(recipe, signal, onNotice);
    const open = { config: recipe.engine, seed: recipe.seed, onNotice, ...(await templateFor(recipe)) };
    await using engine = await openEngine(recipe.policy, open);
    // The starting weights: what KL is measured against, in the loss or for the log alone. Beside adapters they cost nothing.
    const { kl, preference } = recipe.algorithm;
    const needsReference = kl !== false || preference !== null || recipe.log.drift > 0;
    await using reference = needsReference ? (engine.reference?.() ?? (await openEngine(recipe.policy, open))) : undefined;
    const needsCritic = needs(recipe, 'critic');
    await using critic = needsCritic ? await openEngine(recipe.policy, { ...open, head: 'value' }) : undefined;
    const averages = recipe.evaluate.average !== false;
    await using average = averages ? (engine.reference?.() ?? (await openEngine(recipe.policy, open))) : undefined;
    await recordBits(engine, directory);
    const parts = { engine, reference, critic, average, ...poolParts(environments) };
    return await trainRl(recipe, parts, directory, { signal, from, ...(events ? { events } : {}) });
  });
}

/** What happens to servers while the run goes on belongs to its log. */
function noted(directory: RunDirectory, events: TrainerEvents | undefined): (text: string) => void {
  return (text) => {
    events?.onNote?.(text);
    void directory.note(text);
  };
}

function openingsNote(count: number, openings: 'strip' | 'keep'): string {
  return openings === 'strip'
    ? `${count} first observations begin with words of their client, which play never shows: taken off (data.openings=keep leaves them)`
    : `${count} first observations begin with words of their client, which play never shows: data.openings=strip takes them off`;
}

async function runSft(
  recipe: SftRecipe,
  directory: RunDirectory,
  from: number,
  { signal, events }: StartOptions,
): Promise<TrainResult> {
  return failing(directory, async () => {
    const onNotice = noted(directory, events);
    await using environments = await openEnvironments(recipe, signal, onNotice);
    const { data } = recipe;
    const pools: ExpertPool[] = await Promise.all(
      data.experts.map(async (entry) => ({ entry, environment: await environments.open(entry) })),
    );
    const train = [data.train].flat();
    const held = [data.validation].flat();
    const counts = data.source === 'files' ? await checkFiles(train, recipe) : undefined;
    if (held.length > 0) await checkFiles(held);
    if (counts && counts.openings > 0) onNotice(openingsNote(counts.openings, data.openings));
    const { format } = await openPrompting({ ...recipe.agent, format: recipe.agent.format ?? 'direct' });
    const demonstrations = (renderer?: Renderer, seed = recipe.seed): Demonstrations =>
      new Demonstrations({ pools, format, renderer, seed, maxTurns: data.max_turns });
    await using engine = await openStart(recipe, from, directory, demonstrations, onNotice);
    await recordBits(engine, directory);
    const renderer = createRenderer(engine.model.tokenizer, {
      template: engine.model.chatTemplate,
      thinking: recipe.agent.thinking ?? undefined,
    });
    const maxTokens = Math.min(data.max_tokens ?? Infinity, engine.model.context);
    const files = (paths: readonly string[], part: Part, epochs: number | null, rows?: number): SftSource =>
      new FileSource({ paths, renderer, recipe, maxTokens, part, epochs, rows });
    const part = data.hold_out > 0 && held.length === 0 ? 'training' : 'all';
    const rows = counts && counts.conversations - (part === 'training' ? counts.held : 0);
    const limited = (recipe.steps ?? recipe.minutes ?? recipe.tokens) !== null;
    const source: SftSource =
      data.source === 'experts'
        ? new ExpertSource(demonstrations(renderer), recipe, maxTokens)
        : files(train, part, data.epochs ?? (limited ? null : 1), rows);
    const validation = async (): Promise<SftSource> => {
      if (data.source === 'files') return held.length > 0 ? files(held, 'all', 1) : files(train, 'validation', 1);
      const fixed = new ExpertSource(demonstrations(renderer, recipe.seed + 1), recipe, maxTokens);
      await fixed.restore({ drawn: 1_000_000_000, curriculum: { level: data.curriculum.levels - 1, seen: [] } });
      return fixed;
    };
    const has = data.source === 'experts' || held.length > 0 || data.hold_out > 0;
    const parts = { engine, source, ...(has ? { validation } : {}), ...poolParts(environments) };
    return await trainSft(recipe, parts, directory, { signal, from, ...(events ? { events } : {}) });
  });
}

/** The engine an SFT run starts with: a policy's weights, or a fresh model with a tokenizer of its own. */
async function openStart(
  recipe: SftRecipe,
  from: number,
  directory: RunDirectory,
  demonstrations: () => Demonstrations,
  onNotice: (text: string) => void,
): Promise<Engine> {
  // A checkpoint's folder is no name that a Tinker server knows: that one stays the policy's.
  const named = typeof recipe.policy === 'string' ? recipe.policy.replace(/^hf:/, '') : null;
  const open = { config: { ...recipe.engine, model: recipe.engine.model ?? named }, seed: recipe.seed, onNotice };
  if (from > 0) return openEngine(`hf:${directory.checkpoints.path(from)}`, open);
  if (typeof recipe.policy === 'string') {
    return openEngine(recipe.policy, { ...open, ...(await templateFor(recipe)) });
  }
  const { fresh } = recipe.policy;
  const { source, train } = recipe.data;
  const texts =
    source === 'experts'
      ? await demonstrationTexts(demonstrations(), fresh.tokenizer_samples)
      : await conversationTexts([train].flat(), fresh.tokenizer_samples);
  return openFreshModel({ fresh, engine: recipe.engine, seed: recipe.seed, texts });
}

/** The chat template that a recipe puts in place of the model's own. */
async function templateFor({ agent }: Pick<RlRecipe | SftRecipe, 'agent'>): Promise<{ readonly template?: string }> {
  return agent.chat_template === null ? {} : { template: await templateOf(agent.chat_template) };
}

function poolParts(environments: Environments): PoolParts {
  return { environment: (entry) => environments.open(entry), limits: (name) => environments.limits(name) };
}

function taskTitle(entry: RlRecipe['tasks'][number]): string {
  return 'file' in entry
    ? [entry.file]
        .flat()
        .map((file) => basename(file))
        .join('+')
    : entry.env;
}

/** A run whose parts could not be opened has failed, and says so in its directory. */
async function failing(directory: RunDirectory, work: () => Promise<TrainResult>): Promise<TrainResult> {
  try {
    return await work();
  } catch (thrown) {
    const error = AgogeError.from(thrown, 'TRAIN_FAILED', 'training could not start');
    if (directory.info.status !== 'failed') await directory.fail(error);
    throw error;
  }
}

function versions(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  return { agoge: version, node: process.versions.node };
}

/** Says in the run whether it can be repeated bit by bit on this machine. */
async function recordBits(engine: Engine, directory: RunDirectory): Promise<void> {
  const dependOn = engine.dependenciesOfBits?.();
  await directory.update({ bits: dependOn ? { dependOn } : null });
  if (dependOn && dependOn.length > 0)
    await directory.note(`not reproducible bit by bit on this machine: the last bits depend on ${dependOn.join(' and on ')}`);
}

/** From an SFT recipe to a run: looks at its data, opens engine and sources, trains, and closes everything in the end. */
import { checkpointNote } from '../../agent/policy-files.ts';
import { openPrompting } from '../../agent/prompting.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { ModelTokenizer } from '../../engine/embedded/models/tokenizers/tokenizer.ts';
import type { Engine } from '../../engine/engine.ts';
import { createRenderer, type Renderer } from '../../policy/renderer.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { dataGaps, settleSftAgent } from '../run/agent-setup.ts';
import type { TrainResult } from '../run/events.ts';
import { openFreshModel } from '../run/fresh-model.ts';
import { openEngine, openEnvironments, deckParts, evaluationConcurrency, templateFor } from '../run/open-parts.ts';
import { createRun, noted, recordBits, whileOpening, withNote, type StartOptions, type Stoppable } from '../run/opening.ts';
import { DemonstrationThreads } from './demonstration-threads.ts';
import { Demonstrations, type ExpertDeck } from './demonstrations.ts';
import { ExpertSource } from './expert-source.ts';
import { checkFiles, FileSource, type Part } from './file-source.ts';
import type { SftSource } from './source.ts';
import { conversationTexts, demonstrationTexts } from './texts.ts';
import { trainSft } from './trainer.ts';

/** Trains on conversations, from the recipe to the last checkpoint; throws RUN_EXISTS. */
export async function startSft(given: SftRecipe, plain: StartOptions = {}): Promise<TrainResult> {
  const options = withNote(plain, typeof given.policy === 'string' ? await checkpointNote(given.policy) : undefined);
  const { data: asked } = given;
  const counts = asked.source === 'files' ? await checkFiles([asked.train].flat(), given, options.signal) : undefined;
  const recipe = { ...given, agent: settleSftAgent(given.agent, counts?.written) };
  const { data, policy } = recipe;
  const learned = data.source === 'experts' ? [...new Set(data.experts.map(({ env }) => env))] : [data.train].flat();
  const title = ['sft', learned.join('+'), typeof policy === 'string' ? policy : `fresh ${policy.fresh.preset}`].join(' · ');
  const formats = dataGaps(counts?.written, recipe.agent.format);
  return runSft(recipe, await createRun(recipe, { kind: 'sft', title, formats }, options), 0, options);
}

export async function runSft(
  recipe: SftRecipe,
  directory: RunDirectory,
  from: number,
  options: Stoppable<StartOptions>,
): Promise<TrainResult> {
  return whileOpening(directory, options, from, async () => {
    const { signal, events } = options;
    const onNotice = noted(directory, events);
    await using environments = await openEnvironments(recipe, signal, onNotice);
    const { data } = recipe;
    const decks: ExpertDeck[] = await Promise.all(
      data.experts.map(async (entry) => ({ entry, environment: await environments.open(entry) })),
    );
    const train = [data.train].flat();
    const held = [data.validation].flat();
    const counts = data.source === 'files' ? await checkFiles(train, recipe, signal) : undefined;
    if (held.length > 0) await checkFiles(held, undefined, signal);
    if (counts && counts.openings > 0) onNotice(openingsNote(counts.openings, data.openings));
    const { format } = await openPrompting({ ...recipe.agent, format: recipe.agent.format ?? 'direct' });
    const demonstrations = (renderer?: Renderer, seed = recipe.seed): Demonstrations =>
      new Demonstrations({ decks, format, renderer, seed, maxTurns: data.max_turns });
    await using engine = await openStart(recipe, from, directory, demonstrations, onNotice, signal);
    await recordBits(engine, directory);
    const renderer = createRenderer(engine.model.tokenizer, {
      template: engine.model.chatTemplate,
      thinking: recipe.agent.thinking ?? undefined,
    });
    await using threads = demonstrationThreads(recipe, engine);
    const maxTokens = Math.min(data.max_tokens ?? Infinity, engine.model.context);
    const files = (paths: readonly string[], part: Part, epochs: number | null, rows?: number): SftSource =>
      new FileSource({ paths, renderer, recipe, maxTokens, part, epochs, rows });
    const part = data.hold_out > 0 && held.length === 0 ? 'training' : 'all';
    const rows = counts && counts.conversations - (part === 'training' ? counts.held : 0);
    const limited = (recipe.steps ?? recipe.minutes ?? recipe.tokens) !== null;
    const source: SftSource =
      data.source === 'experts'
        ? new ExpertSource(threads ?? demonstrations(renderer), recipe, maxTokens)
        : files(train, part, data.epochs ?? (limited ? null : 1), rows);
    const validation = async (): Promise<SftSource> => {
      if (data.source === 'files') return held.length > 0 ? files(held, 'all', 1) : files(train, 'validation', 1);
      const fixed = new ExpertSource(demonstrations(renderer, recipe.seed + 1), recipe, maxTokens);
      await fixed.restore({ drawn: 1_000_000_000, curriculum: { level: data.curriculum.levels - 1, seen: [] } });
      return fixed;
    };
    const has = data.source === 'experts' || held.length > 0 || data.hold_out > 0;
    const parts = { engine, source, ...(has ? { validation } : {}), ...deckParts(environments) };
    return await trainSft(recipe, parts, directory, { signal, from, ...(events ? { events } : {}) });
  });
}

function openingsNote(count: number, openings: 'strip' | 'keep'): string {
  return openings === 'strip'
    ? `${count} first observations begin with words of their client, which play never shows: taken off (data.openings=keep leaves them)`
    : `${count} first observations begin with words of their client, which play never shows: data.openings=strip takes them off`;
}

/** Threads that play demonstrations, where the recipe asks for them. */
function demonstrationThreads({ data, agent, seed }: SftRecipe, { model }: Engine): DemonstrationThreads | undefined {
  if (data.source !== 'experts' || data.threads === 0) return undefined;
  if (!(model.tokenizer instanceof ModelTokenizer) || data.experts.some(({ url }) => url !== null)) {
    throw new AgogeError('TRAIN_THREAD', 'data.threads play environments of this process for its own engine: set data.threads=0');
  }
  return new DemonstrationThreads(data.threads, {
    entries: data.experts,
    prompt: { ...agent, format: agent.format ?? 'direct' },
    tokenizer: model.tokenizer.files,
    chatTemplate: model.chatTemplate,
    seed,
    maxTurns: data.max_turns,
  });
}

/** The engine an SFT run starts with: a policy's weights, or a fresh model with a tokenizer of its own. */
async function openStart(
  recipe: SftRecipe,
  from: number,
  directory: RunDirectory,
  demonstrations: () => Demonstrations,
  onNotice: (text: string) => void,
  signal: AbortSignal,
): Promise<Engine> {
  // A checkpoint's folder is no name that a Tinker server knows: that one stays the policy's.
  const named = typeof recipe.policy === 'string' ? recipe.policy.replace(/^hf:/, '') : null;
  const { engine, seed, optimizer } = recipe;
  const config = { ...engine, model: engine.model ?? named };
  const open = { config, seed, optimizer, onNotice, concurrency: evaluationConcurrency };
  if (from > 0) return openEngine(`hf:${directory.checkpoints.path(from)}`, open);
  if (typeof recipe.policy === 'string') {
    return openEngine(recipe.policy, { ...open, ...(await templateFor(recipe)) });
  }
  const { fresh } = recipe.policy;
  const { source, train } = recipe.data;
  const texts = (): Promise<string[]> =>
    source === 'experts'
      ? demonstrationTexts(demonstrations(), fresh.tokenizer_samples, fresh.rules, signal)
      : conversationTexts([train].flat(), fresh.tokenizer_samples, signal);
  return openFreshModel({ fresh, engine: recipe.engine, seed: recipe.seed, texts, signal });
}

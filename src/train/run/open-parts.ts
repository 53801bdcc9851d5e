/** From the words of a recipe to what a trainer needs: engines by policy name, environments with the recipe's servers and time-outs. */
import { Environments } from '../../agent/environments.ts';
import { readInteractions } from '../../agent/interaction-config.ts';
import { modelPath } from '../../agent/policy-files.ts';
import { templateOf } from '../../agent/prompting.ts';
import type { EngineConfig, OptimizerConfig } from '../../config/recipe/shared-keys.ts';
import { callerOptions } from '../../config/recipe/servers.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { EmbeddedOptions } from '../../engine/embedded/embedded.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Sampler } from '../../policy/engine-policy.ts';
import { parsePolicy } from '../../policy/spec.ts';
import type { DeckParts } from '../tasks/deck.ts';

/** Episodes that an imitation run's evaluations play at once. */
export const evaluationConcurrency = 256;

/** The environments of a recipe: the servers of its interaction file, its waiting and its time-outs. */
export async function openEnvironments(
  { interactions, agent, servers }: Pick<RlRecipe | SftRecipe, 'interactions' | 'agent' | 'servers'>,
  signal?: AbortSignal,
  notice?: (text: string) => void,
): Promise<Environments> {
  return new Environments({
    signal,
    interactions: interactions === null ? [] : await readInteractions(interactions),
    timeout: agent.step_deadline,
    wait: agent.wait,
    servers: callerOptions(servers),
    notice,
  });
}

/** Environments as decks of tasks ask for them. */
export function deckParts(environments: Environments): DeckParts {
  return { environment: (entry) => environments.open(entry), limits: (name) => environments.limits(name) };
}

/** The chat template that a recipe puts in place of the model's own. */
export async function templateFor({ agent }: Pick<RlRecipe | SftRecipe, 'agent'>): Promise<{ readonly template?: string }> {
  return agent.chat_template === null ? {} : { template: await templateOf(agent.chat_template) };
}

/** The folder, file or hub name of a policy's weights; throws where the policy has none. */
export async function weightsOf(policy: string): Promise<string> {
  return modelPath(parsePolicy(policy));
}

export interface OpenEngineOptions {
  readonly config: EngineConfig;
  readonly head?: 'language' | 'value';
  /** Of a value head: false leaves it without a bias (reward models). */
  readonly scoreBias?: false;
  /** Instead of the model's own chat template. */
  readonly template?: string;
  /** Episodes that are played at once, at most: a card keeps no more keys and values than theirs. */
  readonly concurrency?: number;
  /** Of fresh adapters, here or on a Tinker server. */
  readonly seed?: number;
  /** How the run will step: a server that cannot says so before the run begins. */
  readonly optimizer?: OptimizerConfig;
  /** What happens to an engine on another machine while the run goes on. */
  readonly onNotice?: (text: string) => void;
}

/** An engine with a policy's weights. */
export async function openEngine(policy: string, options: OpenEngineOptions): Promise<Engine> {
  const { config, head, template, scoreBias, seed, concurrency } = options;
  if (config.tinker !== null || config.kind === 'tinker') return openTinker(policy, options);
  const [{ EmbeddedEngine }, { targetsOf }] = await Promise.all([
    import('../../engine/embedded/embedded.ts'),
    import('../../engine/embedded/network/lora.ts'),
  ]);
  return EmbeddedEngine.open({
    model: await weightsOf(policy),
    ...(config.lora === null ? {} : { lora: { ...config.lora, targets: targetsOf(config.lora.targets) }, frozen: config.frozen }),
    ...(seed === undefined ? {} : { seed }),
    ...placeOf(config),
    sampling: {
      ...(config.sampling_weights === 'float32' ? {} : { numbers: config.sampling_weights }),
      ...(config.fixed_width ? { fixedWidth: true } : {}),
      ...(concurrency === undefined ? {} : { atOnce: concurrency }),
    },
    ...(head === undefined ? {} : { head }),
    ...(scoreBias === undefined ? {} : { scoreBias }),
    ...(template === undefined ? {} : { chatTemplate: template }),
  });
}

/** The server that samples from this engine's weights, where the recipe names one. */
export async function openSampler(
  engine: Engine,
  { config, onNotice }: Pick<OpenEngineOptions, 'config' | 'onNotice'>,
): Promise<Sampler | undefined> {
  if (config.sampler === null) return undefined;
  const { url, model, folder } = config.sampler;
  const { RemoteSampler } = await import('../sampler/remote-sampler.ts');
  return RemoteSampler.open({
    engine,
    adapters: config.lora !== null,
    url,
    model,
    apiKey: process.env['OPENAI_API_KEY'],
    folder: folder ?? undefined,
    patience: config.patience * 1000,
    onNotice,
  });
}

/** Where and with how many threads the embedded engine computes. */
export function placeOf(config: EngineConfig): Pick<EmbeddedOptions, 'device' | 'numbers' | 'threads' | 'cardMemory'> {
  const { device, numbers, threads, card_memory: gibibytes } = config;
  return {
    device,
    ...(numbers === null ? {} : { numbers }),
    ...(threads === null ? {} : { threads }),
    ...(gibibytes === null ? {} : { cardMemory: gibibytes * 2 ** 30 }),
  };
}

/** A model on a Tinker server; tokenizer and template are those of the policy, whose weights stay where they are. */
async function openTinker(
  policy: string,
  { config, head, template, seed, optimizer, onNotice }: OpenEngineOptions,
): Promise<Engine> {
  const url = config.tinker ?? config.url;
  if (url === null || !/^https?:\/\//.test(url))
    throw new AgogeError(
      'TRAIN_NO_ENGINE',
      `engine.tinker is ${url ?? 'missing'}: give the address of a server, such as http://127.0.0.1:8000`,
    );
  if (head === 'value')
    throw new AgogeError(
      'TRAIN_NO_CRITIC',
      'a Tinker server trains no value head, so there is no critic: use an estimator without one (algorithm.name=grpo, rloo or reinforce++), or the embedded engine',
    );
  const [{ TinkerEngine }, { readWords }] = await Promise.all([
    import('../../engine/tinker/client/engine.ts'),
    import('../../engine/embedded/models/load.ts'),
  ]);
  const words = await readWords(await weightsOf(policy));
  const rank = config.lora_rank ?? config.lora?.rank;
  return TinkerEngine.open({
    url,
    // Servers without accounts take any key; the SDK's own check wants this shape.
    key: process.env['TINKER_API_KEY'] ?? 'tml-none',
    baseModel: config.model ?? policy.replace(/^hf:/, ''),
    words: template === undefined ? words : { ...words, chatTemplate: template },
    server: config.server,
    verify: config.verify,
    saveEvery: config.save_every,
    patience: config.patience * 1000,
    ...(rank === undefined ? {} : { rank }),
    ...(optimizer && { optimizer: { clipNorm: optimizer.clip_norm, embeddingRate: optimizer.embedding_rate } }),
    ...(seed === undefined ? {} : { seed: seed % 2 ** 31 }),
    ...(onNotice === undefined ? {} : { onNotice }),
  });
}

/**
 * The Engine contract on a Tinker server: Thinking Machines' service, SkyRL on Ray or JAX, or our own. Every loss works: a forward
 * pass gives the log-probabilities, the loss its derivative here, and a second pass whose loss is linear takes it back. What the wire
 * cannot carry (temperature while training, a value head, entropy in a loss) is refused with the reason; `forward` gives no entropies.
 */
import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import type { LoadedModel } from '../../embedded/models/checkpoint.ts';
import type {
  AdamParams,
  BuiltinLoss,
  Datum,
  Engine,
  ForwardOptions,
  Loss,
  LossGradient,
  LossReport,
  ModelInfo,
  OptimReport,
  Sample,
  SampleRequest,
  TokenScores,
} from '../../engine.ts';
import * as answers from '../wire/answers.ts';
import { builtinPass, remainder } from './builtin.ts';
import { ask } from './call.ts';
import { checkData, scoresOf, wireDatum } from './data.ts';
import { checkAdam, checkBetas, probe, type Limited, type ServerKind } from './profile.ts';
import { linearMean, linearSum } from './linear-pass.ts';
import { RemoteModel, type Pass, type Profile } from './remote-model.ts';
import { sampleOnce } from './sampling.ts';
import { Transport, LostError, type TransportOptions } from './transport.ts';
import { Verification } from './verification.ts';

export interface TinkerOptions extends TransportOptions {
  /** The server's name of the base model. */
  readonly baseModel: string;
  readonly rank?: number;
  readonly seed?: number;
  /** Tokenizer, template and sizes, which the wire does not carry. */
  readonly words: Pick<LoadedModel, 'config' | 'tokenizer' | 'chatTemplate'>;
  readonly server?: ServerKind;
  /** Check once per version that training and sampling weights are the same ones. Default true. */
  readonly verify?: boolean;
  readonly saveEvery?: number;
  /** How the run will step: refused when the engine opens where the server cannot. */
  readonly optimizer?: Limited;
  /** Samples asked for at once. Default 1024. */
  readonly concurrency?: number;
  readonly onNotice?: (text: string) => void;
  /** Milliseconds between two tries on a server that has no room for another model. Default 10 s. */
  readonly roomPause?: number;
}

interface Sampler {
  readonly id: string;
  readonly version: number;
  readonly life: number;
}

const record = z.object({ v: z.literal(1), path: z.string(), base_model: z.string(), rank: z.number(), version: z.number() });
const tinkerFile = 'tinker.json';

export class TinkerEngine implements Engine {
  readonly model: ModelInfo;
  private steps = 0;
  private adamSteps = 0;
  private sampling: Promise<Sampler> | undefined;
  private sampleNumber = 0;
  private flying = 0;
  private waiting: (() => void)[] = [];
  /** On SkyRL's JAX server sampling and stepping take turns. */
  private stepping: Promise<unknown> = Promise.resolve();
  /** Passes whose scale is known only when all data of an optimizer step are: on JAX. */
  private held: { readonly batch: readonly Datum[]; readonly gradient: readonly Float32Array[] }[] = [];
  private readonly verification: Verification;

  private constructor(
    private readonly options: TinkerOptions,
    private readonly transport: Transport,
    private readonly remote: RemoteModel,
    private readonly profile: Profile,
  ) {
    const { config, tokenizer, chatTemplate } = options.words;
    this.model = {
      family: config.family,
      head: 'language',
      parameters: 0,
      layers: config.layers,
      hidden: config.hidden,
      vocabulary: config.vocabulary,
      context: config.context,
      tokenizer,
      chatTemplate,
    };
    this.verification = new Verification(transport, (batch) => this.scored(batch));
  }

  /** Reaches the server, creates the model there and finds out what kind of server it is. */
  static async open(options: TinkerOptions): Promise<TinkerEngine> {
    const transport = new Transport(options);
    try {
      const config = await ask(transport, 'client/config', { sdk_version: '0.36.0' }, answers.clientConfig);
      if (config.pjwt_auth_enabled)
        throw new AgogeError(
          'ENGINE_TINKER_KEY',
          'this server wants its keys exchanged for short-lived ones, which is not known here: use a key it takes as it is',
        );
      const capabilities = await ask(transport, 'get_server_capabilities', undefined, answers.capabilities);
      const names = capabilities.supported_models.flatMap(({ model_name: name }) => name ?? []);
      if (names.length > 0 && !names.includes(options.baseModel))
        throw new AgogeError(
          'ENGINE_TINKER_UNKNOWN',
          `the server at ${transport.place} has no model "${options.baseModel}": set engine.model to one of ${names.slice(0, 20).join(', ')}`,
        );
      const remote = new RemoteModel({
        transport,
        baseModel: options.baseModel,
        rank: options.rank ?? 32,
        seed: options.seed ?? randomInt(2 ** 31),
        saveEvery: options.saveEvery ?? 20,
        onNotice: options.onNotice,
        roomPause: options.roomPause,
      });
      const proto = config.proto_write_fwdbwd || transport.place.endsWith('thinkingmachines.dev');
      remote.wire = { proto };
      const kind = options.server === undefined || options.server === 'auto' ? await probe(remote) : options.server;
      const engine = new TinkerEngine(options, transport, remote, { kind, proto, wideSeeds: capabilities.server === 'agoge' });
      try {
        checkAdam(kind, options.optimizer ?? {});
      } catch (thrown) {
        await engine[Symbol.asyncDispose]();
        throw thrown;
      }
      return engine;
    } catch (thrown) {
      await transport[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  get version(): number {
    return this.steps;
  }

  async sample(asked: SampleRequest): Promise<Sample> {
    const request = this.profile.wideSeeds ? asked : { ...asked, seed: asked.seed % 2 ** 31 };
    await this.turn();
    try {
      for (;;) {
        if (this.profile.kind === 'skyrl-jax') await this.afterStep();
        const { id, version, life } = await this.sampler();
        try {
          return { ...(await sampleOnce(this.transport, id, this.sampleNumber++, request, this.model)), version };
        } catch (thrown) {
          request.signal?.throwIfAborted();
          if (!(thrown instanceof LostError)) throw thrown;
          this.sampling = undefined;
          await this.remote.rebuild(life);
        }
      }
    } finally {
      this.flying--;
      this.waiting.shift()?.();
    }
  }

  /** Scores have no entropies here, also where they are asked for: the wire carries none. */
  async forward(batch: readonly Datum[], options: ForwardOptions = {}): Promise<TokenScores[]> {
    refuseTemperature(options);
    return this.scored(batch);
  }

  async forwardBackward(batch: readonly Datum[], loss: Loss, options: ForwardOptions = {}): Promise<LossReport> {
    refuseTemperature(options);
    if (options.entropy === true)
      throw new AgogeError('ENGINE_TINKER_ENTROPY', 'a Tinker server tells no entropies: set algorithm.entropy=0');
    const tokens = batch.reduce((sum, one) => sum + one.tokens.length, 0);
    if (loss.slopes && this.profile.kind === 'sum' && batch.every(hasScores)) {
      checkData(batch, this.model);
      const scores = scoresOf(batch, await this.remote.backward(linearSum(batch, loss.slopes)));
      this.verification.remember(batch, scores, this.steps);
      const { loss: value, metrics = {} } = loss(scores);
      return { loss: value, scores, metrics, computedTokens: tokens, tokens };
    }
    if (loss.builtin && this.has(loss.builtin.name) && batch.every(hasScores)) {
      checkData(batch, this.model);
      const scores = scoresOf(batch, await this.remote.backward(builtinPass(batch, loss.builtin)));
      this.verification.remember(batch, scores, this.steps);
      const { loss: value, gradient, metrics = {} } = finite(loss(scores));
      const rest = remainder(loss.builtin, scores, gradient);
      if (rest) this.verification.sameWeights(scores, scoresOf(batch, await this.remote.backward(linearSum(batch, rest))));
      return { loss: value, scores, metrics, computedTokens: rest ? 2 * tokens : tokens, tokens };
    }
    const scores = await this.scored(batch);
    const { loss: value, gradient, metrics = {} } = finite(loss(scores));
    this.verification.remember(batch, scores, this.steps);
    const sent = { batch: batch.filter(hasScores), gradient: gradient.filter((row) => row.length > 0) };
    if (this.profile.kind === 'skyrl-jax') this.held.push(sent);
    else if (sent.batch.length > 0) {
      const again = scoresOf(sent.batch, await this.remote.backward(linearSum(sent.batch, sent.gradient)));
      this.verification.sameWeights(
        scores.filter((row) => row.scores.length > 0),
        again,
      );
    }
    return { loss: value, scores, metrics, computedTokens: 2 * tokens, tokens };
  }

  optimStep(adam: AdamParams): Promise<OptimReport> {
    const done = this.step(adam);
    this.stepping = done.catch(() => undefined);
    return done;
  }

  async save(folder: string): Promise<void> {
    const path = await this.remote.save(`agoge-${Date.now().toString(36)}-v${this.steps}`);
    const { saveWords } = await import('../../embedded/models/checkpoint.ts');
    await mkdir(folder, { recursive: true });
    await saveWords(folder, this.options.words);
    const kept = { v: 1, path, base_model: this.options.baseModel, rank: this.options.rank ?? 32, version: this.adamSteps };
    await writeFile(join(folder, tinkerFile), `${JSON.stringify(kept, null, 2)}\n`, { flush: true });
  }

  async load(folder: string): Promise<void> {
    const text = await readFile(join(folder, tinkerFile), 'utf8').catch(() => undefined);
    if (text === undefined)
      throw new AgogeError(
        'ENGINE_TINKER_LOAD',
        `${folder} has no ${tinkerFile}, which names weights on a Tinker server: load it with the embedded engine`,
      );
    const kept = record.parse(JSON.parse(text));
    this.held = [];
    await this.remote.load(kept.path);
    this.adamSteps = kept.version;
    this.steps++;
    this.sampling = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.remote[Symbol.asyncDispose]();
    await this.transport[Symbol.asyncDispose]();
  }

  /** SkyRL's JAX server scales by data that are not known yet; its Ray backends take no bounds for CISPO. */
  private has(name: BuiltinLoss['name']): boolean {
    return this.profile.kind === 'sum' && (name === 'ppo' || !this.remote.skyrl);
  }

  private async scored(batch: readonly Datum[]): Promise<TokenScores[]> {
    checkData(batch, this.model);
    // An episode without a word has nothing to score: it stays here.
    const sent = batch.filter(hasScores);
    const data = sent.map((datum) => wireDatum(datum, { weights: new Float32Array(datum.tokens.length).fill(1) }));
    const pass: Pass = { data, lossFn: 'cross_entropy', config: {}, forwardOnly: true };
    const scores = sent.length === 0 ? [] : scoresOf(sent, await this.remote.forward(pass));
    let next = 0;
    return batch.map((datum) => (hasScores(datum) ? scores[next++] : undefined) ?? { scores: new Float32Array() });
  }

  private async step(adam: AdamParams): Promise<OptimReport> {
    const jax = this.profile.kind === 'skyrl-jax';
    const { clipNorm = 0, beta1 = 0.9, beta2 = 0.95 } = adam;
    checkAdam(this.profile.kind, adam);
    if (jax) {
      while (this.flying > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const total = this.held.reduce((sum, { batch }) => sum + batch.length, 0);
      for (const { batch, gradient } of this.held)
        if (batch.length > 0) await this.remote.backward(linearMean(batch, gradient, total));
      this.held = [];
    }
    const metrics = await this.remote.optimStep({
      learning_rate: adam.learningRate,
      beta1,
      beta2,
      eps: adam.epsilon ?? 1e-8,
      weight_decay: adam.weightDecay ?? 0,
      grad_clip_norm: clipNorm,
    });
    if (jax) checkBetas(metrics, adam.learningRate, [beta1, beta2]);
    this.steps++;
    this.adamSteps++;
    this.sampling = undefined;
    const [, norm] = Object.entries(metrics).find(([name]) => name.endsWith('grad_norm')) ?? [];
    return { ...(norm !== undefined && { gradientNorm: norm }), step: this.adamSteps };
  }

  /** The weights of this version, ready to sample from; made by the first sample that needs them. */
  private sampler(): Promise<Sampler> {
    this.sampling ??= (async () => {
      const version = this.steps;
      const id = await this.remote.sampler();
      const life = this.remote.life;
      if (this.options.verify !== false) await this.verification.sampler(id, () => this.sampleNumber++, version);
      return { id, version, life };
    })();
    const mine = this.sampling;
    mine.catch(() => {
      if (this.sampling === mine) this.sampling = undefined;
    });
    return mine;
  }

  /** While a step is under way a sample waits, and does not count as one that the step must wait for. */
  private async afterStep(): Promise<void> {
    this.flying--;
    await this.stepping;
    this.flying++;
  }

  private async turn(): Promise<void> {
    while (this.flying >= (this.options.concurrency ?? 1024)) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.flying++;
  }
}

/** Thrown before an optimizer step: what was passed back is never applied. */
function finite(result: LossGradient): LossGradient {
  if (!Number.isFinite(result.loss) || result.gradient.some((row) => !row.every(Number.isFinite)))
    throw new AgogeError(
      'ENGINE_NONFINITE_LOSS',
      'the loss or its gradient is not finite; nothing was learned from the batch: look at its rewards, advantages and old log-probabilities',
    );
  return result;
}

function hasScores({ mask }: Datum): boolean {
  return mask.includes(1);
}

/** A recipe that asks for another one would silently train something else. */
function refuseTemperature({ temperature = 1 }: ForwardOptions): void {
  if (temperature !== 1)
    throw new AgogeError(
      'ENGINE_TINKER_TEMPERATURE',
      `a Tinker server scores at temperature 1, not ${temperature}: set rollout.temperature=1`,
    );
}

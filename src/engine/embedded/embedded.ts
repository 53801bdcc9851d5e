/**
 * The embedded engine: trains and samples a decoder-only language model in this process, on the CPU, through ONNX Runtime.
 * Engines (policy, reference, critic) share one thread pool. Calls that read or change the weights take turns in the order they
 * were made; sampling runs beside them, and always from whole weights.
 */
import { AgogeError } from '../../core/error.ts';
import type {
  AdamParams,
  Datum,
  Engine,
  ForwardOptions,
  Loss,
  LossReport,
  ModelInfo,
  OptimReport,
  Sample,
  SampleRequest,
  TokenScores,
} from '../engine.ts';
import { dependenciesOfBits } from './bits-check.ts';
import { findAdapters, readAdapters, saveAdapters } from './models/adapter-folder.ts';
import { loadFolder, saveFolder, type LoadedModel } from './models/checkpoint.ts';
import type { ModelTokenizer } from './models/tokenizer.ts';
import type { ModelConfig } from './network/config.ts';
import { layoutOf, sharedFloats, weightOf } from './network/layout.ts';
import type { LoraConfig } from './network/lora.ts';
import { accumulatorsOf } from './network/size.ts';
import { refuseIfTooLarge } from './memory.ts';
import { openModel, openWithAdapters } from './open-model.ts';
import { loadOptimizer, optimizerFile, optimizerTensors } from './optimizer-state.ts';
import { Runtime, type RuntimeSettings } from './runtime/runtime.ts';
import { Sampler, type SamplerOptions, type SamplerStatistics } from './sampling/sampler.ts';
import type { AdamState } from './train/adamw.ts';
import { Learner, type LearnerOptions, type LearnerStatistics } from './train/learner.ts';

/** Which model, and with how many threads. */
export interface EmbeddedOptions extends RuntimeSettings, LearnerOptions {
  /** A Hugging Face folder, a .gguf file or hf:owner/name … */
  readonly model?: string;
  /** … or the config of a fresh model, whose weights come from `seed`. */
  readonly config?: ModelConfig;
  readonly seed?: number;
  /** Of a fresh model; one token per byte where none is given. */
  readonly tokenizer?: ModelTokenizer;
  /** Of a fresh model, or instead of the loaded model's own; it is saved with the weights. */
  readonly chatTemplate?: string;
  /** A value head over the trunk of a language model, or the other way round. Default: what the model has. */
  readonly head?: ModelConfig['head'];
  /** Of a value head: false keeps its bias at zero and out of checkpoints, as transformers' sequence classifiers have none. */
  readonly scoreBias?: false;
  /** Shortens the context. */
  readonly context?: number;
  /** Trains adapters beside frozen weights. A model folder of PEFT's goes on with the adapters it has; `seed` is that of fresh ones. */
  readonly lora?: LoraConfig;
  /**
   * Keeps the weights as they are stored (`stored`: bfloat16 where the files have it), without a gradient: with `lora`, where it is
   * the default, or to sample and score only.
   */
  readonly frozen?: 'float32' | 'bfloat16' | 'stored';
  readonly sampling?: Pick<SamplerOptions, 'memory' | 'slots' | 'lanes' | 'fixedWidth' | 'numbers'>;
  readonly onDownload?: (file: string, loaded: number, total: number) => void;
}

/**
 * The engine inside Node: samples and trains on this processor.
 *
 * @example
 * await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
 * const prompt = engine.model.tokenizer.encode('You have');
 * const { tokens } = await engine.sample({ prompt, maxTokens: 4, seed: 1 });
 * console.log(engine.model.tokenizer.decode(tokens));
 */
export class EmbeddedEngine implements Engine {
  private steps = 0;
  private queue: Promise<unknown> = Promise.resolve();
  /** Settled when no call is changing the weights. */
  private wholeWeights: Promise<unknown> = Promise.resolve();
  private learning: Learner | undefined;
  private sampling: Sampler | undefined;
  private closed = false;

  private constructor(
    private loaded: LoadedModel,
    private readonly options: EmbeddedOptions,
    /** What adapters belong to, by the name that they are saved with. */
    private readonly base: string | undefined,
  ) {}

  static async open(options: EmbeddedOptions): Promise<EmbeddedEngine> {
    Runtime.open({ threads: options.threads, spinning: options.spinning });
    const { lora } = options;
    if (!lora) return new EmbeddedEngine(await openModel(options), options, undefined);
    const { base, ...loaded } = await openWithAdapters(options, lora);
    return new EmbeddedEngine(loaded, options, base);
  }

  get model(): ModelInfo {
    const { config, tokenizer, chatTemplate } = this.loaded;
    return {
      family: config.family,
      head: config.head,
      parameters: layoutOf(config).length,
      layers: config.layers,
      hidden: config.hidden,
      vocabulary: config.vocabulary,
      context: config.context,
      tokenizer,
      chatTemplate,
      ...(config.padToken === undefined ? {} : { padToken: config.padToken }),
    };
  }

  get version(): number {
    return this.steps;
  }

  get config(): ModelConfig {
    return this.loaded.config;
  }

  /** The live weights that are trained, as `trainedLayout` places them: for tests and exports. Not to be changed while calls run. */
  get weights(): Float32Array {
    return this.loaded.weights;
  }

  get samplerStatistics(): SamplerStatistics | undefined {
    return this.sampling?.statistics;
  }

  get learnerStatistics(): LearnerStatistics | undefined {
    return this.learning?.statistics;
  }

  async sample(request: SampleRequest): Promise<Sample> {
    // Another change may have begun while this one was waited for.
    for (let whole: unknown; whole !== this.wholeWeights;) await (whole = this.wholeWeights);
    this.refuseIfClosed();
    return this.sampler().sample(request);
  }

  forward(batch: readonly Datum[], options: ForwardOptions = {}): Promise<TokenScores[]> {
    return this.inOrder(() => this.learner().forward(batch, options));
  }

  forwardBackward(batch: readonly Datum[], loss: Loss, options: ForwardOptions = {}): Promise<LossReport> {
    return this.inOrder(() => {
      if (this.loaded.layout.length === 0) {
        throw new AgogeError(
          'ENGINE_FROZEN',
          'the weights of this engine are frozen: open it with adapters (lora) or without `frozen` to train it',
        );
      }
      if (this.learning?.hasGradient !== true) this.refuseIfTraining();
      return this.learner().forwardBackward(batch, loss, options);
    });
  }

  markGradient(): Promise<void> {
    return this.inOrder(() => this.learner().markGradient());
  }

  agreement(): Promise<number | undefined> {
    return this.inOrder(() => this.learner().agreement());
  }

  /** A copy of the gradient that has added up since the last optimStep, laid out like the weights. */
  gradient(): Promise<Float32Array | undefined> {
    return this.inOrder(async () => this.learning?.gradient);
  }

  optimStep(adam: AdamParams): Promise<Required<OptimReport>> {
    return this.changing(async () => {
      const report = await this.learner().optimStep(adam);
      const { layout, weights } = this.loaded;
      if (this.biasFree) weightOf(layout, weights, 'score.bias').fill(0);
      return report;
    });
  }

  save(folder: string, options: { readonly optimizer?: boolean } = {}): Promise<void> {
    return this.inOrder(async () => {
      const extra = options.optimizer
        ? { [optimizerFile]: optimizerTensors(this.loaded.layout, this.learner().adamState()) }
        : {};
      if (this.loaded.config.lora) return saveAdapters(folder, this.loaded, this.base, extra);
      if (this.loaded.frozen) {
        throw new AgogeError(
          'ENGINE_FROZEN',
          'the weights of this engine are frozen and as they were: copy the model they came from',
        );
      }
      await saveFolder(folder, this.loaded, extra, this.biasFree ? ['score.bias'] : []);
    });
  }

  load(folder: string, options: { readonly optimizer?: boolean } = {}): Promise<void> {
    return this.changing(async () => {
      const { config, layout, weights } = this.loaded;
      if (config.lora) return this.loadAdapters(folder, options);
      const next = await loadFolder(folder, { head: config.head, context: config.context });
      if (next.layout.length !== layout.length || next.config.hidden !== config.hidden || next.config.layers !== config.layers) {
        throw new AgogeError(
          'MODEL_OTHER_SHAPE',
          `${folder} holds a model of ${next.layout.length} parameters (${next.config.layers} layers of ${next.config.hidden}), the engine one of ${layout.length} (${config.layers} of ${config.hidden}): open another engine for it`,
        );
      }
      // Everything that can fail comes before the first change.
      const state = options.optimizer ? await loadOptimizer(folder, layout) : undefined;
      weights.set(next.weights);
      this.loaded = { ...next, config, layout, weights };
      this.continueFrom(state);
    });
  }

  /**
   * A second engine with the present weights, which stay while this one learns: it shares the frozen ones and has a copy of the adapters.
   * Undefined where nothing is frozen.
   */
  reference(): Engine | undefined {
    const { frozen, weights } = this.loaded;
    if (!frozen) return undefined;
    const copy = sharedFloats(weights.length);
    copy.set(weights);
    return new EmbeddedEngine({ ...this.loaded, weights: copy }, this.options, this.base);
  }

  async mix(other: Engine, share: number): Promise<void> {
    if (!(other instanceof EmbeddedEngine) || other.weights.length !== this.weights.length)
      throw new AgogeError('MODEL_OTHER_SHAPE', 'only weights of the same model can be mixed: open both engines from one policy');
    return this.changing(async () => {
      const { weights } = this.loaded;
      const towards = other.weights;
      if (share === 1) weights.set(towards);
      else
        for (let i = 0; i < weights.length; i++)
          weights[i] = (weights[i] as number) + share * ((towards[i] as number) - (weights[i] as number));
    });
  }

  dependenciesOfBits(): readonly string[] {
    return dependenciesOfBits(this.loaded.config);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.sampling?.close();
    await this.queue;
    await this.learning?.close();
  }

  private async loadAdapters(folder: string, options: { readonly optimizer?: boolean }): Promise<void> {
    const { config, layout, weights } = this.loaded;
    const found = await findAdapters(folder);
    if (!found || !config.lora) {
      throw new AgogeError(
        'MODEL_BAD_ADAPTER',
        `${folder} holds no adapters, and this engine trains some: name a folder with adapter_config.json`,
      );
    }
    const state = options.optimizer ? await loadOptimizer(folder, layout) : undefined;
    await readAdapters(found, config.lora, layout, weights);
    this.continueFrom(state);
  }

  /** New weights are there: AdamW starts afresh, or from a saved state. */
  private continueFrom(state: AdamState | undefined): void {
    this.learning?.forget();
    if (!state) return;
    const mine = this.learner().adamState();
    mine.mean.set(state.mean);
    mine.square.set(state.square);
    mine.step = state.step;
  }

  private get biasFree(): boolean {
    return this.options.scoreBias === false && this.loaded.config.head === 'value';
  }

  private learner(): Learner {
    const { config, layout, weights, frozen } = this.loaded;
    this.learning ??= new Learner(config, layout, weights, this.options, frozen);
    return this.learning;
  }

  private sampler(): Sampler {
    const { config, weights, frozen, tokenizer } = this.loaded;
    this.sampling ??= new Sampler({
      config,
      weights,
      frozen,
      version: this.steps,
      decode: (ids) => tokenizer.decode(ids),
      ...this.options.sampling,
    });
    return this.sampling;
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.queue.then(() => {
      this.refuseIfClosed();
      return work();
    });
    this.queue = next.catch(() => undefined);
    return next;
  }

  /** Work that changes the weights: samples wait for it and then come from the new version. */
  private changing<T>(work: () => Promise<T>): Promise<T> {
    const next = this.inOrder(async () => {
      const done = Promise.resolve(this.sampling?.settled()).then(work);
      this.wholeWeights = done.catch(() => undefined);
      const result = await done;
      this.steps++;
      this.sampling?.refresh(this.steps);
      return result;
    });
    return next;
  }

  private refuseIfClosed(): void {
    if (this.closed) throw new AgogeError('ENGINE_CLOSED', 'the engine is closed: open it again');
  }

  /** Gradients and both moments are allocated with the first step: say so before the system runs dry. */
  private refuseIfTraining(): void {
    if (this.learning?.hasMoments) return;
    const { config, layout } = this.loaded;
    const accumulators = accumulatorsOf(layoutOf(config).length, layout.length);
    refuseIfTooLarge((accumulators + 2) * 4 * layout.length, `training ${layout.length} parameters`);
  }
}

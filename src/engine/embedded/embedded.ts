/**
 * The embedded engine: trains and samples a decoder-only language model in this process through ONNX Runtime. Engines share one thread
 * pool. Calls that read or change the weights take turns in their order; sampling runs beside them, and always from whole weights.
 */
import { AgogeError } from '../../core/error.ts';
import { spellingOf } from '../constraint/spelling.ts';
import type { TokenIds } from '../../core/trajectory.ts';
import type {
  AdamParams,
  CardMemory,
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
import type { ModelConfig } from './network/config.ts';
import { layoutOf, weightOf } from './network/layout.ts';
import { accumulatorsOf } from './network/size.ts';
import { DevicePlace } from './device/place.ts';
import { refuseIfTooLarge } from './memory.ts';
import { HostPlace, type ModelPlace, type Sampling } from './model-place.ts';
import { openModel, openWithAdapters } from './open-model.ts';
import type { EmbeddedOptions } from './options.ts';
import { loadOptimizer, optimizerFile, optimizerTensors } from './optimizer-state.ts';
import { Runtime } from './runtime/runtime.ts';
import { openDevice } from './runtime/open-device.ts';
import type { SamplerStatistics } from './sampling/sampler.ts';
import type { AdamState } from './train/adamw.ts';
import type { LearnerStatistics, Learning, Moments } from './train/learning.ts';

export type { EmbeddedOptions };

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
  private learning: Learning | undefined;
  private sampling: Sampling | undefined;
  private closed = false;

  private constructor(
    private loaded: LoadedModel,
    private readonly options: EmbeddedOptions,
    /** What adapters belong to, by the name that they are saved with. */
    private readonly base: string | undefined,
    private readonly place: ModelPlace,
  ) {}

  static async open(options: EmbeddedOptions): Promise<EmbeddedEngine> {
    const { lora, device: name = 'host', threads, spinning } = options;
    Runtime.open({ threads, spinning, card: name === 'cuda' });
    if (name === 'host' && options.numbers !== undefined && options.numbers !== 'float32')
      throw new AgogeError('ENGINE_BAD_OPTIONS', `${options.numbers} is for a card: set device to cuda, or numbers to float32`);
    if (name !== 'host' && options.sampling?.numbers === 'int8')
      throw new AgogeError(
        'ENGINE_BAD_OPTIONS',
        'int8 is for sampling on a processor: leave engine.sampling_weights out with a card',
      );
    // A card that cannot be used says so before a model is read.
    const device = name === 'host' ? undefined : openDevice(name, options.cardMemory);
    const { base, ...loaded } = lora ? await openWithAdapters(options, lora) : { ...(await openModel(options)), base: undefined };
    if (!device) return new EmbeddedEngine(loaded, options, base, new HostPlace(loaded, options));
    const numbers = options.numbers ?? (name === 'cuda' ? 'bfloat16' : 'float32');
    const place = await DevicePlace.open(device, loaded, { ...options, numbers });
    // They are there now.
    const here = { ...loaded, weights: new Float32Array(0), frozen: loaded.frozen && new Float32Array(0) };
    return new EmbeddedEngine(here, options, base, place);
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

  /**
   * The live weights that are trained, as `trainedLayout` places them: for tests and exports. Not to be changed while calls run. Empty where they lie
   * on a device.
   */
  get weights(): Float32Array {
    return this.place.weights;
  }

  /** A copy of the weights that are trained, wherever they lie. */
  readWeights(): Promise<Float32Array> {
    return this.inOrder(async () => {
      const { layout } = this.loaded;
      const weights = new Float32Array(layout.length);
      for (const { name, offset } of layout.slots.values()) weights.set(await this.place.read(name), offset);
      return weights;
    });
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
    return this.inOrder(async () => this.learning?.gradient());
  }

  optimStep(adam: AdamParams): Promise<Required<OptimReport>> {
    return this.changing(async () => {
      const report = await this.learner().optimStep(adam);
      if (this.biasFree) {
        this.place.write('score.bias', new Float32Array(1));
        await this.place.changed();
      }
      return report;
    });
  }

  save(folder: string, options: { readonly optimizer?: boolean } = {}): Promise<void> {
    return this.inOrder(async () => {
      const extra = options.optimizer ? { [optimizerFile]: optimizerTensors(this.loaded.layout, this.learner()) } : {};
      const read = (name: string): Promise<Float32Array> => this.place.read(name);
      if (this.loaded.config.lora) return saveAdapters(folder, this.loaded, this.base, extra, read);
      if (this.loaded.frozen) {
        throw new AgogeError(
          'ENGINE_FROZEN',
          'the weights of this engine are frozen and as they were: copy the model they came from',
        );
      }
      await saveFolder(folder, this.loaded, extra, this.biasFree ? ['score.bias'] : [], read);
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
      await this.replaceWeights(next.weights);
      this.loaded = { ...next, config, layout, weights };
      await this.continueFrom(state);
    });
  }

  /**
   * A second engine with the present weights, which stay while this one learns: it shares the frozen ones and has a copy of the adapters.
   * Undefined where nothing is frozen.
   */
  reference(): Engine | undefined {
    if (!this.loaded.frozen) return undefined;
    return new EmbeddedEngine(this.loaded, this.options, this.base, this.place.twin());
  }

  async mix(other: Engine, share: number): Promise<void> {
    const same = other instanceof EmbeddedEngine && other.loaded.layout.length === this.loaded.layout.length;
    if (!same || other.place.constructor !== this.place.constructor)
      throw new AgogeError('MODEL_OTHER_SHAPE', 'only weights of the same model can be mixed: open both engines from one policy');
    return this.changing(() => this.place.mix(other.place, share));
  }

  get device(): string {
    return this.place.device;
  }

  get cardMemory(): CardMemory | undefined {
    return this.place.memory;
  }

  dependenciesOfBits(): readonly string[] {
    // A card's products of few rows and of many are different kernels; all else has a fixed order there.
    if (this.place instanceof DevicePlace)
      return this.options.sampling?.fixedWidth === true
        ? []
        : ['how many sequences are sampled together, and when requests arrive'];
    return dependenciesOfBits(this.loaded.config);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.sampling?.close();
    await this.queue;
    await this.learning?.close();
    this.place.close();
  }

  private async loadAdapters(folder: string, options: { readonly optimizer?: boolean }): Promise<void> {
    const { config, layout } = this.loaded;
    const found = await findAdapters(folder);
    if (!found || !config.lora) {
      throw new AgogeError(
        'MODEL_BAD_ADAPTER',
        `${folder} holds no adapters, and this engine trains some: name a folder with adapter_config.json`,
      );
    }
    const state = options.optimizer ? await loadOptimizer(folder, layout) : undefined;
    const weights = new Float32Array(layout.length);
    await readAdapters(found, config.lora, layout, weights);
    await this.replaceWeights(weights);
    await this.continueFrom(state);
  }

  private async replaceWeights(weights: Float32Array): Promise<void> {
    for (const name of this.loaded.layout.slots.keys()) this.place.write(name, weightOf(this.loaded.layout, weights, name));
    await this.place.changed();
  }

  /** New weights are there: AdamW starts afresh, or from a saved state. */
  private async continueFrom(state: AdamState | undefined): Promise<void> {
    this.learning?.forget();
    if (!state) return;
    const { layout } = this.loaded;
    const of = (name: string): Moments => ({
      mean: weightOf(layout, state.mean, name),
      square: weightOf(layout, state.square, name),
    });
    await this.learner().restore(
      state.step,
      [...layout.slots.keys()].map((name) => [name, of(name)] as const),
    );
  }

  private get biasFree(): boolean {
    return this.options.scoreBias === false && this.loaded.config.head === 'value';
  }

  private learner(): Learning {
    return (this.learning ??= this.place.learner());
  }

  private sampler(): Sampling {
    const { tokenizer, config } = this.loaded;
    const options = {
      decode: (ids: TokenIds) => tokenizer.decode(ids),
      spelling: () => spellingOf(config.vocabulary, (id) => tokenizer.bytes(id)),
      ...this.options.sampling,
    };
    return (this.sampling ??= this.place.sampler(this.steps, options));
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
    if (this.learning?.hasMoments || this.place instanceof DevicePlace) return;
    const { config, layout } = this.loaded;
    const accumulators = accumulatorsOf(layoutOf(config).length, layout.length);
    refuseIfTooLarge((accumulators + 2) * 4 * layout.length, `training ${layout.length} parameters`);
  }
}

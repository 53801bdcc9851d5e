/**
 * What a Tinker server knows: sessions with their leases, models, snapshots for sampling, futures. Knows nothing of HTTP. Several
 * clients work side by side, each model is theirs alone.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import type { Engine } from '../../engine.ts';
import type { TrainingRequest } from '../wire/messages.ts';
import { formatPath, parsePath, type CheckpointPath } from '../wire/paths.ts';
import type * as requests from '../wire/requests.ts';
import { Checkpoints, type Checkpoint } from './checkpoints.ts';
import { Futures, type Result } from './futures.ts';
import { failure, ServedModel } from './model.ts';
import { Samplers } from './samplers.ts';
import { checkSample, runSample } from './sampling.ts';
import { planTraining, runOptimStep, runTraining } from './training.ts';

export interface ServiceOptions {
  /** The name of the base model that clients ask for. */
  readonly name: string;
  /** Opens an engine with the base model's weights, or with those in a folder. */
  readonly open: (folder?: string) => Promise<Engine>;
  /** A folder that transformers reads the base model's tokenizer from, for clients on this machine; absent: they are told none. */
  readonly tokenizer?: string | undefined;
  /** Where checkpoints are kept. */
  readonly folder: string;
  /** Models open at once, over all clients. Default 8. */
  readonly maxModels?: number;
  /** Milliseconds without a call or a heartbeat after which a session's models are let go. Default 10 minutes. */
  readonly lease?: number;
  /** Samples under way at once; more are told to come later. Default 4096. */
  readonly maxSamples?: number;
}

type Body<Schema extends z.ZodType> = z.infer<Schema>;
type Metadata = Readonly<Record<string, unknown>> | null;

interface Session {
  readonly id: string;
  readonly metadata: Metadata;
  seen: number;
}

interface SamplingSession {
  readonly id: string;
  readonly session: string;
  /** Undefined: the base model. */
  readonly path?: CheckpointPath | undefined;
}

/** An accepted sample; SDK 0.36 wants an id for each sequence. */
export interface SampleTicket {
  readonly request: string;
  readonly sequences: readonly string[];
}

const snapshotsKept = 8;

export class TinkerService implements AsyncDisposable {
  readonly futures = new Futures();
  readonly checkpoints: Checkpoints;
  private readonly sessions = new Map<string, Session>();
  private readonly models = new Map<string, ServedModel>();
  private readonly sampling = new Map<string, SamplingSession>();
  private readonly sampleCalls = new Map<string, { readonly content: string; readonly ticket: SampleTicket }>();
  private readonly samplers: Samplers;
  private readonly reaper: NodeJS.Timeout;
  private samplesUnderWay = 0;

  private constructor(
    private readonly options: ServiceOptions,
    private readonly base: Engine,
  ) {
    this.checkpoints = new Checkpoints(options.folder);
    this.samplers = new Samplers({ open: options.open, most: 3 });
    const lease = options.lease ?? 600_000;
    this.reaper = setInterval(() => void this.reap(lease), Math.min(lease, 30_000));
    this.reaper.unref();
  }

  static async open(options: ServiceOptions): Promise<TinkerService> {
    return new TinkerService(options, await options.open());
  }

  get name(): string {
    return this.options.name;
  }

  get model(): Engine['model'] {
    return this.base.model;
  }

  /** Models that are open, for listings. */
  get open(): readonly ServedModel[] {
    return [...this.models.values()];
  }

  createSession(body: Body<typeof requests.createSession>): string {
    const id = randomUUID();
    this.sessions.set(id, { id, metadata: body.user_metadata ?? null, seen: Date.now() });
    return id;
  }

  /** Renews the lease of a session; throws for one that is not known. */
  touch(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw unknown('session', id);
    session.seen = Date.now();
    return session;
  }

  async endSession(id: string): Promise<void> {
    this.touch(id);
    this.sessions.delete(id);
    for (const model of this.open) if (model.facts.session === id) await this.close(model);
    for (const [key, { session }] of this.sampling) if (session === id) this.sampling.delete(key);
  }

  createModel(body: Body<typeof requests.createModel>): { readonly request: string; readonly model: string } {
    if (body.model_role != null && body.model_role !== 'policy')
      throw new AgogeError(
        'ENGINE_TINKER_ROLE',
        `a ${body.model_role} cannot be trained here: only policies (leave model_role out)`,
      );
    if (body.optimizer_config && body.optimizer_config.type !== 'adamw')
      throw new AgogeError('ENGINE_TINKER_OPTIMIZER', `the optimizer ${body.optimizer_config.type} is not here: use adamw`);
    const model = this.openModel(body.session_id, body.model_seq_id, body.base_model, {
      rank: body.lora_config?.rank ?? 0,
      metadata: body.user_metadata ?? null,
    });
    const made = model.engine.then((): Result => json({ model_id: model.id, type: 'create_model' }));
    return { request: this.futures.add(made.catch(failure)), model: model.id };
  }

  modelOf(id: string): ServedModel {
    const model = this.models.get(id);
    if (!model) throw unknown('model', id);
    this.touch(model.facts.session);
    model.used = new Date().toISOString();
    return model;
  }

  async unload(id: string): Promise<string> {
    await this.close(this.modelOf(id));
    return this.futures.add(Promise.resolve(json({ model_id: id, type: 'unload_model' })));
  }

  /** `content` are the bytes the call came in: they tell a call that is asked again from another one. */
  train(request: TrainingRequest, content: Uint8Array): string {
    return this.modelOf(request.modelId).call(request.seqId, content, () => {
      const plan = planTraining(request, this.base.model);
      return async (engine) => ({ kind: 'training', output: await runTraining(engine, plan) });
    });
  }

  optimStep({ model_id: id, seq_id: number, adam_params: adam }: Body<typeof requests.optimStep>): string {
    return this.modelOf(id).call(number, { adam }, () => {
      if (!adam) throw new AgogeError('ENGINE_TINKER_OPTIMIZER', 'optim_step needs adam_params here: the optimizer is AdamW');
      return async (engine) => json(await runOptimStep(engine, adam));
    });
  }

  save(body: Body<typeof requests.saveWeights>): string {
    const model = this.modelOf(body.model_id);
    const path: CheckpointPath = { run: model.id, kind: 'weights', name: body.path };
    return this.saveNamed(model, path, body.seq_id, body.ttl_seconds ?? null, body.overwrite ?? false);
  }

  saveForSampler({ model_id: id, seq_id: number, path: name }: Body<typeof requests.saveForSampler>): string {
    const model = this.modelOf(id);
    if (name != null) return this.saveNamed(model, { run: id, kind: 'sampler_weights', name }, number, null, false);
    // The SDK takes a new sampling_session_seq_id for each try: the call is known by its own number alone.
    return model.call(number, { sampler: true }, () => async (engine) => {
      const path: CheckpointPath = { run: id, kind: 'sampler_weights', name: `snapshot-${randomUUID().slice(0, 8)}` };
      await this.write(model, engine, path, null, false);
      model.snapshots.push(path.name);
      while (model.snapshots.length > snapshotsKept)
        await this.checkpoints.remove({ ...path, name: model.snapshots.shift() ?? path.name });
      return json({ sampling_session_id: this.addSampling(model.facts.session, path), type: 'save_weights_for_sampler' });
    });
  }

  load(body: Body<typeof requests.loadWeights>): { readonly request: string; readonly model: string } {
    const model =
      body.model_id != null
        ? this.modelOf(body.model_id)
        : this.openModel(body.session_id ?? '', body.model_seq_id, body.base_model ?? this.name, {
            rank: 0,
            metadata: body.user_metadata ?? null,
          });
    const { path: text, optimizer } = body;
    const request = model.call(body.seq_id, { path: text, optimizer }, () => {
      const path = parsePath(text);
      if (path.kind !== 'weights')
        throw new AgogeError('ENGINE_TINKER_PATH', `${text} holds weights for sampling only: load tinker://…/weights/…`);
      return async (engine) => {
        await engine.load(this.checkpoints.path(await this.found(path)), { optimizer });
        return json({ path: text, model_id: model.id, type: 'load_weights' });
      };
    });
    return { request, model: model.id };
  }

  get tokenizer(): string | undefined {
    return this.options.tokenizer;
  }

  async found(path: CheckpointPath): Promise<Checkpoint> {
    const found = await this.checkpoints.find(path);
    if (!found) throw unknown('checkpoint', formatPath(path));
    return found;
  }

  async createSampling(body: Body<typeof requests.createSamplingSession>): Promise<string> {
    this.touch(body.session_id);
    if ((body.base_model == null) === (body.model_path == null))
      throw new AgogeError('ENGINE_TINKER_SAMPLE', 'give either base_model or model_path, to sample the one or the other');
    if (body.base_model != null) this.checkBase(body.base_model);
    const path = body.model_path == null ? undefined : parsePath(body.model_path);
    if (path) await this.found(path);
    return this.addSampling(body.session_id, path);
  }

  samplingOf(id: string): SamplingSession {
    const found = this.sampling.get(id);
    if (!found) throw unknown('sampling session', id);
    this.touch(found.session);
    return found;
  }

  /** Accepts a sample; undefined where too many are under way. `number` is the call's seq_id as text: it may be wider than 53 bits. */
  async sample(body: Body<typeof requests.sampleBody>, number: string | undefined): Promise<SampleTicket | undefined> {
    const path = await this.pathToSample(body);
    const key = body.sampling_session_id != null && number !== undefined ? `${body.sampling_session_id} ${number}` : undefined;
    const content = createHash('sha256').update(JSON.stringify(body)).digest('base64');
    const earlier = key === undefined ? undefined : this.sampleCalls.get(key);
    if (earlier?.content === content && this.futures.has(earlier.ticket.request)) return earlier.ticket;
    checkSample(body, this.base.model);
    const wanted = body.num_samples;
    if (this.samplesUnderWay > 0 && this.samplesUnderWay + wanted > (this.options.maxSamples ?? 4096)) return undefined;
    this.samplesUnderWay += wanted;
    const work = path
      ? this.samplers.using(this.checkpoints.path(path), (engine) => runSample(engine, body))
      : runSample(this.base, body);
    const done = work
      .then((output): Result => ({ kind: 'sample', output }))
      .finally(() => {
        this.samplesUnderWay -= wanted;
      });
    const request = this.futures.add(done.catch(failure));
    const ticket = { request, sequences: Array.from({ length: wanted }, (_, i) => `${request}-${i}`) };
    if (key !== undefined) {
      this.sampleCalls.set(key, { content, ticket });
      if (this.sampleCalls.size > 20_000) this.sampleCalls.delete(this.sampleCalls.keys().next().value ?? key);
    }
    return ticket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.reaper);
    for (const model of this.open) await this.close(model);
    await this.samplers[Symbol.asyncDispose]();
    await this.base[Symbol.asyncDispose]();
  }

  private openModel(session: string, number: number, base: string, facts: { rank: number; metadata: Metadata }): ServedModel {
    const owner = this.touch(session);
    this.checkBase(base);
    const id = `${session}:train:${number}`;
    const before = this.models.get(id); // the same call again, after a lost answer
    if (before) return before;
    const most = this.options.maxModels ?? 8;
    if (this.models.size >= most)
      throw new AgogeError('ENGINE_TINKER_FULL', `${most} models are open here: end another session, or ask again later`);
    const metadata = facts.metadata ?? owner.metadata;
    const model = new ServedModel({ id, session, rank: facts.rank, metadata }, this.options.open(), this.futures);
    model.engine.catch(() => this.models.delete(id));
    this.models.set(id, model);
    return model;
  }

  private checkBase(name: string): void {
    if (name !== this.name)
      throw new AgogeError('ENGINE_TINKER_UNKNOWN', `the model "${name}" is not served here: ask for "${this.name}"`);
  }

  private saveNamed(model: ServedModel, path: CheckpointPath, number: number, ttl: number | null, overwrite: boolean): string {
    const text = formatPath(path);
    return model.call(number, { path: text, ttl, overwrite }, () => async (engine) => {
      if (!overwrite && (await this.checkpoints.find(path)))
        throw new AgogeError('ENGINE_TINKER_TAKEN', `${text} exists: choose another name, or overwrite it`);
      await this.write(model, engine, path, ttl, overwrite);
      return json({ path: text, type: path.kind === 'weights' ? 'save_weights' : 'save_weights_for_sampler' });
    });
  }

  private async write(
    model: ServedModel,
    engine: Engine,
    path: CheckpointPath,
    ttl: number | null,
    overwrite: boolean,
  ): Promise<void> {
    const optimizer = path.kind === 'weights';
    const expires = ttl === null ? null : new Date(Date.now() + 1000 * ttl).toISOString();
    await this.checkpoints.save(
      path,
      { base_model: this.name, optimizer, rank: model.facts.rank, expires_at: expires, user_metadata: model.facts.metadata },
      (folder) => engine.save(folder, { optimizer }),
      overwrite,
    );
  }

  private addSampling(session: string, path?: CheckpointPath): string {
    const id = randomUUID();
    this.sampling.set(id, { id, session, path });
    return id;
  }

  private async pathToSample(body: Body<typeof requests.sampleBody>): Promise<CheckpointPath | undefined> {
    if (body.sampling_session_id != null) return this.samplingOf(body.sampling_session_id).path;
    if (body.model_path != null) return this.found(parsePath(body.model_path));
    if (body.base_model == null)
      throw new AgogeError('ENGINE_TINKER_SAMPLE', 'give sampling_session_id, model_path or base_model, to say what to sample');
    this.checkBase(body.base_model);
    return undefined;
  }

  private async reap(lease: number): Promise<void> {
    for (const { id, seen } of [...this.sessions.values()]) if (Date.now() - seen > lease) await this.endSession(id);
  }

  private async close(model: ServedModel): Promise<void> {
    this.models.delete(model.id);
    await model[Symbol.asyncDispose]();
    for (const name of model.snapshots) await this.checkpoints.remove({ run: model.id, kind: 'sampler_weights', name });
  }
}

function json(body: object): Result {
  return { kind: 'json', body };
}

function unknown(what: string, id: string): AgogeError {
  return new AgogeError('ENGINE_TINKER_UNKNOWN', `there is no ${what} "${id}" here (any more): create it again`);
}

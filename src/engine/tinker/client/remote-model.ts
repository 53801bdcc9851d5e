/**
 * One model on a Tinker server, kept alive: its session with heartbeats, its numbered calls one after the other, its weights for
 * sampling. When the server was started anew, the model is built again from the last saved weights and the calls made since, which are
 * kept for that; so nothing is lost and nothing is trained twice.
 */
import type { z } from 'zod';
import { sleep } from '../../../core/deadline.ts';
import { AgogeError } from '../../../core/error.ts';
import * as answers from '../wire/answers.ts';
import type { TrainingOutput, TrainingRequest } from '../wire/messages.ts';
import { formatPath, parsePath } from '../wire/paths.ts';
import { trainingToJson } from '../wire/requests.ts';
import { encodeTrainingRequest } from '../wire/training-proto.ts';
import { ask, RefusedError, resultOf, ticketOf, trainingResult } from './call.ts';
import { LostError, type Transport } from './transport.ts';

/** What is known of a server. */
export interface Profile {
  readonly kind: 'sum' | 'skyrl-jax';
  /** Training calls in protobuf; SkyRL's release from PyPI reads JSON only. */
  readonly proto: boolean;
  /** Seeds of up to 53 bits, as ours takes them: the same samples as on the embedded engine. SkyRL has 31. */
  readonly wideSeeds: boolean;
}

export interface RemoteModelOptions {
  readonly transport: Transport;
  /** The server's name of the base model. */
  readonly baseModel: string;
  readonly rank: number;
  /** Of the adapters' first weights: a model that is built again from the base model must get the same ones. */
  readonly seed: number;
  readonly heartbeat?: number;
  /** Optimizer steps after which the weights are saved on the server, so that few calls must be made again. */
  readonly saveEvery: number;
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Milliseconds to wait for room on a server that is full, and between two tries. */
  readonly roomWait?: number | undefined;
  readonly roomPause?: number | undefined;
}

export type Pass = Omit<TrainingRequest, 'modelId' | 'seqId'>;
export interface WireAdam {
  readonly learning_rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  readonly weight_decay: number;
  readonly grad_clip_norm: number;
}

type Change = { readonly kind: 'pass'; readonly pass: Pass } | { readonly kind: 'step'; readonly adam: WireAdam };

interface Place {
  readonly session: string;
  readonly model: string;
}

export class RemoteModel implements AsyncDisposable {
  /** Set when the server says which of its kind it is. */
  skyrl = false;
  private proto: boolean;
  private place: Promise<Place> | undefined;
  private generation = 0;
  private calls = 0;
  private samplingSessions = 0;
  private models = 0;
  /** What was done since `saved`. */
  private journal: Change[] = [];
  private saved: string | undefined;
  /** Saves that only serve to rebuild: the last one is kept. */
  private own: string | undefined;
  private sinceSave = 0;
  private saves = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private beat: NodeJS.Timeout | undefined;

  constructor(private readonly options: RemoteModelOptions) {
    this.proto = false;
  }

  set wire({ proto }: Pick<Profile, 'proto'>) {
    this.proto = proto;
  }

  /** Grows when the model was built again: samplers made before are gone. */
  get life(): number {
    return this.generation;
  }

  /** The session, to sample the base model in. */
  async session(): Promise<string> {
    return (await this.placed()).session;
  }

  forward(pass: Pass): Promise<TrainingOutput> {
    return this.inOrder(() => this.surviving(() => this.pass(pass)));
  }

  backward(pass: Pass): Promise<TrainingOutput> {
    return this.inOrder(async () => {
      const output = await this.surviving(() => this.pass(pass));
      this.journal.push({ kind: 'pass', pass });
      return output;
    });
  }

  optimStep(adam: WireAdam): Promise<Readonly<Record<string, number>>> {
    return this.inOrder(async () => {
      const metrics = await this.surviving(() => this.step(adam));
      this.journal.push({ kind: 'step', adam });
      if (++this.sinceSave >= this.options.saveEvery) await this.surviving(() => this.saveOwn());
      return metrics;
    });
  }

  /** Saves weights and moments on the server; the path is what they can be loaded by. */
  save(name: string): Promise<string> {
    return this.inOrder(() => this.surviving(() => this.saveAs(name)));
  }

  /** From now on the model is what was saved there: the next call finds it so. */
  async load(path: string): Promise<void> {
    await this.inOrder(async () => {
      this.saved = path;
      this.journal = [];
      this.sinceSave = 0;
      this.place = undefined;
      this.generation++;
      await this.placed();
    });
  }

  /** Weights as they are now, for sampling: the id of a sampling session. */
  sampler(): Promise<string> {
    return this.inOrder(() => this.surviving(() => this.newSampler()));
  }

  /** The server was lost in this life: builds the model again, once for all who noticed. */
  async rebuild(life: number): Promise<void> {
    await this.inOrder(async () => {
      if (this.generation === life) await this.again();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.beat);
    await Promise.race([this.queue, new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
    const place = await this.place?.catch(() => undefined);
    if (place && !this.options.transport.signal.aborted) {
      const leave = this.options.transport.json(`sessions/${place.session}/finish`, {
        reason: { type: 'success' },
        detail: null,
      });
      // SkyRL knows no end of a session: the model would keep its place there for five minutes.
      const unload = this.skyrl
        ? this.options.transport.json('unload_model', { model_id: place.model, type: 'unload_model' })
        : Promise.resolve();
      const left = Promise.allSettled([leave, unload]);
      await Promise.race([left, new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
    }
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.queue.then(work);
    this.queue = next.catch(() => undefined);
    return next;
  }

  /** One call to the server; where the server was lost with it, the model is built again and the call made anew. */
  private async surviving<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (thrown) {
        if (!(thrown instanceof LostError)) throw thrown;
        await this.again();
      }
    }
  }

  /** Builds the model again: from the last saved weights, then every change since. A server lost meanwhile is waited for again. */
  private async again(): Promise<void> {
    const began = performance.now();
    for (;;) {
      this.generation++;
      this.place = undefined;
      try {
        await this.placed();
        for (const change of this.journal) {
          if (change.kind === 'pass') await this.pass(change.pass);
          else await this.step(change.adam);
        }
        this.options.onNotice?.(
          `the Tinker server was started anew: the model was built again from ${this.saved ?? 'the base model'} and ${this.journal.length} calls`,
        );
        return;
      } catch (thrown) {
        if (!(thrown instanceof LostError) || performance.now() - began > 600_000) throw thrown;
      }
    }
  }

  private placed(): Promise<Place> {
    this.place ??= this.create();
    this.place.catch(() => {
      this.place = undefined;
    });
    return this.place;
  }

  private async create(): Promise<Place> {
    const { transport, baseModel, rank, seed } = this.options;
    const opening = { tags: ['agoge'], user_metadata: {}, sdk_version: '0.36.0', type: 'create_session' };
    const { session_id: session } = await ask(transport, 'create_session', opening, answers.session);
    this.keepAlive(session);
    this.calls = 0;
    this.models = 0;
    this.samplingSessions = 0;
    const lora = { rank, train_unembed: true, train_mlp: true, train_attn: true, seed };
    const body = {
      session_id: session,
      model_seq_id: this.models++,
      base_model: baseModel,
      lora_config: lora,
      type: 'create_model',
    };
    const place = { session, model: await this.waitingForRoom(() => this.makeModel(body)) };
    if (this.saved !== undefined) {
      const load = { model_id: place.model, seq_id: ++this.calls, path: this.saved, optimizer: true, type: 'load_weights' };
      const loading = ticketOf(await transport.json('load_weights', load), 'load_weights');
      await resultOf(transport, 'load_weights', loading.id, answers.loadedWeights);
    }
    return place;
  }

  private async makeModel(body: object): Promise<string> {
    const { transport } = this.options;
    const ticket = ticketOf(await transport.json('create_model', body), 'create_model');
    return (await resultOf(transport, 'create_model', ticket.id, answers.modelMade)).model_id;
  }

  /** SkyRL keeps the model of a client that died for five minutes: a run that is resumed sooner waits for its place. */
  private async waitingForRoom(make: () => Promise<string>): Promise<string> {
    const began = performance.now();
    for (let told = false; ; told = true) {
      try {
        return await make();
      } catch (thrown) {
        const full = thrown instanceof AgogeError && /maximum number of lora adapters/i.test(thrown.message);
        if (!full || performance.now() - began > (this.options.roomWait ?? 400_000)) throw thrown;
        if (!told)
          this.options.onNotice?.(
            'the Tinker server has no room for another model (max_lora_adapters); waiting for one to be let go, which takes SkyRL five minutes',
          );
        await sleep(this.options.roomPause ?? 10_000, this.options.transport.signal);
      }
    }
  }

  private keepAlive(session: string): void {
    clearInterval(this.beat);
    this.beat = setInterval(() => {
      // A heartbeat that fails says nothing that the next call would not say.
      this.options.transport.json('session_heartbeat', { session_id: session, type: 'session_heartbeat' }).catch(() => undefined);
    }, this.options.heartbeat ?? 10_000);
    this.beat.unref();
  }

  private async pass(pass: Pass): Promise<TrainingOutput> {
    const { transport } = this.options;
    const { model } = await this.placed();
    const request: TrainingRequest = { ...pass, modelId: model, seqId: ++this.calls };
    const route = pass.forwardOnly && !this.proto ? 'forward' : 'forward_backward';
    const reply = await (this.proto
      ? transport.bytes(route, encodeTrainingRequest(request))
      : transport.json(route, trainingToJson(request)));
    const ticket = ticketOf(reply, route);
    this.skyrl ||= ticket.skyrl;
    return trainingResult(transport, route, ticket.id);
  }

  private async step(adam: WireAdam): Promise<Readonly<Record<string, number>>> {
    const { metrics } = await this.numbered('optim_step', { adam_params: adam, type: 'optim_step' }, answers.stepped);
    return metrics ?? {};
  }

  private async newSampler(): Promise<string> {
    const body = { sampling_session_seq_id: this.samplingSessions++, type: 'save_weights_for_sampler' };
    const made = await this.numbered('save_weights_for_sampler', body, answers.savedSampler);
    if (made.sampling_session_id != null) return made.sampling_session_id;
    if (made.path == null)
      throw new AgogeError(
        'ENGINE_TINKER_ANSWER',
        'the server saved weights for sampling without a name for them: report it to its makers',
      );
    const { session } = await this.placed();
    const number = this.samplingSessions++;
    const opening = {
      session_id: session,
      sampling_session_seq_id: number,
      model_path: made.path,
      type: 'create_sampling_session',
    };
    return (await ask(this.options.transport, 'create_sampling_session', opening, answers.samplingSession)).sampling_session_id;
  }

  private async saveOwn(): Promise<void> {
    const before = this.own;
    this.own = await this.saveAs(`agoge-keep-${Date.now().toString(36)}-${this.saves++}`);
    if (before !== undefined) await this.forget(before);
  }

  private async saveAs(name: string): Promise<string> {
    const body = { path: name, overwrite: false, type: 'save_weights' };
    const path = await this.numbered('save_weights', body, answers.savedWeights).then(
      (saved) => saved.path,
      async (thrown: unknown) => {
        // SkyRL does not know a save that is asked again after a lost answer: names are ours alone, so it is the same one.
        if (!(thrown instanceof RefusedError) || thrown.status !== 409) throw thrown;
        return formatPath({ run: (await this.placed()).model, kind: 'weights', name });
      },
    );
    this.saved = path;
    this.journal = [];
    this.sinceSave = 0;
    return path;
  }

  private async forget(path: string): Promise<void> {
    const { run, kind, name } = parsePath(path);
    // Space on the server alone: a refusal harms nobody.
    await this.options.transport.delete(`training_runs/${run}/checkpoints/${kind}/${name}`).catch(() => undefined);
  }

  private async numbered<Schema extends z.ZodType>(route: string, body: object, schema: Schema): Promise<z.infer<Schema>> {
    const { transport } = this.options;
    const { model } = await this.placed();
    const ticket = ticketOf(await transport.json(route, { model_id: model, seq_id: ++this.calls, ...body }), route);
    return resultOf(transport, route, ticket.id, schema);
  }
}

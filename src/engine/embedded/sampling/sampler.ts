/**
 * Continuous batching: requests join a lane's running decode batch when a slot is free and leave it when they are done. Lanes
 * live on threads of their own (lane-service.ts); small models get up to one per thread, each computing by itself, large ones a
 * single lane that uses the whole pool. Here requests are checked, sent to a lane, and answered.
 *
 * A prompt is computed up to its last token by itself, in pieces; the last token and everything sampled go through decode
 * steps, which nobody takes as a prefix. So a reply is a function of weights, prompt and seed, bit by bit, whoever shares the
 * batch and whatever is in memory. Prompts stay: one that goes on from another computes only what is new, and members of a
 * group copy their common prompt (seating.ts, match.ts).
 */
import { AgogeError } from '../../../core/error.ts';
import type { TokenIds } from '../../../core/trajectory.ts';
import type { Sample, SampleRequest } from '../../engine.ts';
import type { Spelling } from '../../constraint/spelling.ts';
import { refuseIfTooLarge } from '../memory.ts';
import type { ModelConfig } from '../network/config.ts';
import { layoutOf } from '../network/layout.ts';
import type { FrozenWeights } from '../network/weights.ts';
import { Runtime } from '../runtime/runtime.ts';
import { openService, type RemoteService } from '../workers/threads.ts';
import { calibrates, calibrationOf, keepCalibration, requestsPerLane } from './calibration.ts';
import { laneBytes, laneShape, samplingPlan, scratchBytes, type CapacityOptions, type SamplingPlan } from './capacity.ts';
import type { SamplingWeights } from './int8.ts';
import type { LaneOptions } from './lane-service.ts';
import type { LaneShape } from './lane.ts';
import type { FromLane, ToLane } from './messages.ts';
import { PendingSample } from './request.ts';
import { Router } from './router.ts';
import { emptyStatistics, LaneStatistics, type SamplerStatistics } from './statistics.ts';

export type { SamplerStatistics } from './statistics.ts';

export interface SamplerOptions extends CapacityOptions {
  readonly config: ModelConfig;
  /** The live weights, in shared memory; lanes copy them. */
  readonly weights: Float32Array;
  readonly frozen?: FrozenWeights | undefined;
  readonly version: number;
  readonly decode?: ((ids: TokenIds) => string) | undefined;
  /** The bytes of tokens, for replies with a form; absent where the tokenizer cannot tell. */
  readonly spelling?: (() => Spelling) | undefined;
  /** Every step computes all slots, used or not: for machines whose matrix kernels change bits with the number of rows. */
  readonly fixedWidth?: boolean | undefined;
  /** In what numbers lanes keep the matrices. With int8 a reply is sampled from a slightly other policy than the one that is trained. */
  readonly numbers?: SamplingWeights | undefined;
}

/** A lane, and the requests it has in hand. */
interface RemoteLane {
  readonly service: RemoteService;
  readonly statistics: LaneStatistics;
  readonly pending: Map<number, PendingSample>;
  /** Version of the weights that it was told to copy, and of those it has copied. */
  told: number;
  /** It knows the bytes of tokens. */
  spelled: boolean;
  copied: number;
}

export class Sampler {
  private readonly plan: SamplingPlan;
  private readonly router = new Router();
  private readonly sums = emptyStatistics();
  private lanes: (RemoteLane | undefined)[] = [];
  private shape: LaneShape | undefined;
  private requests = 0;
  private inHand = 0;
  private since = 0;
  private closed = false;
  /** Of the live weights. */
  private version: number;
  private settling: (() => void)[] = [];
  /** Requests in hand per lane before another one is opened. */
  private enoughForALane = 4;
  private measuring: boolean;
  private spelling: Spelling | undefined;

  constructor(private readonly options: SamplerOptions) {
    const { config } = options;
    this.plan = samplingPlan(config, layoutOf(config).length, Runtime.open().threads, options);
    this.version = options.version;
    // With one lane, or a number of them that was asked for, there is nothing to choose.
    const chooses = this.plan.lanes > 1 && options.lanes === undefined && calibrates();
    const known = chooses ? calibrationOf(config) : undefined;
    if (known) this.enoughForALane = known.requests;
    this.measuring = chooses && !known;
  }

  /** The weights were changed: later requests are answered by the new ones. Requests in progress end with the old ones. */
  refresh(version: number): void {
    this.version = version;
    this.router.forget();
  }

  /** When no lane is copying the weights any more: only then may they be changed. */
  async settled(): Promise<void> {
    while (this.lanes.some((lane) => lane && lane.copied !== lane.told)) await new Promise<void>((go) => this.settling.push(go));
  }

  get statistics(): SamplerStatistics {
    const sum = { ...this.sums, openTime: this.sums.openTime + (this.inHand > 0 ? performance.now() - this.since : 0) };
    for (const lane of this.lanes) lane?.statistics.addTo(sum);
    return sum;
  }

  async sample(request: SampleRequest): Promise<Sample> {
    if (this.closed) throw new AgogeError('ENGINE_CLOSED', 'the engine is closed: open it again');
    const { config, decode } = this.options;
    if (config.head !== 'language')
      throw new AgogeError('ENGINE_NO_LANGUAGE_HEAD', 'a model with a value head cannot be sampled from: use the policy');
    const pending = new PendingSample(++this.requests, request, {
      vocabulary: config.vocabulary,
      context: config.context,
      decode,
      unguided: this.options.spelling
        ? undefined
        : 'this tokenizer does not tell the bytes of its tokens: use a model with a byte-level tokenizer',
    });
    if (request.signal?.aborted === true) {
      pending.cancel();
      return pending.promise;
    }
    const { prompt, maxTokens } = pending.forLane;
    this.ensureCapacity(prompt.length + maxTokens - 1);
    this.send(pending);
    return pending.promise;
  }

  /** Ends all requests and frees sessions and caches. */
  async close(): Promise<void> {
    this.closed = true;
    const error = new AgogeError('ENGINE_CLOSED', 'the engine was closed while it was sampling: open it again');
    const lanes = this.lanes.filter((lane) => lane !== undefined);
    lanes.forEach((lane) => {
      for (const [id, pending] of lane.pending) {
        post(lane, { cancel: id });
        pending.fail(error);
      }
    });
    await Promise.all(lanes.map(({ service }) => service.close()));
    for (const lane of lanes) if (lane.pending.size > 0) lane.service.release();
    this.lanes = [];
    this.tellSettled();
  }

  private send(pending: PendingSample): void {
    const { id, prompt } = pending.forLane;
    const wanted = Math.min(this.plan.lanes, Math.max(1, Math.ceil((this.inHand + 1) / this.enoughForALane), this.lanes.length));
    const index = this.router.choose(prompt, wanted);
    const lane = (this.lanes[index] ??= this.openLane(index));
    if (lane.told !== this.version) {
      this.sums.sessions++;
      lane.told = this.version;
      post(lane, { weights: this.version });
    }
    if (this.measuring) {
      this.measuring = false;
      post(lane, { measure: true });
    }
    pending.version = this.version;
    if (this.inHand++ === 0) this.since = performance.now();
    this.sums.requests++;
    if (lane.pending.size === 0) lane.service.hold();
    lane.pending.set(id, pending);
    pending.onCancel(() => {
      if (!this.finish(lane, index, id)) return;
      post(lane, { cancel: id });
      pending.cancel();
    });
    if (pending.forLane.constraint && !lane.spelled) {
      lane.spelled = true;
      this.spelling ??= this.options.spelling?.();
      if (this.spelling) post(lane, { spelling: this.spelling });
    }
    post(lane, { request: pending.forLane });
  }

  /** A request is no longer in hand; false when it was not. */
  private finish(lane: RemoteLane, index: number, id: number): boolean {
    if (!lane.pending.delete(id)) return false;
    this.router.done(index);
    if (lane.pending.size === 0) lane.service.release();
    if (--this.inHand === 0) this.sums.openTime += performance.now() - this.since;
    return true;
  }

  private openLane(index: number): RemoteLane {
    const { config, weights, frozen, fixedWidth = false, numbers = 'float32' } = this.options;
    const { plan, shape } = this;
    if (!shape) throw new TypeError('a lane needs a shape');
    const statistics = new LaneStatistics();
    const options: LaneOptions = {
      config,
      weights,
      frozen,
      alone: plan.small,
      shape,
      piece: plan.piece,
      wholePrompts: plan.small,
      parked: plan.parked / plan.lanes,
      fixedWidth,
      numbers,
      statistics: statistics.memory,
    };
    const pending = new Map<number, PendingSample>();
    const service = openService(index, 'lane', options, {
      receive: (message) => {
        this.receive(lane, index, message as FromLane);
      },
      lost: (error) => {
        this.lanes[index] = undefined;
        statistics.addTo(this.sums);
        for (const [id, each] of [...pending]) if (this.finish(lane, index, id)) each.fail(error);
        this.tellSettled();
      },
    });
    const lane: RemoteLane = { service, statistics, pending, told: -1, copied: -1, spelled: false };
    this.sums.lanes++;
    return lane;
  }

  private receive(lane: RemoteLane, index: number, message: FromLane): void {
    if ('copied' in message) {
      lane.copied = message.copied;
      this.tellSettled();
      return;
    }
    if ('measured' in message) {
      keepCalibration(this.options.config, message.measured);
      this.enoughForALane = requestsPerLane(message.measured);
      return;
    }
    for (const answer of message.answers) {
      const pending = lane.pending.get(answer.id);
      if (pending && this.finish(lane, index, answer.id)) pending.complete(answer);
    }
    for (const { id, code, message: sentence } of message.failures) {
      const pending = lane.pending.get(id);
      if (pending && this.finish(lane, index, id)) pending.fail(new AgogeError(code, sentence));
    }
    for (const token of message.tokens) {
      const pending = lane.pending.get(token.id);
      if (!pending) continue;
      let done = true;
      try {
        done = pending.push(token);
      } catch (thrown) {
        // The owner's own callback failed: that is its affair, not the batch's.
        pending.fail(AgogeError.from(thrown, 'ENGINE_CALLBACK', 'onToken threw (make it not throw)'));
      }
      if (done && this.finish(lane, index, token.id)) post(lane, { cancel: token.id });
    }
  }

  private tellSettled(): void {
    for (const go of this.settling.splice(0)) go();
  }

  /** Room for sequences of so many tokens: lanes get longer slots when a request needs longer sequences than any before. */
  private ensureCapacity(needed: number): void {
    const { config } = this.options;
    const { plan } = this;
    if (this.shape && needed <= this.shape.capacity) return;
    const shape = laneShape(config, plan, needed);
    refuseIfTooLarge(
      laneBytes(config, plan, shape) + scratchBytes(config, plan, shape),
      `sampling ${plan.lanes * shape.slots} sequences of ${shape.capacity} tokens`,
    );
    this.shape = shape;
    for (const lane of this.lanes) if (lane) post(lane, { shape });
  }
}

function post({ service }: RemoteLane, message: ToLane): void {
  service.post(message);
}

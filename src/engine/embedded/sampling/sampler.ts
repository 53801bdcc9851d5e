/**
 * Continuous batching: requests join the running decode batch when a slot is free and leave it when they are done. Each lane
 * takes its steps on its own; small models get a lane per thread, large ones a single lane that uses all threads.
 *
 * A prompt is computed up to its last token by itself, in pieces; the last token and everything sampled go through decode
 * steps, which nobody takes as a prefix. So a reply is a function of weights, prompt and seed, bit by bit, whoever shares the
 * batch and whatever is in memory. Prompts stay: one that goes on from another computes only what is new, and members of a
 * group copy their common prompt (seating.ts, match.ts).
 */
import { AgogeError } from '../../../core/error.ts';
import type { TokenIds } from '../../../core/trajectory.ts';
import type { Sample, SampleRequest } from '../../engine.ts';
import { refuseIfTooLarge } from '../memory.ts';
import { ropeTables } from '../network/rope.ts';
import { Runtime } from '../runtime/runtime.ts';
import { bytesPerToken, laneBytes, laneShape, samplingPlan, type CapacityOptions, type SamplingPlan } from './capacity.ts';
import { DecodeSessions, type DecodeModel } from './decode-sessions.ts';
import { drawFromAll, drawGreedily, drawTruncated, likeliest, untruncated, type Drawn } from './draw.ts';
import { Lane, slotLength } from './lane.ts';
import { PendingSample } from './request.ts';
import { isPrompted, Seating, type SampleLane, type Seat } from './seating.ts';
import { emptyStatistics, TimeAccount, type SamplerStatistics } from './statistics.ts';

export type { SamplerStatistics } from './statistics.ts';

export interface SamplerOptions extends DecodeModel, CapacityOptions {
  readonly decode?: ((ids: TokenIds) => string) | undefined;
  /** Every step computes all slots, used or not: for machines whose matrix kernels change bits with the number of rows. */
  readonly fixedWidth?: boolean | undefined;
}

export class Sampler {
  readonly statistics: SamplerStatistics = emptyStatistics();
  private readonly plan: SamplingPlan;
  private readonly sessions: DecodeSessions;
  private readonly seating: Seating;
  private readonly time: TimeAccount;
  private readonly sleeping = new Map<SampleLane, () => void>();
  private readonly drawn: Drawn = { token: 0, logprob: 0 };
  private closed = false;

  constructor(private readonly options: SamplerOptions) {
    const { config, layout } = options;
    this.plan = samplingPlan(config, layout.length, Runtime.open().threads, options);
    this.sessions = new DecodeSessions(options, this.plan.lanes > 1);
    this.seating = new Seating(this.plan.parked, this.statistics);
    this.time = new TimeAccount(this.statistics, () => this.seating.hasRequests);
  }

  /** The weights were changed: later requests are answered by the new ones. Requests in progress end with the old ones. */
  refresh(version: number): void {
    this.sessions.version = version;
  }

  get bytesPerToken(): number {
    return bytesPerToken(this.options.config);
  }

  async sample(request: SampleRequest): Promise<Sample> {
    if (this.closed) throw new AgogeError('ENGINE_CLOSED', 'the engine is closed: open it again');
    const { config, decode } = this.options;
    if (config.head !== 'language')
      throw new AgogeError('ENGINE_NO_LANGUAGE_HEAD', 'a model with a value head cannot be sampled from: use the policy');
    const pending = new PendingSample(request, { vocabulary: config.vocabulary, context: config.context, decode });
    if (request.signal?.aborted === true) {
      pending.cancel();
      return pending.promise;
    }
    this.time.note();
    if (this.sessions.build()) {
      this.statistics.sessions++;
      this.seating.unreserve();
      this.activate();
    }
    this.ensureCapacity(pending.prompt.length + pending.maxTokens - 1);
    this.statistics.requests++;
    pending.onCancel(() => {
      if (this.seating.drop(pending)) pending.cancel();
      else this.wake();
    });
    this.seating.add(pending, !this.sessions.waiting);
    this.wake();
    return pending.promise;
  }

  /** Ends all requests and frees sessions and caches. */
  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    while (this.time.computing > 0) await new Promise((resolve) => setImmediate(resolve));
    const error = new AgogeError('ENGINE_CLOSED', 'the engine was closed while it was sampling: open it again');
    for (const pending of this.seating.close()) pending.fail(error);
    this.sessions[Symbol.dispose]();
  }

  /** Takes up the new session once nobody is being answered by the old one. */
  private activate(): void {
    if (!this.sessions.waiting || this.time.computing > 0 || this.seating.isAnswering) return;
    this.seating.forget();
    this.sessions.takeUp();
  }

  /** Opens the lanes, or wider ones when a request needs longer sequences than any before. */
  private ensureCapacity(needed: number): void {
    const { config } = this.options;
    const { plan } = this;
    const present = this.seating.lanes[0]?.shape.capacity ?? 0;
    if (needed <= present) return;
    const shape = laneShape(config, plan, needed);
    refuseIfTooLarge(
      laneBytes(config, plan, shape),
      `sampling ${plan.lanes * shape.slots} sequences of ${shape.capacity} tokens`,
    );
    const rope = ropeTables(config, slotLength(shape));
    const lanes = Array.from({ length: plan.lanes }, () => new Lane<PendingSample>(config, rope, shape, plan.piece));
    // The old lanes end their requests, park what they remember and close.
    for (const lane of this.seating.replaceLanes(lanes)) this.wakeLane(lane);
    for (const lane of lanes) void this.drive(lane);
  }

  /** The life of a lane: take requests in, compute prompts, take steps, hand out tokens, sleep when there is nothing to do. */
  private async drive(lane: SampleLane): Promise<void> {
    while (!this.closed) {
      for (const slot of lane.slots) if (slot.owner?.cancelled === true) this.seating.release(slot)?.cancel();
      this.activate();
      if (this.seating.retire(lane)) {
        this.wake();
        return;
      }
      if (this.seating.lanes.includes(lane) && !this.sessions.waiting) this.seating.admit(lane, this.sessions.present.version);
      try {
        const waiting = lane.slots.filter((slot) => slot.owner && !isPrompted(slot));
        if (waiting.length > 0) await this.prefill(lane, this.plan.small ? waiting : waiting.slice(0, 1));
        const rows = this.seating.rowsOf(lane, this.options.fixedWidth === true);
        if (rows > 0) await this.step(lane, rows);
        else if (waiting.length === 0) await this.sleep(lane);
      } catch (thrown) {
        const error = AgogeError.from(thrown, 'ENGINE_RUNTIME', 'sampling failed (report it with the model and the command)');
        for (const slot of lane.slots) this.seating.release(slot)?.fail(error);
      }
    }
  }

  private async prefill(lane: SampleLane, slots: readonly Seat[]): Promise<void> {
    const { piece, small } = this.plan;
    for (const slot of slots) {
      const owner = slot.owner;
      while (owner && !owner.cancelled && slot.ready < owner.prompt.length - 1) {
        const count = Math.min(piece, owner.prompt.length - 1 - slot.ready);
        this.statistics.prefilledTokens += count;
        await this.time.timed(() => lane.prefill(this.sessions.present.session, slot, count));
        if (!small) break;
      }
      if (owner && slot.ready >= owner.prompt.length - 1) owner.prompting = false;
      // Others may wait for this prompt.
      if (this.seating.hasWaiting) this.wake();
    }
  }

  private async step(lane: SampleLane, rows: number): Promise<void> {
    const inverse = lane.inverseTemperatures;
    let tempered = false;
    for (let row = 0; row < rows; row++) {
      const slot = lane.slots[row] as Seat;
      slot.stepping = isPrompted(slot);
      const temperature = slot.owner?.settings.temperature ?? 1;
      inverse[row] = temperature > 0 ? 1 / temperature : 1;
      if (temperature !== 1 && temperature > 0) tempered = true;
    }
    await this.time.timed(async () => {
      await lane.step(this.sessions.present.session, rows);
      if (tempered) await lane.temper(this.sessions.temper, rows);
    });
    this.statistics.steps++;
    this.statistics.rows += rows;
    let finished = 0;
    for (let row = 0; row < rows; row++) {
      const slot = lane.slots[row] as Seat;
      if (slot.stepping && slot.owner && this.draw(lane, slot, slot.owner)) finished++;
    }
    // Let those who got their reply ask for the next one before the next step begins.
    if (finished > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Draws the next token of a slot; true when that ends its request. */
  private draw(lane: SampleLane, slot: Seat, owner: PendingSample): boolean {
    const { drawn, statistics } = this;
    const { settings } = owner;
    const raw = lane.probabilities[slot.index] as Float32Array;
    statistics.usedRows++;
    statistics.sampledTokens++;
    if (settings.temperature === 0) drawGreedily(raw, drawn);
    else {
      const row = settings.temperature === 1 ? raw : (lane.tempered[slot.index] as Float32Array);
      if (untruncated(settings, row.length)) drawFromAll(row, owner.random, drawn);
      else drawTruncated(row, settings, owner.random, drawn);
    }
    const { token, logprob } = drawn;
    const rawLogprob = Math.log(raw[token] ?? Number.NaN);
    if (token < 0 || !Number.isFinite(rawLogprob)) {
      this.seating.release(slot);
      const sentence = 'the model gives no finite probabilities: its weights have diverged; go back to an earlier checkpoint';
      owner.fail(new AgogeError('ENGINE_NOT_FINITE', sentence));
      return true;
    }
    let done: boolean;
    try {
      const top = owner.topLogprobs > 0 ? likeliest(raw, owner.topLogprobs) : undefined;
      done = owner.push(token, logprob, rawLogprob, top);
    } catch (thrown) {
      // The owner's own callback failed: that is its affair, not the batch's.
      this.seating.release(slot);
      owner.fail(AgogeError.from(thrown, 'ENGINE_CALLBACK', 'onToken threw (make it not throw)'));
      return true;
    }
    if (done) {
      this.seating.leave(slot);
      return true;
    }
    slot.tokens[slot.ready] = token;
    return false;
  }

  private sleep(lane: SampleLane): Promise<void> {
    return new Promise((resolve) => this.sleeping.set(lane, resolve));
  }

  private wake(): void {
    for (const lane of [...this.sleeping.keys()]) this.wakeLane(lane);
  }

  private wakeLane(lane: SampleLane): void {
    const resolve = this.sleeping.get(lane);
    this.sleeping.delete(lane);
    resolve?.();
  }
}

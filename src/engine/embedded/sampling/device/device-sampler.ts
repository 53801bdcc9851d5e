/**
 * Sampling on a device, behind the same calls as sampler.ts: requests join a running batch when a slot is free and leave it when they are
 * done. One lane; weights, keys, values and logits stay on the device, and a step moves a few numbers per row. While the device takes a
 * step, this thread hands out what the step before it brought.
 *
 * Steps read the live weights. So `settled` waits until all requests in hand are answered, and only then may the weights change. What a
 * conversation has in its slot, replies included, stays until its next turn or until the slot is needed.
 */
import { AgogeError } from '../../../../core/error.ts';
import type { TokenIds } from '../../../../core/trajectory.ts';
import type { Sample, SampleRequest, TokenLogprob } from '../../../engine.ts';
import type { ModelConfig } from '../../network/config.ts';
import { ActiveSample } from '../active.ts';
import type { LaneShape } from '../lane.ts';
import { PendingSample } from '../request.ts';
import { isPrompted, Seating, type Seat } from '../seating.ts';
import { emptyStatistics, type SamplerStatistics } from '../statistics.ts';
import { DeviceLane } from './device-lane.ts';
import { deviceLaneShape, promptBatch, rowsFor, type DeviceCapacity } from './device-plan.ts';
import type { DrawKind } from './draw-graph.ts';
import { mostAlternatives } from './graphs.ts';
import type { DeviceLaneOptions, WeightsOnDevice } from './lane-memory.ts';
import { MergedWeights } from './merged-weights.ts';
import type { StepResult } from './step-calls.ts';

export interface DeviceSamplerOptions extends DeviceCapacity, DeviceLaneOptions {
  readonly config: ModelConfig;
  readonly weights: WeightsOnDevice;
  readonly version: number;
  readonly decode?: ((ids: TokenIds) => string) | undefined;
  /** Also, every piece of a prompt is one of a batch of one shape: bits do not depend on company then. */
  readonly fixedWidth?: boolean | undefined;
}

/** A request, as its asker and as the lane holds it. */
interface InHand {
  readonly pending: PendingSample;
  readonly active: ActiveSample;
}

/** The largest float32 below one: a uniform number must not be rounded up to it. */
const belowOne = 1 - 2 ** -24;
/** More than any vocabulary: no top-k. */
const noTopK = 2 ** 25;
/** Tokens of prompts that are computed at most while rows could take a step. */
const promptsBetweenSteps = 2 ** 15;

export class DeviceSampler {
  private readonly sums = emptyStatistics();
  private readonly inHand = new Map<number, InHand>();
  /** Requests for a lane with longer slots, which wait until the present one is empty. */
  private waiting: InHand[] = [];
  private lane: DeviceLane | undefined;
  private seating: Seating | undefined;
  private requests = 0;
  private since = 0;
  private version: number;
  private closed = false;
  private working: Promise<void> | undefined;
  private settling: (() => void)[] = [];
  /** Rows of the present step, and who sat in them when it began. */
  private readonly stepping: Seat[] = [];
  private readonly owners: ActiveSample[] = [];
  /** Answers that are handed out while the device takes its next step. */
  private done: (() => void)[] = [];
  /** A cache may hold numbers that are not finite. */
  private poisoned = false;
  /** What is in memory belongs to other weights. */
  private stale = false;

  private merged: MergedWeights | undefined;
  /** Adapters have changed since they were merged. */
  private unmerged = true;

  constructor(private readonly options: DeviceSamplerOptions) {
    this.version = options.version;
  }

  /** The weights were changed. */
  refresh(version: number): void {
    this.version = version;
    this.stale = true;
  }

  /** When nothing that is in hand needs the present weights any more. */
  async settled(): Promise<void> {
    while (this.inHand.size > 0) await new Promise<void>((go) => this.settling.push(go));
  }

  get statistics(): SamplerStatistics {
    return { ...this.sums, openTime: this.sums.openTime + (this.inHand.size > 0 ? performance.now() - this.since : 0) };
  }

  async sample(request: SampleRequest): Promise<Sample> {
    if (this.closed) throw new AgogeError('ENGINE_CLOSED', 'the engine is closed: open it again');
    const { config, decode } = this.options;
    if (config.head !== 'language')
      throw new AgogeError('ENGINE_NO_LANGUAGE_HEAD', 'a model with a value head cannot be sampled from: use the policy');
    const { vocabulary, context } = config;
    const pending = new PendingSample(++this.requests, request, {
      vocabulary,
      context,
      decode,
      unguided: 'replies with a form or biased tokens are sampled on the processor: serve the model without --device',
    });
    if (request.signal?.aborted === true) {
      pending.cancel();
      return pending.promise;
    }
    const { id } = pending.forLane;
    const active = new ActiveSample(pending.forLane);
    const each = { pending, active };
    // Refused here, where the asker hears it.
    deviceLaneShape(config, this.options, this.options.weights, neededTokens(each), this.lane?.shape);
    pending.version = this.version;
    if (this.inHand.size === 0) this.since = performance.now();
    this.inHand.set(id, each);
    this.waiting.push(each);
    this.sums.requests++;
    pending.onCancel(() => {
      if (!this.finish(id)) return;
      this.waiting = this.waiting.filter((other) => other !== each);
      this.seating?.cancel(id);
      pending.cancel();
    });
    this.working ??= this.work();
    return pending.promise;
  }

  /** Ends all requests and frees sessions and caches. */
  async close(): Promise<void> {
    this.closed = true;
    this.failAll(new AgogeError('ENGINE_CLOSED', 'the engine was closed while it was sampling: open it again'));
    await this.working;
    this.lane?.[Symbol.dispose]();
    this.lane = undefined;
    this.merged?.[Symbol.dispose]();
  }

  private async work(): Promise<void> {
    // Requests that are made in one go begin together.
    await Promise.resolve();
    try {
      while (this.inHand.size > 0) await this.round();
      this.deliver();
    } catch (thrown) {
      this.poisoned = true;
      this.deliver();
      this.failAll(AgogeError.from(thrown, 'ENGINE_RUNTIME', 'sampling failed on the device (see agoge doctor)'));
    } finally {
      this.working = undefined;
    }
    if (this.inHand.size > 0 && !this.closed) this.working = this.work();
  }

  /** Seats who waits, computes their prompts, and takes a step with everybody whose prompt is there. */
  private async round(): Promise<void> {
    const { lane, seating } = await this.open();
    seating.admit();
    await this.prefill(lane, seating);
    const rows = rowsFor(seating.rows(this.options.fixedWidth === true), lane.shape.slots);
    if (rows > 0) await this.step(lane, seating, rows);
    else this.deliver();
  }

  /** The lane for who waits: the present one, or one with longer slots as soon as nobody sits in it. */
  private async open(): Promise<{ lane: DeviceLane; seating: Seating }> {
    const { config, weights } = this.options;
    if (this.stale && this.seating?.isEmpty !== false) this.forget();
    const needed = Math.max(0, ...this.waiting.map(neededTokens));
    const wanted = deviceLaneShape(config, this.options, weights, needed, this.lane?.shape);
    if (!this.lane || !this.seating || (wanted !== this.lane.shape && this.seating.isEmpty)) this.openLane(wanted);
    const { lane, seating } = this;
    if (!lane || !seating) throw new TypeError('the lane did not open');
    if (this.unmerged) await this.merged?.merge();
    this.unmerged = false;
    // Who came after one that does not fit waits behind it.
    const end = this.waiting.findIndex((each) => neededTokens(each) > lane.shape.capacity);
    for (const { active } of this.waiting.splice(0, end < 0 ? this.waiting.length : end)) seating.add(active);
    return { lane, seating };
  }

  private openLane(shape: LaneShape): void {
    const { config, weights, fixedWidth } = this.options;
    this.lane?.[Symbol.dispose]();
    this.lane = undefined;
    if (config.lora) this.merged ??= new MergedWeights(config, weights);
    this.lane = new DeviceLane(config, this.merged ?? weights, shape, this.options);
    const add = (count: 'reusedTokens', amount: number): void => {
      this.sums[count] += amount;
    };
    this.seating = new Seating(this.lane, 0, { add }, fixedWidth !== true);
    this.sums.lanes++;
    this.sums.sessions++;
  }

  private deliver(): void {
    for (const answer of this.done.splice(0)) answer();
  }

  private forget(): void {
    this.stale = false;
    this.unmerged = true;
    this.seating?.forget();
    if (this.poisoned) this.lane?.clear();
    this.poisoned = false;
  }

  /** Computes prompts until most of those who sit can take a step: a step costs the same with few of them. */
  private async prefill(lane: DeviceLane, seating: Seating): Promise<void> {
    for (let computed = 0; computed < promptsBetweenSteps;) {
      const batch = promptBatch(lane.slots, this.options.config, lane.length, this.options.fixedWidth === true);
      if (!batch) return;
      const from = performance.now();
      await lane.prefill(batch);
      this.sums.busyTime += performance.now() - from;
      computed += batch.pieces.length * batch.tokens;
      let freed = false;
      for (const { slot, count } of batch.pieces) {
        this.sums.prefilledTokens += count;
        if (!slot.owner || !isPrompted(slot)) continue;
        slot.owner.prompting = false;
        freed = true;
      }
      // Others may have waited for such a prompt.
      if (freed) seating.admit();
      const seated = lane.slots.filter((slot) => slot.owner);
      if (seated.filter(isPrompted).length >= 0.75 * seated.length) return;
    }
  }

  private async step(lane: DeviceLane, seating: Seating, rows: number): Promise<void> {
    // Kept from step to step: rows are many and steps are short.
    const { stepping, owners } = this;
    stepping.length = owners.length = 0;
    let kind: DrawKind = 'plain';
    let alternatives = false;
    for (let row = 0; row < rows; row++) {
      const slot = lane.slots[row] as Seat;
      if (!slot.owner || !isPrompted(slot)) continue;
      stepping.push(slot);
      owners.push(slot.owner);
      kind = wider(kind, drawKind(slot.owner, this.options.config.vocabulary));
      alternatives ||= slot.owner.topLogprobs > 0;
    }
    const from = performance.now();
    const fetch = await lane.step(kind, alternatives, rows, (columns) => {
      for (let row = 0; row < rows; row++) columns.length[row] = (lane.slots[row] as Seat).ready;
      for (let i = 0; i < stepping.length; i++) {
        const [slot, owner] = [stepping[i] as Seat, owners[i] as ActiveSample];
        const row = slot.index;
        const { temperature, topK, topP, minP } = owner.settings;
        const greedy = temperature === 0;
        columns.token[row] = slot.tokens[slot.ready] as number;
        columns.uniform[row] = greedy ? 0 : Math.min(owner.random.float(), belowOne);
        if (kind === 'plain') continue;
        columns.inverseTemperature[row] = greedy ? 1 : 1 / temperature;
        columns.minP[row] = greedy ? 1 : minP;
        columns.topK[row] = topK > 0 ? topK : noTopK;
        columns.topP[row] = topP < 1 ? topP : 2;
        columns.truncated[row] = typeof drawKind(owner, this.options.config.vocabulary) === 'number' ? 1 : 0;
      }
    });
    const fetching = fetch();
    this.deliver();
    const result = await fetching;
    this.sums.busyTime += performance.now() - from;
    this.sums.steps++;
    this.sums.rows += rows;
    this.sums.usedRows += stepping.length;
    this.sums.sampledTokens += stepping.length;
    stepping.forEach((slot, i) => {
      this.take(seating, slot, owners[i] as ActiveSample, rows, result);
    });
  }

  /** Keeps what was drawn for a slot, and answers where that was the last token. */
  private take(seating: Seating, slot: Seat, owner: ActiveSample, rows: number, { drawn, top }: StepResult): void {
    // It may have been cancelled while the step ran, and its slot given to nobody yet.
    if (slot.owner !== owner) return;
    const row = slot.index;
    const token = drawn[row] as number;
    const rawLogprob = drawn[2 * rows + row] as number;
    // A row that is not cut draws from the model's own distribution, whichever way the rows beside it draw.
    const plain = drawKind(owner, this.options.config.vocabulary) === 'plain';
    const logprob = owner.settings.temperature === 0 ? 0 : plain ? rawLogprob : (drawn[rows + row] as number);
    const { pending } = this.inHand.get(owner.id) ?? {};
    slot.ready++;
    if (!Number.isFinite(rawLogprob)) {
      this.poisoned = true;
      slot.ready = 0;
      seating.leave(slot);
      const message = 'the model gives no finite probabilities: its weights have diverged; go back to an earlier checkpoint';
      if (pending && this.finish(owner.id)) pending.fail(new AgogeError('ENGINE_NOT_FINITE', message));
      return;
    }
    slot.tokens[slot.ready] = token;
    let done = owner.push(token, logprob, rawLogprob);
    if (owner.streams && pending) {
      try {
        const told = owner.topLogprobs > 0 && top ? alternativesOf(top, rows, row, owner.topLogprobs) : undefined;
        done = pending.push({ id: owner.id, token, logprob, rawLogprob, top: told });
      } catch (thrown) {
        // The owner's own callback failed: that is its affair, not the batch's.
        pending.fail(AgogeError.from(thrown, 'ENGINE_CALLBACK', 'onToken threw (make it not throw)'));
        done = true;
      }
      if (done) this.finish(owner.id);
    } else if (done && pending && this.finish(owner.id)) {
      this.done.push(() => {
        pending.complete(owner.answer());
      });
    }
    // A callback may have cancelled its own request.
    if (done && slot.owner === owner) seating.leave(slot);
  }

  /** A request is no longer in hand; false when it was not. */
  private finish(id: number): boolean {
    if (!this.inHand.delete(id)) return false;
    if (this.inHand.size === 0) {
      this.sums.openTime += performance.now() - this.since;
      for (const go of this.settling.splice(0)) go();
    }
    return true;
  }

  private failAll(error: AgogeError): void {
    this.waiting = [];
    for (const [id, { pending }] of [...this.inHand]) {
      this.seating?.cancel(id);
      if (this.finish(id)) pending.fail(error);
    }
    this.stale = true;
  }
}

/** Positions that a request's sequence takes. */
function neededTokens({ pending: { forLane } }: InHand): number {
  return forLane.prompt.length + forLane.maxTokens - 1;
}

/** The least that draws for a request. */
function drawKind({ settings: { temperature, topK, topP, minP } }: ActiveSample, vocabulary: number): DrawKind {
  if (temperature === 0) return 'cut';
  const cutsByRank = topK > 0 && topK < vocabulary;
  // Without top-k, top-p may keep any number of tokens.
  if (cutsByRank) return [64, 1024].find((keep) => keep >= topK && keep < vocabulary) ?? vocabulary;
  if (topP < 1) return vocabulary;
  return temperature === 1 && minP <= 0 ? 'plain' : 'cut';
}

function wider(a: DrawKind, b: DrawKind): DrawKind {
  const rank = (kind: DrawKind): number => (kind === 'plain' ? -2 : kind === 'cut' ? -1 : kind);
  return rank(a) >= rank(b) ? a : b;
}

function alternativesOf(top: Float32Array, rows: number, row: number, count: number): TokenLogprob[] {
  const width = top.length / 2 / rows;
  return Array.from({ length: Math.min(count, width, mostAlternatives) }, (_, i) => ({
    token: top[row * width + i] as number,
    logprob: top[(rows + row) * width + i] as number,
  }));
}

/**
 * Sampling on a device, behind the same calls as sampler.ts: requests join a running batch when a slot is free and leave it when they are
 * done. One lane; weights, keys, values and logits stay on the device, and a step moves a few numbers per row. The next step is asked for
 * before the last one's tokens are here, so the device does not wait for this thread.
 *
 * Steps read the live weights. So `settled` waits until all requests in hand are answered, and only then may the weights change. What a
 * conversation has in its slot, replies included, stays until its next turn or until the slot is needed.
 */
import { AgogeError } from '../../../../core/error.ts';
import type { TokenIds } from '../../../../core/trajectory.ts';
import type { Sample, SampleRequest } from '../../../engine.ts';
import type { ModelConfig } from '../../network/config.ts';
import { ActiveSample } from '../active.ts';
import type { LaneShape } from '../lane.ts';
import { PendingSample } from '../request.ts';
import { isPrompted, Seating, type Seat } from '../seating.ts';
import { emptyStatistics, type SamplerStatistics } from '../statistics.ts';
import { DeviceLane } from './device-lane.ts';
import { deviceLaneShape, promptWork, rowsFor, type DeviceCapacity } from './device-plan.ts';
import { alternativesOf, crewOf, drawnBy, fillControls, type Flight } from './flight.ts';
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

/** Tokens of prompts that are computed at most while rows could take a step. */
const promptsBetweenSteps = 2 ** 15;
/** Prompts wait while so large a part of those who sit can take a step, since few cost a card as much time as many. */
const enoughSteps = 0.75;
/** Steps that a prompt waits at most. */
const mostWaited = 8;

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
  /** Steps since prompts were computed last while some wait. */
  private waited = 0;
  /** The step that is on its way. */
  private flight: Flight | undefined;
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
      await this.land();
    } catch (thrown) {
      this.poisoned = true;
      // What is on its way fails for the same reason, or comes to nobody.
      await this.land().catch(() => undefined);
      this.failAll(AgogeError.from(thrown, 'ENGINE_RUNTIME', 'sampling failed on the device (see agoge doctor)'));
    } finally {
      this.working = undefined;
    }
    if (this.inHand.size > 0 && !this.closed) this.working = this.work();
  }

  /** Seats who waits, computes their prompts, asks for a step of everybody whose prompt is there, and takes in the step before. */
  private async round(): Promise<void> {
    const { lane, seating } = await this.open();
    seating.admit();
    await this.prefill(lane, seating);
    const fixed = this.options.fixedWidth === true;
    // What is on its way belongs to the slots as they are.
    if (this.flight && !fixed && seating.hasGaps) await this.land();
    const rows = rowsFor(seating.rows(fixed), lane.shape.slots);
    const next = rows > 0 ? await this.launch(lane, rows) : undefined;
    const before = this.flight;
    this.flight = next;
    if (before) await this.takeIn(before);
  }

  /** The lane for who waits: the present one, or one with longer slots as soon as nobody sits in it. */
  private async open(): Promise<{ lane: DeviceLane; seating: Seating }> {
    const { config, weights } = this.options;
    if (this.stale && this.seating?.isEmpty !== false) {
      await this.land();
      this.forget();
    }
    const needed = Math.max(0, ...this.waiting.map(neededTokens));
    const wanted = deviceLaneShape(config, this.options, weights, needed, this.lane?.shape);
    if (!this.lane || !this.seating || (wanted !== this.lane.shape && this.seating.isEmpty)) {
      await this.land();
      this.openLane(wanted);
    }
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
    // The card's kernel gives a row other bits from run to run when its neighbours' lengths differ; plain products do not.
    const attention = fixedWidth === true && weights.device.name === 'cuda' ? 'composed' : this.options.attention;
    this.lane = new DeviceLane(config, this.merged ?? weights, shape, { ...this.options, attention });
    const add = (count: 'reusedTokens', amount: number): void => {
      this.sums[count] += amount;
    };
    this.seating = new Seating(this.lane, 0, { add }, fixedWidth !== true);
    this.sums.lanes++;
    this.sums.sessions++;
  }

  private forget(): void {
    this.stale = false;
    this.unmerged = true;
    this.seating?.forget();
    if (this.poisoned) this.lane?.clear();
    this.poisoned = false;
  }

  /** Computes prompts until most of those who sit can take a step. */
  private async prefill(lane: DeviceLane, seating: Seating): Promise<void> {
    const { config, fixedWidth, weights } = this.options;
    const plan = { config, length: lane.length, attention: lane.attention, fixed: fixedWidth === true, device: weights.device };
    if (this.waited++ < mostWaited && canStep(lane)) return;
    this.waited = 0;
    for (let computed = 0; computed < promptsBetweenSteps;) {
      const work = promptWork(lane.slots, plan);
      if (!work) return;
      const from = performance.now();
      await lane.prefill(work);
      this.sums.busyTime += performance.now() - from;
      computed += work.pieces.length * work.tokens;
      let freed = false;
      for (const { slot, count } of work.pieces) {
        this.sums.prefilledTokens += count;
        if (!slot.owner || !isPrompted(slot)) continue;
        slot.owner.prompting = false;
        freed = true;
      }
      // Others may have waited for such a prompt.
      if (freed) seating.admit();
      if (canStep(lane)) return;
    }
  }

  /** Asks for the next step; undefined where nobody can take one. */
  private async launch(lane: DeviceLane, rows: number): Promise<Flight | undefined> {
    const { vocabulary } = this.options.config;
    const all = lane.slots.slice(0, rows);
    let crew = crewOf(all, this.flight, vocabulary);
    // A recording computes the step several times, and the second time a row would go on from what it drew the first time.
    if (this.flight && !lane.isRecorded(crew.kind, crew.alternatives, rows)) {
      await this.land();
      crew = crewOf(all, undefined, vocabulary);
    }
    if (crew.slots.length === 0) return undefined;
    const before = this.flight;
    const from = performance.now();
    const result = await lane.step(crew.kind, crew.alternatives, rows, (columns) => {
      fillControls(columns, all, crew, before, vocabulary);
    });
    this.sums.busyTime += performance.now() - from;
    this.sums.steps++;
    this.sums.rows += rows;
    return { ...crew, rows, result };
  }

  /** Takes in the step that is on its way, if there is one. */
  private async land(): Promise<void> {
    const { flight } = this;
    this.flight = undefined;
    if (flight) await this.takeIn(flight);
  }

  private async takeIn({ slots, owners, rows, result }: Flight): Promise<void> {
    const from = performance.now();
    const found = await result();
    this.sums.busyTime += performance.now() - from;
    slots.forEach((slot, i) => {
      this.take(slot, owners[i] as ActiveSample, rows, found);
    });
  }

  /** Keeps what was drawn for a slot, and answers where that was the last token. */
  private take(slot: Seat, owner: ActiveSample, rows: number, result: StepResult): void {
    const { seating } = this;
    // It may have been cancelled or answered since the step began.
    if (!seating || slot.owner !== owner) return;
    const row = slot.index;
    const [token, logprob, rawLogprob] = drawnBy(owner, row, rows, result);
    const { pending } = this.inHand.get(owner.id) ?? {};
    slot.ready++;
    this.sums.usedRows++;
    this.sums.sampledTokens++;
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
        const told = owner.topLogprobs > 0 && result.top ? alternativesOf(result.top, rows, row, owner.topLogprobs) : undefined;
        done = pending.push({ id: owner.id, token, logprob, rawLogprob, top: told });
      } catch (thrown) {
        // The owner's own callback failed: that is its affair, not the batch's.
        pending.fail(AgogeError.from(thrown, 'ENGINE_CALLBACK', 'onToken threw (make it not throw)'));
        done = true;
      }
      if (done) this.finish(owner.id);
    } else if (done && pending && this.finish(owner.id)) pending.complete(owner.answer());
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

/** Whether enough of those who sit have their prompts. */
function canStep({ slots }: DeviceLane): boolean {
  let [seated, prompted] = [0, 0];
  for (const slot of slots) {
    if (slot.owner) seated++;
    if (isPrompted(slot)) prompted++;
  }
  return prompted > 0 && prompted >= enoughSteps * seated;
}

/** Positions that a request's sequence takes. */
function neededTokens({ pending: { forLane } }: InHand): number {
  return forLane.prompt.length + forLane.maxTokens - 1;
}

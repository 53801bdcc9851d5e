/**
 * Continuous batching: requests join the running decode batch when a slot is free and leave it when they are done. Each lane
 * takes its steps on its own; small models get a lane per thread, large ones a single lane that uses all threads.
 *
 * A prompt is computed up to its last token by itself, in pieces; the last token and everything sampled go through decode
 * steps. So the bits of a reply depend on its prompt, its conversation and its seed, not on who else is being sampled.
 * What was computed stays: a prompt that goes on from a sequence in memory computes only what is new, and members of a
 * group copy their common prompt.
 */
import { totalmem } from 'node:os';
import { AgogeError } from '../../../core/error.ts';
import type { TokenIds } from '../../../core/trajectory.ts';
import type { Sample, SampleRequest } from '../../engine.ts';
import { keyValueWidth, type ModelConfig } from '../network/config.ts';
import type { WeightLayout } from '../network/layout.ts';
import { ropeTables } from '../network/rope.ts';
import { Runtime } from '../runtime/runtime.ts';
import { Session } from '../runtime/session.ts';
import { decodeGraph, decodeWeights, temperGraph } from './decode-graph.ts';
import { drawFromAll, drawGreedily, drawTruncated, untruncated, type Drawn } from './draw.ts';
import { Lane, type Slot } from './lane.ts';
import { commonLength, type PrefixHashes } from './prefix.ts';
import { PendingSample } from './request.ts';
import { SequenceStore, type ParkedSequence } from './store.ts';

export interface SamplerOptions {
  readonly config: ModelConfig;
  readonly layout: WeightLayout;
  /** The live weights; a session copies them when it is built. */
  readonly weights: Float32Array;
  readonly version: number;
  readonly decode?: ((ids: TokenIds) => string) | undefined;
  /** Bytes for keys and values, in slots and parked. Default: a tenth of the machine's memory, at most 2 GiB. */
  readonly memory?: number | undefined;
  /** Sequences that take steps together, per lane. Default 64 for small models, 32 for large ones. */
  readonly slots?: number | undefined;
  /** Default: one per thread for models up to 16M parameters, else one. */
  readonly lanes?: number | undefined;
  /**
   * What a request yields is the same bit by bit whoever shares its batch. Default true. False also takes a part of a sampled
   * reply as the prefix of another prompt, which saves work and may change last bits.
   */
  readonly reproducible?: boolean | undefined;
  /** Every step computes all slots, used or not: for machines whose matrix kernels change bits with the number of rows. */
  readonly fixedWidth?: boolean | undefined;
}

/** Counts since the sampler was opened. */
export interface SamplerStatistics {
  steps: number;
  /** Rows of all steps, and those among them that did work. */
  rows: number;
  usedRows: number;
  /** Prompt tokens that were computed, and those that were found in memory. */
  prefilledTokens: number;
  reusedTokens: number;
  sampledTokens: number;
  requests: number;
  sessions: number;
  /** Milliseconds with requests in hand, and of these in which no lane was computing. */
  openTime: number;
  idleTime: number;
}

type Owned = Slot<PendingSample>;

export class Sampler {
  readonly statistics: SamplerStatistics = {
    steps: 0,
    rows: 0,
    usedRows: 0,
    prefilledTokens: 0,
    reusedTokens: 0,
    sampledTokens: 0,
    requests: 0,
    sessions: 0,
    openTime: 0,
    idleTime: 0,
  };
  private version: number;
  private builtVersion = Number.NaN;
  private readonly graph: ReturnType<typeof decodeGraph>;
  private readonly small: boolean;
  private readonly laneCount: number;
  private readonly memory: number;
  private readonly maxSlots: number;
  private readonly piece: number;
  private readonly reproducible: boolean;
  private readonly store: SequenceStore;
  private readonly queue: PendingSample[] = [];
  private readonly reserved = new Map<Owned, PendingSample>();
  private readonly sleeping = new Map<Lane<PendingSample>, () => void>();
  private lanes: Lane<PendingSample>[] = [];
  /** Lanes that were too narrow and only end what they began. */
  private readonly closing = new Set<Lane<PendingSample>>();
  private session: Session | undefined;
  private sessionVersion = 0;
  private next: { readonly session: Session; readonly version: number } | undefined;
  private temperSession: Session | undefined;
  private closed = false;
  private clock = 0;
  private readonly drawn: Drawn = { token: 0, logprob: 0 };
  private computing = 0;
  private mark = 0;

  constructor(private readonly options: SamplerOptions) {
    const { config, layout } = options;
    this.version = options.version;
    this.graph = decodeGraph(config, layout);
    const small = layout.length <= 16e6;
    this.laneCount = options.lanes ?? (small ? Runtime.open().threads : 1);
    this.small = small && this.laneCount > 1;
    this.memory = options.memory ?? Math.min(totalmem() / 10, 2 ** 31);
    this.maxSlots = options.slots ?? (this.small ? 64 : 32);
    this.piece = this.small ? 512 : 128;
    this.reproducible = options.reproducible ?? true;
    // Room for 256 conversations that wait for their environments; more of a small model's memory would only be filled, not used.
    this.store = new SequenceStore(Math.min(this.memory / 4, Math.max(2 ** 26, 256 * 256 * this.bytesPerToken)));
  }

  /** The weights were changed: later requests are answered by the new ones. Requests in progress end with the old ones. */
  refresh(version: number): void {
    this.version = version;
  }

  /** Bytes of keys and values that one token of one sequence needs. */
  get bytesPerToken(): number {
    const { config } = this.options;
    return config.layers * 2 * keyValueWidth(config) * 4;
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
    this.accountTime();
    this.ensureSession();
    this.ensureCapacity(pending.prompt.length + pending.maxTokens - 1);
    this.statistics.requests++;
    pending.onCancel(() => {
      this.cancel(pending);
    });
    const slot = this.next ? undefined : this.continuation(pending);
    if (slot) this.reserved.set(slot, pending);
    else this.queue.push(pending);
    this.wake();
    return pending.promise;
  }

  /** Ends all requests and frees sessions and caches. */
  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    while (this.computing > 0) await new Promise((resolve) => setImmediate(resolve));
    const error = new AgogeError('ENGINE_CLOSED', 'the engine was closed while it was sampling: open it again');
    for (const pending of this.queue.splice(0)) pending.fail(error);
    for (const pending of this.reserved.values()) pending.fail(error);
    this.reserved.clear();
    for (const lane of [...this.lanes, ...this.closing]) {
      for (const slot of lane.slots) this.release(slot)?.fail(error);
      lane[Symbol.dispose]();
    }
    this.lanes = [];
    this.closing.clear();
    this.next?.session[Symbol.dispose]();
    this.session?.[Symbol.dispose]();
    this.temperSession?.[Symbol.dispose]();
    this.store.clear();
  }

  /** Builds a session of the present weights where there is none yet. Here and now, so that it never sees half a step. */
  private ensureSession(): void {
    if (this.builtVersion === this.version) return;
    const { layout, weights } = this.options;
    const initializers = decodeWeights(this.graph.weights, layout, weights);
    const session = Session.compile(this.graph, { initializers, alone: this.laneCount > 1 });
    for (const tensor of Object.values(initializers)) tensor[Symbol.dispose]();
    this.statistics.sessions++;
    this.builtVersion = this.version;
    this.next?.session[Symbol.dispose]();
    this.next = { session, version: this.version };
    for (const pending of this.reserved.values()) this.queue.unshift(pending);
    this.reserved.clear();
    this.activate();
  }

  /** Takes up the new session once nobody is being answered by the old one. */
  private activate(): void {
    if (!this.next || this.computing > 0) return;
    const lanes = [...this.lanes, ...this.closing];
    if (lanes.some((lane) => lane.slots.some((slot) => slot.owner))) return;
    for (const lane of lanes) {
      lane.forgetCalls();
      for (const slot of lane.slots) this.release(slot);
    }
    this.store.clear();
    this.session?.[Symbol.dispose]();
    this.session = this.next.session;
    this.sessionVersion = this.next.version;
    this.next = undefined;
  }

  /** Opens the lanes, or wider ones when a request needs longer sequences than any before. */
  private ensureCapacity(needed: number): void {
    const present = this.lanes[0]?.shape.capacity ?? 0;
    if (needed <= present) return;
    const { config } = this.options;
    const slotsOf = (length: number): number =>
      Math.floor((this.memory - this.store.budget) / (length * this.bytesPerToken * this.laneCount));
    // Long enough from the start that lanes seldom have to grow, where that costs no slots. Untouched memory costs nothing.
    let capacity = Math.min(1024, config.context);
    while (capacity > 256 && slotsOf(capacity) < this.maxSlots) capacity /= 2;
    while (capacity < needed) capacity *= 2;
    capacity = Math.min(Math.ceil(capacity), config.context);
    const slots = Math.min(this.maxSlots, slotsOf(capacity));
    if (slots < 1) {
      const bytes = capacity * this.bytesPerToken * this.laneCount + this.store.budget;
      throw new AgogeError(
        'ENGINE_OUT_OF_MEMORY',
        `a sequence of ${needed} tokens needs ${Math.ceil(bytes / 2 ** 20)} MiB for keys and values and ${Math.floor(this.memory / 2 ** 20)} MiB are allowed: allow more, or shorten the context`,
      );
    }
    const rope = ropeTables(config, capacity);
    const old = this.lanes;
    this.lanes = Array.from({ length: this.laneCount }, () => new Lane(config, rope, { slots, capacity }, this.piece));
    // The old lanes end their requests, park what they remember and close.
    for (const lane of old) {
      this.closing.add(lane);
      this.wakeLane(lane);
    }
    for (const [slot, pending] of this.reserved) {
      this.reserved.delete(slot);
      this.queue.unshift(pending);
    }
    for (const lane of this.lanes) void this.drive(lane);
  }

  /** The life of a lane: take requests in, compute prompts, take steps, hand out tokens, sleep when there is nothing to do. */
  private async drive(lane: Lane<PendingSample>): Promise<void> {
    while (!this.closed) {
      for (const slot of lane.slots) if (slot.owner?.cancelled === true) this.release(slot)?.cancel();
      this.activate();
      if (this.lanes.includes(lane)) this.admit(lane);
      else if (!lane.slots.some((slot) => slot.owner)) {
        this.closing.delete(lane);
        for (const slot of lane.slots) this.park(lane, slot);
        lane[Symbol.dispose]();
        this.wake();
        return;
      }
      try {
        const waiting = lane.slots.filter((slot) => slot.owner && slot.ready < slot.owner.prompt.length - 1);
        if (waiting.length > 0) await this.prefill(lane, this.small ? waiting : waiting.slice(0, 1));
        const rows = this.rowsOf(lane);
        if (rows > 0) await this.step(lane, rows);
        else if (waiting.length === 0) await this.sleep(lane);
      } catch (thrown) {
        const error = AgogeError.from(thrown, 'ENGINE_RUNTIME', 'sampling failed (report it with the model and the command)');
        for (const slot of lane.slots) this.release(slot)?.fail(error);
      }
    }
  }

  private async prefill(lane: Lane<PendingSample>, slots: readonly Owned[]): Promise<void> {
    for (const slot of slots) {
      const owner = slot.owner;
      while (owner && !owner.cancelled && slot.ready < owner.prompt.length - 1) {
        const count = Math.min(this.piece, owner.prompt.length - 1 - slot.ready);
        this.statistics.prefilledTokens += count;
        await this.timed(() => lane.prefill(this.present(), slot, count));
        if (!this.small) break;
      }
      if (owner && slot.ready >= owner.prompt.length - 1) owner.prompting = false;
      // Others may wait for this prompt.
      if (this.queue.length > 0) this.wake();
    }
  }

  private async step(lane: Lane<PendingSample>, rows: number): Promise<void> {
    const inverse = lane.inverseTemperatures;
    let tempered = false;
    for (let row = 0; row < rows; row++) {
      const slot = lane.slots[row] as Owned;
      slot.stepping = ready(slot);
      const temperature = slot.owner?.settings.temperature ?? 1;
      inverse[row] = temperature > 0 ? 1 / temperature : 1;
      if (temperature !== 1 && temperature > 0) tempered = true;
    }
    await this.timed(async () => {
      await lane.step(this.present(), rows);
      if (tempered) await lane.temper((this.temperSession ??= this.openTemper()), rows);
    });
    this.statistics.steps++;
    this.statistics.rows += rows;
    let finished = 0;
    for (let row = 0; row < rows; row++) {
      const slot = lane.slots[row] as Owned;
      if (slot.stepping && slot.owner && this.draw(lane, slot, slot.owner)) finished++;
    }
    // Let those who got their reply ask for the next one before the next step begins.
    if (finished > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Draws the next token of a slot; true when that ends its request. */
  private draw(lane: Lane<PendingSample>, slot: Owned, owner: PendingSample): boolean {
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
      this.release(slot);
      const sentence = 'the model gives no finite probabilities: its weights have diverged; go back to an earlier checkpoint';
      owner.fail(new AgogeError('ENGINE_NOT_FINITE', sentence));
      return true;
    }
    let done: boolean;
    try {
      done = owner.push(token, logprob, rawLogprob);
    } catch (thrown) {
      // The owner's own callback failed: that is its affair, not the batch's.
      this.release(slot);
      owner.fail(AgogeError.from(thrown, 'ENGINE_CALLBACK', 'onToken threw (make it not throw)'));
      return true;
    }
    if (done) {
      slot.owner = undefined;
      slot.lastUse = ++this.clock;
      return true;
    }
    slot.tokens[slot.ready] = token;
    return false;
  }

  /** Gives waiting requests slots of this lane: its fair share of them, those with something to reuse where it lies. */
  private admit(lane: Lane<PendingSample>): void {
    if (this.next || this.closed) return;
    for (const [slot, pending] of this.reserved) {
      if (slot.lane !== lane) continue;
      this.reserved.delete(slot);
      this.seat(slot, pending);
    }
    if (this.queue.length === 0) return;
    const active = (other: Lane<PendingSample>): number =>
      other.slots.reduce((count, slot) => count + Number(slot.owner !== undefined), 0);
    const all = this.lanes.reduce((count, other) => count + active(other), 0);
    let quota = Math.ceil((all + this.queue.length) / this.lanes.length) - active(lane);
    for (let i = 0; i < this.queue.length && quota > 0;) {
      const pending = this.queue[i] as PendingSample;
      if (pending.leader?.prompting === true) {
        i++;
        continue;
      }
      const match = this.bestMatch(pending);
      pending.leader = match.leader;
      if (match.leader) continue;
      const slot = this.vacate(lane, match.slot);
      if (!slot) break;
      this.queue.splice(i, 1);
      quota--;
      if (match.parked) {
        lane.insert(slot, match.parked.cache, match.parked.tokens.length, match.count);
        slot.ready = match.count;
        slot.firstDecoded = match.parked.firstDecoded < match.count ? match.parked.firstDecoded : Infinity;
        if (match.count === match.parked.tokens.length) this.store.remove(match.parked);
      } else if (match.slot && match.slot !== slot) lane.copy(match.slot, slot, match.count);
      else slot.ready = Math.min(slot.ready, match.count);
      this.seat(slot, pending);
    }
  }

  /** Seats a request whose prompt goes on from the `ready` positions of the slot. */
  private seat(slot: Owned, pending: PendingSample): void {
    if (slot.ready >= pending.prompt.length) slot.ready = pending.prompt.length - 1;
    slot.tokens.set(pending.prompt);
    slot.hashes.cut(slot.ready);
    slot.owner = pending;
    pending.prompting = slot.ready < pending.prompt.length - 1;
    pending.version = this.sessionVersion;
    this.statistics.reusedTokens += slot.ready;
    if (slot.firstDecoded > slot.ready) slot.firstDecoded = Infinity;
  }

  /** An idle slot whose whole sequence this prompt continues. */
  private continuation({ prompt, hashes }: PendingSample): Owned | undefined {
    for (const lane of this.lanes) {
      for (const slot of lane.slots) {
        const { ready } = slot;
        if (slot.owner || ready === 0 || ready >= prompt.length || this.reserved.has(slot)) continue;
        if (slot.hashes.common(ready, hashes, ready) === ready && commonLength(slot.tokens, prompt, ready) === ready) return slot;
      }
    }
    return undefined;
  }

  /** Where most of a prompt is in memory already. Not reusable is the part of another reply that only looks the same. */
  private bestMatch({ prompt, hashes }: PendingSample): {
    count: number;
    slot: Owned | undefined;
    parked: ParkedSequence | undefined;
    leader: PendingSample | undefined;
  } {
    let count = 0;
    let slot: Owned | undefined;
    let parked: ParkedSequence | undefined;
    let leader: PendingSample | undefined;
    let coming = 0;
    const limit = prompt.length - 1;
    const usable = (other: { tokens: Int32Array; hashes: PrefixHashes; firstDecoded: number }, length: number): number => {
      if (length <= count) return 0;
      let common = other.hashes.common(length, hashes, limit);
      if (common <= count) return 0;
      common = commonLength(other.tokens, prompt, common);
      return common === length || !this.reproducible ? common : Math.min(common, other.firstDecoded);
    };
    for (const lane of this.lanes) {
      for (const candidate of lane.slots) {
        const found = usable(candidate, candidate.ready);
        if (found > count) {
          count = found;
          slot = candidate;
        }
        const { owner } = candidate;
        if (owner?.prompting === true) {
          const common = owner.hashes.common(owner.prompt.length - 1, hashes, limit);
          if (common > coming) {
            coming = common;
            leader = owner;
          }
        }
      }
    }
    for (const candidate of this.store) {
      const found = usable(candidate, candidate.tokens.length);
      if (found > count) {
        count = found;
        parked = candidate;
        slot = undefined;
      }
    }
    return { count, slot, parked, leader: coming > count + 8 ? leader : undefined };
  }

  /** A slot of the lane to sit in: an empty one, else the one that was idle longest, whose sequence is parked. */
  private vacate(lane: Lane<PendingSample>, keep: Owned | undefined): Owned | undefined {
    let oldest: Owned | undefined;
    for (const slot of lane.slots) {
      if (slot.owner || this.reserved.has(slot)) continue;
      if (slot.ready === 0) return slot;
      if (slot !== keep && (!oldest || slot.lastUse < oldest.lastUse)) oldest = slot;
    }
    if (!oldest) return keep && keep.lane === lane && !keep.owner && !this.reserved.has(keep) ? keep : undefined;
    this.park(lane, oldest);
    return oldest;
  }

  private park(lane: Lane<PendingSample>, slot: Owned): void {
    if (slot.ready > 0) {
      const room = this.store.add(slot.tokens.slice(0, slot.ready), slot.firstDecoded, lane.extractedLength(slot));
      if (room) lane.extract(slot, room);
    }
    this.release(slot);
  }

  /** How many rows the next step has. Closes gaps first when most of them would be idle. */
  private rowsOf(lane: Lane<PendingSample>): number {
    const { slots } = lane;
    let active = 0;
    let stepping = 0;
    let rows = 0;
    for (const slot of slots) {
      if (!slot.owner) continue;
      active++;
      if (ready(slot)) stepping++;
      rows = slot.index + 1;
    }
    if (stepping === 0) return 0;
    if (this.options.fixedWidth === true) return slots.length;
    if (rows >= 8 && active * 2 <= rows) rows = this.closeGaps(lane, active);
    return Math.min(Math.ceil(rows / 4) * 4, slots.length);
  }

  private closeGaps(lane: Lane<PendingSample>, active: number): number {
    const { slots } = lane;
    let low = 0;
    for (let high = slots.length - 1; high >= active; high--) {
      const from = slots[high] as Owned;
      if (!from.owner) continue;
      while (low < high && (slots[low]?.owner !== undefined || this.reserved.has(slots[low] as Owned))) low++;
      if (low >= high) return high + 1;
      const to = slots[low] as Owned;
      this.park(lane, to);
      const { owner, ready, firstDecoded } = from;
      lane.copy(from, to, ready);
      to.tokens.set(from.tokens);
      to.ready = ready;
      to.firstDecoded = firstDecoded;
      to.owner = owner;
      this.release(from);
    }
    return active;
  }

  /** Empties a slot; gives back who sat there. */
  private release(slot: Owned): PendingSample | undefined {
    const { owner } = slot;
    slot.owner = undefined;
    slot.ready = 0;
    slot.firstDecoded = Infinity;
    slot.hashes.cut(0);
    return owner;
  }

  /** A request that waits is dropped at once; one that is being answered leaves when its step is over. */
  private cancel(pending: PendingSample): void {
    const waiting = this.queue.indexOf(pending);
    if (waiting >= 0) {
      this.queue.splice(waiting, 1);
      pending.cancel();
      return;
    }
    for (const [slot, reserved] of this.reserved) {
      if (reserved !== pending) continue;
      this.reserved.delete(slot);
      this.release(slot);
      pending.cancel();
    }
    this.wake();
  }

  private present(): Session {
    if (!this.session) throw new TypeError('no session');
    return this.session;
  }

  private openTemper(): Session {
    return Session.compile(temperGraph(this.options.config.vocabulary), { alone: this.laneCount > 1 });
  }

  private sleep(lane: Lane<PendingSample>): Promise<void> {
    return new Promise((resolve) => this.sleeping.set(lane, resolve));
  }

  private wake(): void {
    for (const lane of [...this.sleeping.keys()]) this.wakeLane(lane);
  }

  private wakeLane(lane: Lane<PendingSample>): void {
    const resolve = this.sleeping.get(lane);
    this.sleeping.delete(lane);
    resolve?.();
  }

  /** Runs native work and keeps the account of busy and idle time. */
  private async timed(work: () => Promise<void>): Promise<void> {
    this.accountTime();
    this.computing++;
    try {
      await work();
    } finally {
      this.accountTime();
      this.computing--;
    }
  }

  private accountTime(): void {
    const now = performance.now();
    const open = this.queue.length + this.reserved.size > 0 || this.lanes.some((lane) => lane.slots.some((slot) => slot.owner));
    if (open || this.computing > 0) {
      this.statistics.openTime += now - this.mark;
      if (this.computing === 0) this.statistics.idleTime += now - this.mark;
    }
    this.mark = now;
  }
}

/** Whether its prompt is computed up to the last token, which goes through a step. */
function ready(slot: Owned): boolean {
  return slot.owner !== undefined && slot.ready >= slot.owner.prompt.length - 1;
}

/**
 * A lane on a thread of its own: takes requests in, computes prompts, takes steps, draws, and tells what came of it. New weights
 * and longer slots wait until everything asked for before them is answered.
 */
import { compileConstraint } from '../../constraint/constraint.ts';
import { ConstrainedReply, ConstraintMasks } from '../../constraint/matcher.ts';
import { TokenTree } from '../../constraint/spelling.ts';
import type { ModelConfig } from '../network/config.ts';
import type { FrozenWeights } from '../network/weights.ts';
import { Session } from '../runtime/session.ts';
import type { Service } from '../workers/protocol.ts';
import { ActiveSample } from './active.ts';
import { timeSteps } from './calibration.ts';
import { decodeRope, temperGraph } from './decode-graph.ts';
import { DecodeSessions } from './decode-sessions.ts';
import { drawFromAll, drawGreedily, drawTruncated, likeliest, untruncated, type Drawn } from './draw.ts';
import type { SamplingWeights } from './int8.ts';
import { Lane, slotLength, type LaneShape } from './lane.ts';
import type { FromLane, LaneAnswer, LaneFailure, LaneRequest, StreamedToken, ToLane } from './messages.ts';
import { drawAllowed, restrict } from './restrict.ts';
import { isPrompted, Seating, type SampleLane, type Seat } from './seating.ts';
import { LaneStatistics } from './statistics.ts';

export interface LaneOptions {
  readonly config: ModelConfig;
  /** The live weights, trained and frozen. */
  readonly weights: Float32Array;
  readonly frozen?: FrozenWeights | undefined;
  /** Without the pool of threads. */
  readonly alone: boolean;
  readonly shape: LaneShape;
  /** Tokens of a prompt that are computed in one call. */
  readonly piece: number;
  /** A prompt is computed whole before the next step; of a large model, one piece between two steps. */
  readonly wholePrompts: boolean;
  /** Bytes for sequences that had to leave their slot. */
  readonly parked: number;
  readonly fixedWidth: boolean;
  readonly numbers: SamplingWeights;
  readonly statistics: SharedArrayBuffer;
}

interface News {
  readonly answers: LaneAnswer[];
  readonly tokens: StreamedToken[];
  readonly failures: LaneFailure[];
}

/** What waits until everything asked for before it is answered. */
type Change = { readonly session: Session } | { readonly shape: LaneShape };
type Later = Change | Extract<ToLane, { request: unknown }>;

/** Forms of replies that a lane remembers. */
const mostForms = 32;

export class LaneService implements Service {
  private readonly sessions: DecodeSessions;
  private readonly statistics: LaneStatistics;
  private readonly seating: Seating;
  private readonly drawn: Drawn = { token: 0, logprob: 0 };
  private lane: SampleLane;
  private session: Session | undefined;
  private tempering: Session | undefined;
  /** A change that waits, and everything that came after it. */
  private later: Later[] = [];
  private tree: TokenTree | undefined;
  private readonly masks = new Map<string, ConstraintMasks>();
  private readonly restricted: Float32Array;

  constructor(
    private readonly options: LaneOptions,
    private readonly post: (message: FromLane) => void,
  ) {
    const { config, weights, frozen, alone, numbers } = options;
    this.sessions = new DecodeSessions(config, { trained: weights, frozen }, alone, numbers);
    this.restricted = new Float32Array(config.vocabulary);
    this.statistics = new LaneStatistics(options.statistics);
    this.lane = this.newLane(options.shape);
    this.seating = new Seating(this.lane, options.parked, this.statistics);
  }

  receive(message: ToLane): void {
    if ('cancel' in message) {
      const { cancel } = message;
      this.seating.cancel(cancel);
      this.later = this.later.filter((other) => !('request' in other) || other.request.id !== cancel);
    } else if ('weights' in message) {
      const session = this.sessions.build();
      this.post({ copied: message.weights });
      this.take({ session });
    } else if ('spelling' in message) {
      this.tree = new TokenTree(message.spelling);
    } else if ('measure' in message) {
      const measured = this.session && timeSteps(this.lane, this.session);
      if (measured) this.post({ measured });
    } else this.take(message);
  }

  work(): boolean {
    if (this.seating.isEmpty && !this.catchUp()) return false;
    this.seating.admit();
    const waiting = this.lane.slots.find((slot) => slot.owner && !isPrompted(slot));
    if (waiting) {
      this.prefill(waiting);
      if (this.options.wholePrompts) return true;
    }
    const rows = this.seating.rows(this.options.fixedWidth);
    if (rows > 0) this.step(rows);
    return true;
  }

  close(): void {
    this.lane[Symbol.dispose]();
    for (const next of this.later) if ('session' in next) next.session[Symbol.dispose]();
    this.session?.[Symbol.dispose]();
    this.tempering?.[Symbol.dispose]();
  }

  /** Makes the change that waited and takes in what came after it; false when there was nothing. */
  private catchUp(): boolean {
    if (this.later.length === 0) return false;
    for (const message of this.later.splice(0)) this.take(message);
    return true;
  }

  /** A request, or a change, in its turn. */
  private take(next: Later): void {
    if (this.later.length > 0) this.later.push(next);
    else if ('request' in next) this.seating.add(new ActiveSample(next.request, this.guideOf(next.request)));
    else if (this.seating.isEmpty) this.change(next);
    else this.later.push(next);
  }

  private change(next: Change): void {
    if ('session' in next) {
      this.seating.forget();
      this.lane.forgetCalls();
      this.session?.[Symbol.dispose]();
      this.session = next.session;
    } else {
      const wider = this.newLane(next.shape);
      this.seating.moveTo(wider);
      this.lane[Symbol.dispose]();
      this.lane = wider;
    }
  }

  private newLane(shape: LaneShape): SampleLane {
    const { config, piece } = this.options;
    return new Lane(config, decodeRope(config, slotLength(config, shape)), shape, piece);
  }

  private prefill(slot: Seat): void {
    const { piece, wholePrompts } = this.options;
    const { owner } = slot;
    if (!owner) return;
    const end = owner.prompt.length - 1;
    do {
      const count = Math.min(piece, end - slot.ready);
      this.statistics.add('prefilledTokens', count);
      this.timed((session) => {
        this.lane.prefill(session, slot, count);
      });
    } while (wholePrompts && slot.ready < end);
    // Others may wait for this prompt.
    if (slot.ready >= end) owner.prompting = false;
  }

  private step(rows: number): void {
    const { lane } = this;
    let tempered = false;
    for (let row = 0; row < rows; row++) {
      const slot = lane.slots[row] as Seat;
      slot.stepping = isPrompted(slot);
      const temperature = slot.owner?.settings.temperature ?? 1;
      lane.inverseTemperatures[row] = temperature > 0 ? 1 / temperature : 1;
      if (temperature !== 1 && temperature > 0) tempered = true;
    }
    this.timed((session) => {
      lane.step(session, rows);
      if (tempered) lane.temper(this.temper, rows);
    });
    this.statistics.add('steps', 1);
    this.statistics.add('rows', rows);
    const news: News = { answers: [], tokens: [], failures: [] };
    let used = 0;
    for (let row = 0; row < rows; row++) {
      const slot = lane.slots[row] as Seat;
      if (!slot.stepping || !slot.owner) continue;
      used++;
      this.draw(slot, slot.owner, news);
    }
    this.statistics.add('usedRows', used);
    this.statistics.add('sampledTokens', used);
    if (news.answers.length + news.tokens.length + news.failures.length > 0) this.post(news);
  }

  /** Draws the next token of a slot. */
  private draw(slot: Seat, owner: ActiveSample, { answers, tokens, failures }: News): void {
    const { drawn, lane } = this;
    const { settings, id } = owner;
    const raw = lane.probabilities[slot.index] as Float32Array;
    const { temperature } = settings;
    const whole = temperature === 1 || temperature === 0 ? raw : (lane.tempered[slot.index] as Float32Array);
    if (!this.drawnAt(slot, owner, whole)) {
      this.seating.leave(slot);
      const message = 'no token goes on with what is asked for: the tokenizer lacks a byte, or every token is biased away';
      failures.push({ id, code: 'ENGINE_NO_CONSTRAINT', message });
      return;
    }
    const { token, logprob } = drawn;
    const rawLogprob = Math.log(raw[token] ?? Number.NaN);
    if (token < 0 || !Number.isFinite(rawLogprob)) {
      this.seating.leave(slot);
      const message = 'the model gives no finite probabilities: its weights have diverged; go back to an earlier checkpoint';
      failures.push({ id, code: 'ENGINE_NOT_FINITE', message });
      return;
    }
    const done = owner.push(token, logprob, rawLogprob);
    if (owner.streams) {
      const top = owner.topLogprobs > 0 ? likeliest(raw, owner.topLogprobs) : undefined;
      tokens.push({ id, token, logprob, rawLogprob, top });
    } else if (done) answers.push(owner.answer());
    if (done) this.seating.leave(slot);
    else slot.tokens[slot.ready] = token;
  }

  /** Draws into `drawn`; false where a constraint and biases leave nothing. */
  private drawnAt(slot: Seat, owner: ActiveSample, whole: Float32Array): boolean {
    const { drawn, restricted } = this;
    const { free, settings, random, bias, allowed } = owner;
    const { temperature } = settings;
    const plain = temperature > 0 && untruncated(settings, whole.length);
    if (allowed && plain && bias.length === 0 && drawAllowed(whole, allowed, random, drawn)) return true;
    const logits = this.lane.logits[slot.index] as Float32Array;
    if (!free && !restrict(whole, logits, { allowed, bias, temperature }, restricted)) return false;
    const row = free ? whole : restricted;
    if (temperature === 0) drawGreedily(row, drawn);
    else if (plain) drawFromAll(row, random, drawn);
    else drawTruncated(row, settings, random, drawn);
    return true;
  }

  /** Requests of one form share what is known about it. */
  private guideOf({ constraint, stopTokens }: LaneRequest): ConstrainedReply | undefined {
    if (!constraint) return undefined;
    if (!this.tree) throw new TypeError('a lane got a constraint before it got the spelling of tokens');
    const key = JSON.stringify(constraint);
    let masks = this.masks.get(key);
    if (!masks) {
      if (this.masks.size >= mostForms) this.masks.clear();
      masks = new ConstraintMasks(compileConstraint(constraint), this.tree);
      this.masks.set(key, masks);
    }
    return new ConstrainedReply(masks, stopTokens);
  }

  /** The softmax at other temperatures; it has no weights. */
  private get temper(): Session {
    this.tempering ??= Session.compile(temperGraph(this.options.config.vocabulary), { alone: true });
    return this.tempering;
  }

  private timed(work: (session: Session) => void): void {
    if (!this.session) throw new TypeError('a lane got a request before it got a session');
    const from = performance.now();
    work(this.session);
    this.statistics.add('busyTime', performance.now() - from);
  }
}

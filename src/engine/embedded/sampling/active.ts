/** A request as its lane holds it: its prompt, what was drawn so far, and when it is complete. */
import { Random } from '../../../core/random/random.ts';
import type { ConstrainedReply } from '../../constraint/matcher.ts';
import type { DrawSettings } from './draw.ts';
import type { LaneAnswer, LaneRequest } from './messages.ts';
import { PrefixHashes } from './prefix.ts';

export class ActiveSample {
  readonly id: number;
  readonly prompt: Int32Array;
  readonly hashes: PrefixHashes;
  readonly settings: DrawSettings;
  readonly random: Random;
  readonly streams: boolean;
  readonly topLogprobs: number;
  readonly bias: LaneRequest['bias'];
  /** Another request that is computing most of this prompt: worth waiting for while it is at it. */
  leader: ActiveSample | undefined;
  /** Its prompt is being computed. */
  prompting = false;
  private readonly tokens: number[] = [];
  private readonly logprobs: number[] = [];
  private readonly rawLogprobs: number[] = [];

  constructor(
    private readonly request: LaneRequest,
    /** Holds the reply to its form, where one was asked for. */
    private readonly guide?: ConstrainedReply,
  ) {
    this.id = request.id;
    this.prompt = request.prompt;
    this.hashes = new PrefixHashes(request.prompt);
    this.settings = request.settings;
    this.streams = request.streams;
    this.topLogprobs = request.topLogprobs;
    this.bias = request.bias;
    this.random = Random.of(request.seed, 'sample');
  }

  /** Is every token drawn as the model has it? */
  get free(): boolean {
    return !this.guide && this.bias.length === 0;
  }

  /** Which tokens may come next; undefined: every one. */
  get allowed(): Int32Array | undefined {
    return this.guide?.next(this.request.maxTokens - this.tokens.length);
  }

  /** Adds a drawn token; true when the sample is complete. */
  push(token: number, logprob: number, rawLogprob: number): boolean {
    this.tokens.push(token);
    this.guide?.push(token);
    this.logprobs.push(logprob);
    this.rawLogprobs.push(rawLogprob);
    return this.tokens.length >= this.request.maxTokens || this.stopped;
  }

  /** How many tokens it may still draw. */
  get left(): number {
    return this.request.maxTokens - this.tokens.length;
  }

  answer(): LaneAnswer {
    return {
      id: this.id,
      tokens: new Int32Array(this.tokens),
      logprobs: new Float32Array(this.logprobs),
      rawLogprobs: new Float32Array(this.rawLogprobs),
      stop: this.stopped ? 'token' : 'length',
    };
  }

  private get stopped(): boolean {
    return this.request.stopTokens.includes(this.tokens.at(-1) ?? -1);
  }
}

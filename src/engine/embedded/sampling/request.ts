/** A request as the sampler holds it: checked once, then answered by a lane, at once or token by token. */
import { AgogeError } from '../../../core/error.ts';
import type { TokenIds } from '../../../core/trajectory.ts';
import type { Sample, SampleRequest } from '../../engine.ts';
import { refuseIfUnfit } from '../../constraint/constraint.ts';
import type { LaneAnswer, LaneRequest, StreamedToken } from './messages.ts';

export interface RequestLimits {
  readonly vocabulary: number;
  readonly context: number;
  /** Needed for stop strings only. */
  readonly decode?: ((ids: TokenIds) => string) | undefined;
  /** Whether replies can be held to a constraint and biased here; if not, why. */
  readonly unguided?: string | undefined;
}

export class PendingSample {
  readonly promise: Promise<Sample>;
  /** What a lane is told. */
  readonly forLane: LaneRequest;
  version = 0;
  private readonly tokens: number[] = [];
  private readonly logprobs: number[] = [];
  private readonly rawLogprobs: number[] = [];
  private readonly stopWindow: number;
  private settle!: { resolve: (sample: Sample) => void; reject: (error: Error) => void };
  private unlisten: (() => void) | undefined;

  constructor(
    id: number,
    private readonly request: SampleRequest,
    private readonly limits: RequestLimits,
  ) {
    check(request, limits);
    checkGuidance(request, limits);
    const { temperature = 1, topK = 0, topP = 1, minP = 0, stopTokens = [], stopStrings = [], topLogprobs = 0 } = request;
    const prompt = new Int32Array(request.prompt);
    this.forLane = {
      id,
      prompt,
      // The last sampled token is never fed back, so a reply may fill the context to the brim.
      maxTokens: Math.min(request.maxTokens, limits.context - prompt.length),
      settings: { temperature, topK, topP, minP },
      stopTokens,
      topLogprobs,
      constraint: request.constraint,
      bias: Object.entries(request.logitBias ?? {}).map(([token, by]) => [Number(token), by] as const),
      seed: request.seed,
      streams: request.onToken !== undefined || stopStrings.length > 0,
    };
    // Every token is at least one byte: a match ends within as many tokens as the longest stop string has bytes.
    this.stopWindow = Math.max(0, ...stopStrings.map((stop) => new TextEncoder().encode(stop).length + 4));
    this.promise = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
  }

  /** Calls back when the owner aborts. */
  onCancel(act: () => void): void {
    const { signal } = this.request;
    if (!signal) return;
    signal.addEventListener('abort', act, { once: true });
    this.unlisten = () => {
      signal.removeEventListener('abort', act);
    };
  }

  /** The lane's answer to a request that does not stream. */
  complete({ tokens, logprobs, rawLogprobs, stop }: LaneAnswer): void {
    this.unlisten?.();
    const full = tokens.length >= this.request.maxTokens ? 'length' : 'context';
    this.settle.resolve({ tokens, logprobs, rawLogprobs, stop: stop === 'length' ? full : stop, version: this.version });
  }

  /** A token of a request that streams; true when the sample is complete. */
  push({ token, logprob, rawLogprob, top }: StreamedToken): boolean {
    this.tokens.push(token);
    this.logprobs.push(logprob);
    this.rawLogprobs.push(rawLogprob);
    this.request.onToken?.(token, logprob, rawLogprob, top);
    const stop = this.stopReason(token);
    if (stop === undefined) return false;
    this.unlisten?.();
    this.settle.resolve({
      tokens: Int32Array.from(this.tokens),
      logprobs: Float32Array.from(this.logprobs),
      rawLogprobs: Float32Array.from(this.rawLogprobs),
      stop,
      version: this.version,
    });
    return true;
  }

  fail(error: Error): void {
    this.unlisten?.();
    this.settle.reject(error);
  }

  cancel(): void {
    const { signal } = this.request;
    this.fail(
      new AgogeError('ENGINE_CANCELLED', 'the sample was cancelled; ask again when it is wanted', { cause: signal?.reason }),
    );
  }

  private stopReason(token: number): Sample['stop'] | undefined {
    if (this.forLane.stopTokens.includes(token)) return 'token';
    if (this.stopWindow > 0 && this.limits.decode) {
      const text = this.limits.decode(this.tokens.slice(-this.stopWindow));
      if (this.request.stopStrings?.some((stop) => text.includes(stop))) return 'string';
    }
    if (this.tokens.length < this.forLane.maxTokens) return undefined;
    return this.tokens.length >= this.request.maxTokens ? 'length' : 'context';
  }
}

function check(request: SampleRequest, { vocabulary, context, decode }: RequestLimits): void {
  const { prompt, maxTokens, temperature = 1, topK = 0, topP = 1, minP = 0, seed, stopStrings = [], topLogprobs = 0 } = request;
  if (prompt.length === 0) refuse('PROMPT_EMPTY', 'the prompt has no tokens: give at least one, such as the begin-of-text token');
  if (prompt.length >= context) {
    refuse(
      'PROMPT_TOO_LONG',
      `the prompt has ${prompt.length} tokens and the context is ${context}: shorten it, or use a model with a longer context`,
    );
  }
  for (const id of prompt) {
    if (!Number.isInteger(id) || id < 0 || id >= vocabulary) {
      refuse('TOKEN_OUT_OF_RANGE', `token id ${id} is not one of 0 to ${vocabulary - 1}: use the model's own tokenizer`);
    }
  }
  const whole = (value: number): boolean => Number.isInteger(value);
  if (!whole(maxTokens) || maxTokens < 1) bad('maxTokens', maxTokens, 'a whole number of at least 1');
  if (!(temperature >= 0 && temperature < Infinity)) bad('temperature', temperature, 'a number of at least 0');
  if (!whole(topK) || topK < 0) bad('topK', topK, 'a whole number, 0 for all tokens');
  if (!(topP > 0 && topP <= 1)) bad('topP', topP, 'a number above 0 and up to 1');
  if (!(minP >= 0 && minP <= 1)) bad('minP', minP, 'a number from 0 to 1');
  if (!whole(topLogprobs) || topLogprobs < 0 || topLogprobs > 20) bad('topLogprobs', topLogprobs, 'a whole number from 0 to 20');
  if (!whole(seed)) bad('seed', seed, 'a whole number');
  if (stopStrings.some((stop) => stop === '')) refuse('BAD_REQUEST', 'a stop string is empty: leave it out');
  if (stopStrings.length > 0 && !decode) refuse('BAD_REQUEST', 'stop strings need a tokenizer: use stop tokens');
}

/** Said here, where the asker hears it, and not by the thread that samples. */
function checkGuidance(request: SampleRequest, { vocabulary, context, unguided }: RequestLimits): void {
  const { constraint, logitBias = {}, prompt, maxTokens, stopTokens = [] } = request;
  const biases = Object.entries(logitBias);
  if (unguided !== undefined && (constraint || biases.length > 0)) refuse('NO_CONSTRAINT', unguided);
  for (const [token, by] of biases) {
    if (!(Number(token) < vocabulary) || !/^\d+$/.test(token))
      refuse(
        'TOKEN_OUT_OF_RANGE',
        `logit_bias names token ${token}, which is not one of 0 to ${vocabulary - 1}: give ids of the model's tokenizer`,
      );
    if (!(Math.abs(by) <= 100)) bad('logit_bias', by, 'a number from -100 to 100');
  }
  if (!constraint) return;
  if (stopTokens.length === 0)
    refuse('NO_CONSTRAINT', 'a reply with a form needs a token that ends it: use a model with an end of turn');
  refuseIfUnfit(constraint, Math.min(maxTokens, context - prompt.length));
}

function bad(name: string, value: number, wanted: string): never {
  refuse('BAD_REQUEST', `${name} is ${value}: give ${wanted}`);
}

function refuse(what: string, sentence: string): never {
  throw new AgogeError(`ENGINE_${what}`, sentence);
}

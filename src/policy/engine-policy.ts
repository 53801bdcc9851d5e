/**
 * A policy over an Engine, or over any other place that takes and gives tokens: the conversation's tokens go in, sampled tokens come out, with their log-probabilities and the
 * version of the weights. Any number of replies at once; the engine batches them.
 */
import type { Engine } from '../engine/engine.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, Reply, ReplyLimits } from './policy.ts';
import { createRenderer, type Renderer, type RendererOptions } from './renderer.ts';

/** What of an engine a policy needs. */
export type Sampler = Pick<Engine, 'model' | 'sample'> & AsyncDisposable;

/** Its name, and how its conversations are written. */
export interface EnginePolicyOptions extends RendererOptions {
  /** As named on the command line. */
  readonly id: string;
  /** Close the engine with the policy (default: no, the owner does). */
  readonly ownsEngine?: boolean;
  readonly identity?: Readonly<Record<string, string | number>>;
}

/** A policy over an engine: tokens in, tokens out. */
export class EnginePolicy implements Policy {
  readonly id: string;
  readonly renderer: Renderer;
  readonly context: number;
  readonly identity: Readonly<Record<string, string | number>>;
  private readonly owns: boolean;

  constructor(
    readonly engine: Sampler,
    options: EnginePolicyOptions,
  ) {
    this.id = options.id;
    this.owns = options.ownsEngine ?? false;
    this.identity = options.identity ?? {};
    this.context = engine.model.context;
    this.renderer = createRenderer(engine.model.tokenizer, {
      ...options,
      template: options.template ?? engine.model.chatTemplate,
    });
  }

  async reply(conversation: Conversation, limits: ReplyLimits): Promise<Reply> {
    const prompt = conversation.tokens.slice();
    const { stopTokens } = this.renderer;
    const stopStrings = [...this.renderer.stopStrings, ...(limits.stopStrings ?? [])];
    const sample = await this.engine.sample({
      prompt,
      maxTokens: Math.min(limits.maxTokens, this.context - prompt.length),
      temperature: limits.temperature,
      ...(limits.topP === undefined ? {} : { topP: limits.topP }),
      ...(limits.topK === undefined ? {} : { topK: limits.topK }),
      ...(limits.minP === undefined ? {} : { minP: limits.minP }),
      stopTokens,
      ...(stopStrings.length > 0 ? { stopStrings } : {}),
      seed: limits.seed,
      ...(limits.onToken === undefined ? {} : { onToken: limits.onToken }),
      signal: limits.signal,
    });
    const text = this.renderer.text(sample.tokens, sample.stop, limits.stopStrings);
    return {
      segment: { role: 'assistant', text, tokens: sample.tokens, logprobs: sample.logprobs, policyVersion: sample.version },
      stop: sample.stop,
      usage: { input: prompt.length, output: sample.tokens.length },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.owns) await this.engine[Symbol.asyncDispose]();
  }
}

/** A policy behind a server that takes and gives tokens: as one over an engine, with requests and their cost counted. */
import type { Conversation } from '../conversation.ts';
import { EnginePolicy, type EnginePolicyOptions } from '../engine-policy.ts';
import type { PolicyUsage, Reply, ReplyLimits } from '../policy.ts';
import { Spending, type SpendingOptions } from './spending.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

export class TokenEndpointPolicy extends EnginePolicy {
  readonly concurrency: number;
  private readonly spending: Spending;

  constructor(
    private readonly endpoint: TokenEndpoint,
    options: EnginePolicyOptions & SpendingOptions,
  ) {
    super(endpoint, options);
    this.concurrency = endpoint.concurrency;
    this.spending = new Spending(options);
  }

  override async reply(conversation: Conversation, limits: ReplyLimits): Promise<Reply> {
    this.spending.check();
    const reply = await super.reply(conversation, limits);
    if (reply.usage) this.spending.add(reply.usage);
    return reply;
  }

  usage(): PolicyUsage {
    const { requests, retried, leftOut } = this.endpoint.requests;
    const { input, output, cost } = this.spending;
    return {
      requests,
      inputTokens: input,
      outputTokens: output,
      retries: retried,
      ...(cost === undefined ? {} : { cost }),
      ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut] }),
    };
  }
}

/** What all kinds of requests share: the settings of sampling as the engine takes them, and the life of one answer. */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { randomInt, randomUUID } from 'node:crypto';
import { linked } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import { refuseIfUnfit } from '../../engine/constraint/constraint.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Made } from './answers.ts';
import { tooLong, type ChoiceRequest } from './generation.ts';
import type { ChatRequest } from './schema.ts';

type SamplingFields = Pick<
  ChatRequest,
  'temperature' | 'top_p' | 'top_k' | 'min_p' | 'stop' | 'stop_token_ids' | 'seed' | 'logit_bias'
>;

/** The settings of one choice; without a seed every call is its own, with one the same call gives the same answer. */
export function samplingOf(request: SamplingFields): Omit<ChoiceRequest, 'prompt' | 'maxTokens' | 'signal'> {
  const stop = request.stop ?? [];
  return {
    temperature: request.temperature ?? 1,
    ...(request.top_p == null ? {} : { topP: request.top_p }),
    ...(request.top_k == null ? {} : { topK: request.top_k }),
    ...(request.min_p == null ? {} : { minP: request.min_p }),
    ...(request.logit_bias == null ? {} : { logitBias: request.logit_bias }),
    stopStrings: (typeof stop === 'string' ? [stop] : stop).filter((marker) => marker !== ''),
    stopTokens: request.stop_token_ids ?? [],
    seed: request.seed ?? randomInt(2 ** 47),
  };
}

/** What cannot be answered is said before a stream begins, so that the status can still say it. */
export function refuseUnfit(
  { model }: Engine,
  { prompt, maxTokens, constraint }: Pick<ChoiceRequest, 'prompt' | 'maxTokens' | 'constraint'>,
): void {
  const room = model.context - prompt.length;
  if (room < 1) throw tooLong(prompt.length, model.context);
  if (constraint) refuseIfUnfit(constraint, Math.min(maxTokens, room));
}

export function madeBy(engine: Engine, model: string, prefix: string): Made {
  return {
    id: `${prefix}-${randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model,
    fingerprint: `agoge-v${engine.version}`,
  };
}

/** One answer as JSON; a client that leaves ends the work. */
export async function whole(context: Context, work: (signal: AbortSignal) => Promise<object>): Promise<Response> {
  // The request's own signal lives no longer than the request: nothing to let go of.
  const limit = linked(context.req.raw.signal);
  try {
    return context.json(await work(limit.signal));
  } finally {
    limit.abort(over());
  }
}

/** An answer in events: `write` takes them in order, `work` ends when all are asked for. */
export function streamed(
  context: Context,
  work: (write: (data: unknown, event?: string) => void, signal: AbortSignal) => Promise<void>,
  done: string | undefined,
): Response {
  const limit = linked(context.req.raw.signal);
  const { signal } = limit;
  return streamSSE(context, async (stream) => {
    stream.onAbort(() => {
      limit.abort(over());
    });
    let written: Promise<void> = Promise.resolve();
    const write = (data: unknown, event?: string): void => {
      written = written.then(() => stream.writeSSE({ data: JSON.stringify(data), ...(event === undefined ? {} : { event }) }));
    };
    try {
      await work(write, signal);
      await written;
      if (done !== undefined) await stream.writeSSE({ data: done });
    } catch (thrown) {
      const error = AgogeError.from(thrown, 'ENGINE_UNEXPECTED', 'the request failed');
      if (!signal.aborted) write({ error: { message: error.message, type: 'invalid_request_error', code: error.code } });
      await written;
    } finally {
      limit.abort(over());
    }
  });
}

function over(): AgogeError {
  return new AgogeError('ENGINE_CANCELLED', 'the request is over');
}

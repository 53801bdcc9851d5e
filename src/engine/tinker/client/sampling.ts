/** Sampling on a Tinker server: one request as the wire wants it, its answer checked. */
import { AgogeError } from '../../../core/error.ts';
import type { ModelInfo, Sample, SampleRequest } from '../../engine.ts';
import type { SampleOutput } from '../wire/messages.ts';
import { sampleResult, ticketOf } from './call.ts';
import type { Transport } from './transport.ts';

/** Asks a sampling session for one sample. */
export async function sampleOnce(
  transport: Transport,
  session: string,
  number: number,
  request: SampleRequest,
  model: ModelInfo,
): Promise<Omit<Sample, 'version'>> {
  const { prompt, stopTokens = [], stopStrings = [] } = request;
  if (prompt.length === 0 || prompt.length >= model.context)
    throw new AgogeError(
      'ENGINE_PROMPT_TOO_LONG',
      `the prompt has ${prompt.length} tokens and the context is ${model.context}: shorten it`,
    );
  if (request.minP !== undefined && request.minP > 0)
    throw new AgogeError('ENGINE_TINKER_SAMPLE', 'a Tinker server knows no min_p: leave it out, or use top_p');
  const maxTokens = Math.min(request.maxTokens, model.context - prompt.length);
  // The wire takes ids or strings, not both: with strings, servers end a turn by their own ids.
  const stop = stopStrings.length > 0 ? [...stopStrings] : [...stopTokens];
  const body = {
    sampling_session_id: session,
    seq_id: number,
    num_samples: 1,
    prompt: { chunks: [{ type: 'encoded_text', tokens: Array.from(prompt) }] },
    sampling_params: {
      max_tokens: maxTokens,
      seed: request.seed,
      temperature: request.temperature ?? 1,
      top_k: request.topK ?? -1,
      top_p: request.topP ?? 1,
      ...(stop.length > 0 && { stop }),
    },
    prompt_logprobs: false,
    topk_prompt_logprobs: 0,
    type: 'sample',
  };
  const reply = await transport.json('asample', body, { 'x-tinker-sampling-backpressure': '1' });
  const output = await sampleResult(transport, ticketOf(reply, 'asample').id);
  const sample = checked(output, model.vocabulary, maxTokens);
  const last = sample.tokens.at(-1);
  const ended = last !== undefined && (stopTokens.includes(last) || model.tokenizer.endOfTurn.includes(last));
  const why = sample.stopped ? (ended ? 'token' : 'string') : sample.tokens.length < request.maxTokens ? 'context' : 'length';
  sample.tokens.forEach((token, i) => request.onToken?.(token, sample.logprobs[i] as number, sample.logprobs[i]));
  return { tokens: sample.tokens, logprobs: sample.logprobs, rawLogprobs: sample.logprobs, stop: why };
}

/** The log-probability of each token of a sequence after its first, as a sampling session sees it. */
export async function promptLogprobs(
  transport: Transport,
  session: string,
  number: number,
  tokens: readonly number[],
): Promise<number[]> {
  const body = {
    sampling_session_id: session,
    seq_id: number,
    num_samples: 1,
    prompt: { chunks: [{ type: 'encoded_text', tokens }] },
    sampling_params: { max_tokens: 1, seed: 0, temperature: 1, top_k: -1, top_p: 1 },
    prompt_logprobs: true,
    topk_prompt_logprobs: 0,
    type: 'sample',
  };
  const reply = await transport.json('asample', body, { 'x-tinker-sampling-backpressure': '1' });
  const { promptLogprobs: given } = await sampleResult(transport, ticketOf(reply, 'asample').id);
  // SkyRL on JAX leaves the first entry out, which is undefined anyway.
  const scores = Array.from(given ?? []).slice(given?.length === tokens.length ? 1 : 0);
  if (scores.length !== tokens.length - 1 || !scores.every(Number.isFinite))
    throw wrong(`${scores.length} log-probabilities for a prompt of ${tokens.length} tokens`);
  return scores;
}

function checked(
  output: SampleOutput,
  vocabulary: number,
  maxTokens: number,
): { readonly tokens: Int32Array; readonly logprobs: Float32Array; readonly stopped: boolean } {
  const [sequence] = output.sequences;
  if (!sequence || output.sequences.length !== 1) throw wrong(`${output.sequences.length} samples instead of one`);
  const tokens = Int32Array.from(sequence.tokens);
  const logprobs = Float32Array.from(sequence.logprobs ?? []);
  if (tokens.length === 0 || tokens.length > maxTokens)
    throw wrong(`${tokens.length} tokens where up to ${maxTokens} were asked for`);
  if (logprobs.length !== tokens.length) throw wrong(`${logprobs.length} log-probabilities for ${tokens.length} tokens`);
  const foreign = tokens.find((token) => token < 0 || token >= vocabulary);
  if (foreign !== undefined) throw wrong(`the token ${foreign}, outside the vocabulary of ${vocabulary}`);
  const bad = logprobs.find((value) => !Number.isFinite(value) || value > 1e-3);
  if (bad !== undefined) throw wrong(`the log-probability ${bad}`);
  return { tokens, logprobs, stopped: sequence.stop === 'stop' };
}

function wrong(what: string): AgogeError {
  return new AgogeError('ENGINE_TINKER_ANSWER', `the server sampled something that cannot be, ${what}: look at its log`);
}

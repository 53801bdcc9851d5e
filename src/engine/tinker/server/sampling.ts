/** One asample call on an engine: samples, and the log-probabilities and the likeliest tokens of the prompt where they are asked for. */
import { randomInt } from 'node:crypto';
import { AgogeError } from '../../../core/error.ts';
import type { Engine } from '../../engine.ts';
import { promptAlternatives } from '../../prompt-alternatives.ts';
import { emptyCell, type SampleOutput, type TopLogprobs } from '../wire/messages.ts';
import type { SampleBody } from '../wire/requests.ts';

/** Tokens of one position that an engine tells. */
const mostTop = 20;

/** Refuses what no sample can be drawn for; throws before the call is accepted. */
export function checkSample(body: SampleBody, { context, vocabulary }: Engine['model']): void {
  const prompt = promptOf(body);
  const bad = (what: string): AgogeError => new AgogeError('ENGINE_TINKER_SAMPLE', what);
  if (prompt.length === 0) throw bad('the prompt is empty: give at least one token');
  if (prompt.length >= context) throw bad(`the prompt has ${prompt.length} tokens and the context is ${context}: shorten it`);
  const foreign = prompt.find((token) => token < 0 || token >= vocabulary);
  if (foreign !== undefined)
    throw bad(`token ${foreign} of the prompt is outside the vocabulary of ${vocabulary}: use the model's own tokenizer`);
  if (body.topk_prompt_logprobs > mostTop)
    throw bad(
      `topk_prompt_logprobs is ${body.topk_prompt_logprobs}, and at most ${mostTop} tokens of a position are told: ask for fewer`,
    );
  if (body.topk_sample_logprobs > 0 || body.prompt_alt_tokens_k > 0)
    throw bad('the likeliest tokens beside a sample are not told here: send it as a prompt and ask for topk_prompt_logprobs');
  if (body.target_prompt_logprobs !== undefined && body.target_prompt_logprobs !== null)
    throw bad('target_prompt_logprobs is not known here: ask for prompt_logprobs');
}

export async function runSample(engine: Engine, body: SampleBody): Promise<SampleOutput> {
  const prompt = promptOf(body);
  const { sampling_params: params } = body;
  const { stop } = params;
  const seed = params.seed ?? randomInt(2 ** 47);
  const room = engine.model.context - prompt.length;
  const stops = typeof stop === 'string' ? [stop] : (stop ?? undefined);
  const stopStrings = stops?.filter((one) => typeof one === 'string' && one !== '') as string[] | undefined;
  // Strings stop beside the end of a turn; a list of tokens, even an empty one, stops instead of it.
  const ends = stops === undefined || stops.some((one) => typeof one === 'string');
  const stopTokens = ends ? [...engine.model.tokenizer.endOfTurn] : stops.filter((one) => typeof one === 'number');
  const request = {
    prompt,
    maxTokens: Math.min(params.max_tokens ?? room, room),
    temperature: params.temperature,
    ...(params.top_k > 0 && { topK: params.top_k }),
    ...(params.top_p < 1 && { topP: params.top_p }),
    stopTokens,
    ...(stopStrings && stopStrings.length > 0 && { stopStrings }),
  };
  const drawn = Array.from({ length: body.num_samples }, (_, i) => engine.sample({ ...request, seed: seed + i }));
  const k = body.topk_prompt_logprobs;
  // The likeliest tokens imply the scores of those that stand there, as on SkyRL.
  const scored = body.prompt_logprobs === true || k > 0 ? promptLogprobs(engine, prompt) : undefined;
  // Each may fail: none is left without a listener.
  const [samples, before, top] = await Promise.all([
    Promise.all(drawn),
    scored,
    k > 0 ? topPromptLogprobs(engine, prompt, k) : undefined,
  ]);
  return {
    sequences: samples.map(({ stop: why, tokens, rawLogprobs }) => ({
      stop: why === 'token' || why === 'string' ? 'stop' : 'length',
      tokens,
      logprobs: rawLogprobs,
    })),
    ...(before && { promptLogprobs: before }),
    ...(top && { topPromptLogprobs: top }),
    cachedTokens: 0,
  };
}

/** One entry per prompt token; the first is not defined. */
async function promptLogprobs(engine: Engine, prompt: readonly number[]): Promise<Float32Array> {
  const result = new Float32Array(prompt.length).fill(NaN);
  if (prompt.length === 1) return result;
  const mask = new Uint8Array(prompt.length).fill(1);
  mask[0] = 0;
  const [scores] = await engine.forward([{ tokens: prompt, mask }]);
  if (scores) result.set(scores.scores, 1);
  return result;
}

/** The k likeliest tokens of each position as one table. */
async function topPromptLogprobs(engine: Engine, prompt: readonly number[], k: number): Promise<TopLogprobs> {
  const tokens = new Int32Array(prompt.length * k);
  const logprobs = new Float32Array(prompt.length * k).fill(emptyCell);
  for (const [position, told] of (await promptAlternatives(engine, prompt, k)).entries()) {
    told.forEach(({ token, logprob }, i) => {
      tokens[position * k + i] = token;
      logprobs[position * k + i] = logprob;
    });
  }
  return { k, tokens, logprobs };
}

function promptOf({ prompt }: SampleBody): number[] {
  return prompt.chunks.flatMap(({ tokens }) => tokens);
}

/** Engine data as wire data and back: shifted by one, checked before they are sent and after they come back. */
import { AgogeError } from '../../../core/error.ts';
import type { Datum, TokenScores } from '../../engine.ts';
import type { Tensor, TrainingOutput, WireDatum } from '../wire/messages.ts';

/** Refuses what servers take in silently and answer with nonsense. */
export function checkData(
  batch: readonly Datum[],
  { vocabulary, context }: { readonly vocabulary: number; readonly context: number },
): void {
  if (batch.length === 0) throw new AgogeError('ENGINE_EMPTY_BATCH', 'the batch is empty: give at least one datum');
  batch.forEach(({ tokens, mask }, index) => {
    const bad = (what: string): AgogeError => new AgogeError('ENGINE_BAD_DATUM', `datum ${index}: ${what}`);
    if (tokens.length === 0) throw bad('it has no tokens; leave it out of the batch');
    if (tokens.length > context) throw bad(`${tokens.length} tokens do not fit the model's context of ${context}; shorten it`);
    if (mask.length !== tokens.length)
      throw bad(`its mask has ${mask.length} entries for ${tokens.length} tokens; give one per token`);
    if (mask[0] !== 0) throw bad('its first token is scored, but nothing stands before it; set mask[0] to 0');
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as number;
      if (!Number.isInteger(token) || token < 0 || token >= vocabulary)
        throw bad(`token ${i} is ${token}, outside the vocabulary of ${vocabulary}; use the model's own tokenizer`);
    }
  });
}

/** A datum with one number per scored token under each of the names, 0 elsewhere. */
export function wireDatum({ tokens, mask }: Datum, scored: Readonly<Record<string, ArrayLike<number>>>): WireDatum {
  const length = tokens.length - 1;
  const targets = Float64Array.from({ length }, (_, i) => tokens[i + 1] as number);
  const inputs: Record<string, Tensor> = { target_tokens: { dtype: 'int64', data: targets, shape: [length] } };
  for (const [name, values] of Object.entries(scored)) {
    const data = new Float32Array(length);
    let next = 0;
    for (let i = 0; i < length; i++) if (mask[i + 1] === 1) data[i] = values[next++] as number;
    inputs[name] = { dtype: 'float32', data, shape: [length] };
  }
  return { chunks: [Float64Array.from({ length }, (_, i) => tokens[i] as number)], inputs };
}

/** The log-probabilities of the scored tokens; throws for wrong numbers of them and for what is no log-probability. */
export function scoresOf(batch: readonly Datum[], { outputs }: TrainingOutput): TokenScores[] {
  const bad = (what: string): AgogeError =>
    new AgogeError('ENGINE_TINKER_ANSWER', `the server's answer does not fit the batch, ${what}: nothing was learned from it`);
  if (outputs.length !== batch.length) throw bad(`${outputs.length} outputs for ${batch.length} data`);
  return batch.map(({ tokens, mask }, index) => {
    const logprobs = outputs[index]?.['logprobs']?.data;
    if (logprobs?.length !== tokens.length - 1)
      throw bad(`datum ${index} has ${logprobs?.length ?? 'no'} log-probabilities for ${tokens.length - 1} positions`);
    const scores: number[] = [];
    for (let i = 1; i < tokens.length; i++) {
      if (mask[i] !== 1) continue;
      const value = logprobs[i - 1] as number;
      if (!Number.isFinite(value) || value > 1e-3) throw bad(`datum ${index} has the log-probability ${value} at token ${i}`);
      scores.push(value);
    }
    return { scores: Float32Array.from(scores) };
  });
}

/**
 * One number for each whole sequence, by a model with a value head: the value of the last token, as transformers' sequence classifiers
 * give it (the last one that is not padding). Sequences go through the engine in batches; what they share at their start is computed once.
 */
import { at } from '../core/at.ts';
import { AgogeError } from '../core/error.ts';
import type { TokenIds } from '../core/trajectory.ts';
import type { Datum, Engine, ModelInfo } from './engine.ts';

/** Tokens that go through the engine in one call. */
const batchTokens = 16_384;

export async function scoreSequences(engine: Engine, sequences: readonly TokenIds[]): Promise<number[]> {
  const data = sequences.map((tokens) => sequenceDatum(engine.model, tokens));
  const scores: number[] = [];
  for (let from = 0; from < data.length;) {
    let [to, held] = [from, 0];
    for (; to < data.length; to++) {
      held += at(data, to).tokens.length;
      if (to > from && held > batchTokens) break;
    }
    for (const { scores: values } of await engine.forward(data.slice(from, to))) scores.push(values[0] as number);
    from = to;
  }
  return scores;
}

/** Asks for the value of a sequence's last state: an engine gives the value before a token, so one that is never read follows. */
export function sequenceDatum({ head, context, padToken }: ModelInfo, tokens: TokenIds): Datum {
  if (head !== 'value')
    throw new AgogeError(
      'MODEL_NO_SCORE',
      'this is a language model, which gives tokens and no score: train a reward model on it with agoge reward',
    );
  let { length } = tokens;
  if (padToken !== undefined) while (length > 1 && tokens[length - 1] === padToken) length--;
  if (length === 0) throw new AgogeError('MODEL_EMPTY_SEQUENCE', 'there is nothing to score: give a text of at least one token');
  if (length >= context)
    throw new AgogeError(
      'MODEL_TOO_LONG',
      `a text of ${length} tokens does not fit the model's ${context}: shorten it, or use a model with a longer context`,
    );
  const mask = new Uint8Array(length + 1);
  mask[length] = 1;
  const whole = new Int32Array(length + 1);
  whole.set(tokens.slice(0, length));
  return { tokens: whole, mask };
}

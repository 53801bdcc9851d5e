/**
 * Scores of whole texts over HTTP, for reward models: vLLM's `/classify` and SGLang's `/v1/embeddings`, the two that verl's reward loop
 * asks. A text is scored as it stands; messages are written by the model's chat template first.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { TokenIds } from '../../core/trajectory.ts';
import type { Engine } from '../../engine/engine.ts';
import { scoreSequences } from '../../engine/score-sequences.ts';

const tokens = z.array(z.int().min(0)).min(1);
const input = z.union([z.string(), z.array(z.string()).min(1).max(4096), tokens, z.array(tokens).min(1).max(4096)]);
const messages = z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1);

/** Fields that other servers take and that change nothing here are passed over. */
export const classifyRequest = z
  .looseObject({
    model: z.string().optional(),
    input: input.optional(),
    messages: messages.optional(),
    /** As in vLLM: the logistic function over the score unless it is false; the second spelling is that of older versions. */
    use_activation: z.boolean().nullish(),
    activation: z.boolean().nullish(),
  })
  .refine((given) => (given.input === undefined) !== (given.messages === undefined), 'send either input or messages');

export type ClassifyRequest = z.infer<typeof classifyRequest>;

interface Scored {
  readonly scores: readonly number[];
  readonly tokens: number;
}

export async function scoreRequest(
  engine: Engine,
  request: ClassifyRequest,
  written: (messages: readonly { readonly role: string; readonly content: string }[]) => string,
): Promise<Scored> {
  const { tokenizer } = engine.model;
  const texts = request.messages ? [written(request.messages)] : listed(request.input ?? '');
  const sequences = texts.map((text): TokenIds => (typeof text === 'string' ? tokenizer.encode(text) : text));
  const scores = await scoreSequences(engine, sequences);
  return { scores, tokens: sequences.reduce((sum, { length }) => sum + length, 0) };
}

export function classifyResponse(model: string, { use_activation: use, activation }: ClassifyRequest, scored: Scored): object {
  const raw = use === false || (use == null && activation === false);
  const data = scored.scores.map((score, index) => ({
    index,
    label: 'LABEL_0',
    probs: [raw ? score : 1 / (1 + Math.exp(-score))],
    num_classes: 1,
  }));
  return { id: `classify-${randomUUID()}`, ...listOf(model, data, scored.tokens) };
}

export function embeddingResponse(model: string, { scores, tokens: count }: Scored): object {
  const data = scores.map((score, index) => ({ object: 'embedding', index, embedding: [score] }));
  return listOf(model, data, count);
}

function listOf(model: string, data: readonly object[], count: number): object {
  const usage = { prompt_tokens: count, total_tokens: count, completion_tokens: 0 };
  return { object: 'list', created: Math.floor(Date.now() / 1000), model, data, usage };
}

function listed(given: z.infer<typeof input>): (string | number[])[] {
  if (typeof given === 'string') return [given];
  return given.every((part) => typeof part === 'number') ? [given] : given;
}

/** What the page may ask for, read from the query string with a schema. */
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import type { EpisodeQuery } from '../model.ts';

const schema = z.object({
  purpose: z.enum(['train', 'eval']).optional(),
  step: z.coerce.number().int().nonnegative().optional(),
  task: z.string().max(300).optional(),
  category: z.string().max(300).optional(),
  outcome: z.enum(['success', 'finished', 'truncated', 'failed']).optional(),
  policy: z.string().max(1000).optional(),
  minReward: z.coerce.number().optional(),
  maxReward: z.coerce.number().optional(),
  text: z.string().max(1000).optional(),
  offset: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});

export function episodeQuery(search: URLSearchParams): EpisodeQuery {
  const given = Object.fromEntries([...search].filter(([key, value]) => key in schema.shape && value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AgogeError(
      'REPORT_BAD_QUERY',
      `the filter "${issue?.path.join('.') ?? ''}" is not usable: ${issue?.message ?? 'change it'}`,
    );
  }
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}

export function required(search: URLSearchParams, key: string): string {
  const value = search.get(key);
  if (value === null || value === '') throw new AgogeError('REPORT_BAD_QUERY', `"${key}" is missing: add ?${key}=…`);
  return value;
}

export function several(search: URLSearchParams, key: string, most: number): readonly string[] {
  const values = [...new Set(search.getAll(key))];
  if (values.length === 0 || values.length > most)
    throw new AgogeError('REPORT_BAD_QUERY', `"${key}" is given ${values.length} times: give it 1 to ${most} times`);
  return values;
}

/** What the answers of AgentGym's routes are made of, for the OpenAPI document; each is checked against real answers. */
import * as z from 'zod';

export const answerParts = {
  observation: z.string(),
  reward: z.number(),
  done: z.boolean(),
  id: z.int(),
  actions: z.array(z.string()),
  /** Environments of the family with `id` answer errors with status 200. */
  failure: z.object({ error: z.string() }),
};

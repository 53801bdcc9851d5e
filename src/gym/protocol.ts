/**
 * The native protocol, `/v1`: the same for every environment. Both the server and the typed client are written against
 * these schemas.
 *
 *   GET    /v1                                  the environments
 *   GET    /v1/environments/{env}/tasks?split=  the tasks of a split, in pages
 *   POST   /v1/sessions                         open a task; the same key opens it once
 *   POST   /v1/sessions/{id}/steps              play an action; the same sequence number plays it once
 *   DELETE /v1/sessions/{id}                    close
 *   POST   /v1/experts                          the expert's next action after these observations
 */
import { z } from 'zod';

export const protocolName = 'agoge-gym/1';

const actionForm = z.object({
  name: z.string(),
  template: z.string(),
  json: z.boolean().optional(),
  schema: z.looseObject({}).optional(),
  description: z.string(),
  parameters: z.record(z.string(), z.string()),
});

export const instructions = z.object({
  task: z.string(),
  actions: z.array(actionForm),
  verbatim: z.boolean().optional(),
  example: z.array(z.object({ observation: z.string(), thought: z.string(), action: z.string() })).optional(),
});

const environmentDescription = z.object({
  name: z.string(),
  version: z.string(),
  /** A size of null: the tasks are generated and never end. */
  splits: z.array(z.object({ name: z.string(), size: z.int().nonnegative().nullable() })),
  instructions,
  /** Tasks of our own stand in for official ones; official ids play them where that was `chosen`. */
  standIn: z.object({ plays: z.string(), remedy: z.string(), chosen: z.boolean() }).optional(),
});

export const hello = z.object({ protocol: z.literal(protocolName), environments: z.array(environmentDescription) });

export const taskPage = z.object({
  env: z.string(),
  split: z.string(),
  size: z.int().nonnegative().nullable(),
  offset: z.int().nonnegative(),
  tasks: z.array(z.object({ index: z.int(), category: z.string(), itemId: z.string(), title: z.string().optional() })),
});

export const openRequest = z.object({
  task: z.object({ env: z.string(), split: z.string(), index: z.int().nonnegative() }),
  /** Chosen by the client: opening again with the same key gives the same session. */
  key: z.string().max(200).optional(),
});

const view = { actions: z.array(z.string()).optional(), state: z.unknown().optional(), progress: z.unknown().optional() };

export const openAnswer = z.object({
  session: z.int(),
  observation: z.string(),
  ...view,
  /** The session is closed when it is not used for this long. */
  idleSeconds: z.number(),
});

export const stepRequest = z.object({
  /** 1 for the first step; repeating the last number gives the stored answer again. */
  sequence: z.int().positive(),
  action: z.string(),
});

export const stepAnswer = z.object({
  sequence: z.int(),
  observation: z.string(),
  reward: z.number(),
  done: z.boolean(),
  success: z.boolean().optional(),
  breakdown: z.record(z.string(), z.number()).optional(),
  ...view,
});

/** An expert is asked with all that was observed so far, so asking twice gives the same answer. */
export const expertRequest = z.object({ task: openRequest.shape.task, observations: z.array(z.string()).min(1).max(10_000) });

export const expertAnswer = z.object({ action: z.string().nullable() });

export const closeAnswer = z.object({ closed: z.boolean() });

export const failureAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export type EnvironmentDescription = z.infer<typeof environmentDescription>;
export type OpenAnswer = z.infer<typeof openAnswer>;
export type StepAnswer = z.infer<typeof stepAnswer>;

/** What AgentGym's routes answer, for the OpenAPI document: one schema per route of each dialect, checked against real answers. */
import { z } from 'zod';

const observation = z.string();
const reward = z.number();
const done = z.boolean();
const id = z.int();
const actions = z.array(z.string());
/** Environments of this family answer errors with status 200. */
const failure = z.object({ error: z.string() });
const closed = z.boolean();

const gameStep = z.object({ observation, reward, score: z.number(), done });

const tables: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  textcraft: {
    '/create': z.union([z.object({ id, observation, done, reward }), failure]),
    '/reset': z.union([z.object({ id, observation, done, reward }), failure]),
    '/step': z.union([z.object({ observation, reward, done }), failure]),
    '/observation': z.union([observation, failure]),
    '/detail': z.union([z.object({ observation, done, reward, deleted: z.boolean() }), failure]),
    '/commands': z.union([z.string(), failure]),
    '/goal': z.union([z.string(), failure]),
    '/close': closed,
  },
  babyai: {
    '/create': z.object({ id }),
    '/reset': z.union([gameStep.extend({ deleted: z.boolean() }), failure]),
    '/step': z.union([gameStep, failure]),
    '/observation': z.union([gameStep.extend({ deleted: z.boolean() }), failure]),
    '/render': z.union([z.string(), failure]),
    '/close': closed,
  },
  webshop: {
    '/create': id,
    '/list_envs': z.array(id),
    '/reset': z.tuple([observation, z.null()]),
    '/step': z.object({ state: observation, reward, done, info: z.null() }),
    '/observation': observation,
    '/available_actions': z.object({ has_search_bar: z.boolean(), clickables: actions }),
    '/instruction_text': z.string(),
    '/state': z.object({ url: z.string(), html: z.string(), instruction_text: z.string() }),
    '/close': closed,
  },
  alfworld: {
    '/create': z.object({ id }),
    '/reset': z.union([z.object({ id, observation, available_actions: actions, task_type: z.string() }), failure]),
    '/step': z.union([z.object({ observation, reward, available_actions: actions, done }), failure]),
    '/observation': z.union([observation, failure]),
    '/available_actions': z.union([actions, failure]),
    '/detail': z.union([z.looseObject({ done, reward, deleted: z.boolean() }), failure]),
    '/close': closed,
  },
};

/** The schema of a route's good answer; undefined for a dialect or route that is not listed yet. */
export function answerSchema(env: string, path: string): z.ZodType | undefined {
  return tables[env]?.[path];
}

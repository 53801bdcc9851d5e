/**
 * How a server of AgentGym is spoken to: names of fields, what /create wants, where the text and the reward are. Facts of its wire;
 * nothing is guessed from an answer. Its servers are of two families, by the name of an instance's id.
 */
import { AgogeError } from '../../core/error.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One environment's wire, as a client sees it. */
export interface WireFacts {
  readonly key: 'id' | 'env_idx';
  /** What `GET /` says; undefined where there is no such route. */
  readonly greeting: string | undefined;
  /** Body of /create; undefined for none. */
  readonly create: Json | undefined;
  /** Body of /reset for a task, beside the key. */
  reset(item: number): Json;
  /** The first observation from the answer of /reset. */
  first(answer: unknown): string;
  /** `total` is what the step earned, or with `running` what the episode has earned so far. */
  step(answer: Json): { observation: unknown; total: unknown; done: unknown; running?: boolean };
  /** Files at the server decide which tasks there are, and ours may be others (WebShop's products). */
  readonly filesDecide?: true;
  /** A server of AgentGym asks other questions under the same numbers than the environment that ships: only the numbers are known. */
  readonly asksOthers?: true;
  /** Items that AgentGym's server has: ids 0 to one less; undefined where the server's own data decide. */
  readonly items?: number;
  /** The action as the server reads it; as it is where absent. */
  send?(action: string): string;
  /** Admissible actions that an observation spells out. */
  listed?(observation: string): readonly string[] | undefined;
  /** Where the server must be asked for them: a route, and the actions in its answer. */
  readonly ask?: { readonly path: string; read(answer: Json, observation: string): readonly string[] };
  /** Was an episode that ended with this reward solved? */
  success(reward: number): boolean;
}

const solved = (reward: number): boolean => reward >= 1;
const plainStep: WireFacts['step'] = ({ observation, reward, done }) => ({ observation, total: reward, done });

/** Servers whose instances are named by `id` and whose answers are objects. */
export const idFamily = {
  key: 'id',
  create: undefined,
  reset: (item) => ({ data_idx: item }),
  first: (answer) => textIn(answer, 'observation'),
  step: plainStep,
  success: solved,
} as const satisfies Partial<WireFacts>;

/** Servers whose instances are named by `env_idx`; /reset answers with a list or a text. */
export const indexFamily = {
  key: 'env_idx',
  greeting: 'ok',
  create: undefined,
  first: (answer) =>
    Array.isArray(answer) ? textIn({ observation: answer[0] as unknown }, 'observation') : textIn({ answer }, 'answer'),
  step: plainStep,
  success: solved,
} as const satisfies Partial<WireFacts>;

/** A text of an answer of /reset; throws GYM_BAD_ANSWER where it is not there. */
export function textIn(answer: unknown, name: string): string {
  const value = typeof answer === 'object' && answer !== null ? (answer as Json)[name] : undefined;
  if (typeof value === 'string') return value;
  throw new AgogeError(
    'GYM_BAD_ANSWER',
    `/reset answered ${JSON.stringify(answer).slice(0, 200)} without ${name}: is this the right environment?`,
  );
}

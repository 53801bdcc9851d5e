/**
 * How each of AgentGym's servers is spoken to: names of fields, what /create wants, where the text and the reward are.
 * Facts of its wire, one row each; nothing here is guessed from an answer.
 */
import { AgogeError } from '../core/error.ts';

export type Json = Readonly<Record<string, unknown>>;

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

/** The row of an environment; throws ENV_UNKNOWN for one that AgentGym does not have. */
export function wireFacts(name: string): WireFacts {
  const facts = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (facts) return facts;
  throw new AgogeError(
    'ENV_UNKNOWN',
    `AgentGym has no server for "${name}": choose one of ${Object.keys(rows).join(', ')}, or serve it with agoge`,
  );
}

/** True for an environment whose tasks at a server of AgentGym are not ours. */
export function asksOthers(name: string): boolean {
  return Object.hasOwn(rows, name) && rows[name]?.asksOthers === true;
}

const solved = (reward: number): boolean => reward >= 1;
const field = (answer: unknown, name: string): string => {
  const value = typeof answer === 'object' && answer !== null ? (answer as Json)[name] : undefined;
  if (typeof value === 'string') return value;
  throw new AgogeError(
    'GYM_BAD_ANSWER',
    `/reset answered ${JSON.stringify(answer).slice(0, 200)} without ${name}: is this the right environment?`,
  );
};
const plainStep: WireFacts['step'] = ({ observation, reward, done }) => ({ observation, total: reward, done });

const idFamily = {
  key: 'id',
  create: undefined,
  reset: (item) => ({ data_idx: item }),
  first: (answer) => field(answer, 'observation'),
  step: plainStep,
  success: solved,
} as const satisfies Partial<WireFacts>;

const indexFamily = {
  key: 'env_idx',
  greeting: 'ok',
  create: undefined,
  first: (answer) =>
    Array.isArray(answer) ? field({ observation: answer[0] as unknown }, 'observation') : field({ answer }, 'answer'),
  step: plainStep,
  success: solved,
} as const satisfies Partial<WireFacts>;

/** `Available actions: ["turn left", "go to red ball 1"]`, at the end of the text. */
const quotedList = (observation: string): readonly string[] | undefined => {
  const list = /\nAvailable actions: \[(.*)\]\s*$/.exec(observation)?.[1];
  return list === undefined ? undefined : Array.from(list.matchAll(/"([^"]*)"/g), ([, action = '']) => action);
};

const shopActions = (answer: Json, observation: string): readonly string[] => {
  const { has_search_bar: bar, clickables } = answer;
  const clicks = Array.isArray(clickables) ? clickables.filter((text) => typeof text === 'string') : [];
  const asked = /Instruction:\s*(?:\[SEP\])?\s*(.*?)\s*(?:\[SEP\]|$)/s.exec(observation)?.[1] ?? '';
  const words = asked.replace(/,? and price lower than .*$/, '').replace(/[[\]]/g, ' ');
  return bar === true ? [`search[${words}]`] : clicks.map((text) => `click[${text}]`);
};

const tool = (items: number): WireFacts => ({
  ...indexFamily,
  items,
  asksOthers: true,
  // The server looks for the word itself.
  send: (action) => (/Action:/.test(action.replace(/Action Input:/g, '')) ? action : `Action: ${action}`),
  create: { id: 0 },
  reset: (item) => ({ id: item }),
  step: (answer) => ({ ...plainStep(answer), running: true }),
});

const rows: Readonly<Record<string, WireFacts>> = {
  textcraft: { ...idFamily, greeting: 'This is environment TextCraft.', create: {} },
  babyai: { ...idFamily, greeting: 'This is environment BabyAI.', success: (reward) => reward > 0, listed: quotedList },
  sciworld: {
    ...idFamily,
    greeting: 'This is environment ScienceWorld.',
    items: 4639,
    first: (answer) => `${field(answer, 'task_description')}\n${field(answer, 'observation')}`,
    // Scores are 0 to 100 (or -100); here, as everywhere, a solved task has earned 1.
    step: ({ observation, score, done }) => ({
      observation,
      total: typeof score === 'number' ? score / 100 : score,
      done,
      running: true,
    }),
  },
  alfworld: {
    ...idFamily,
    greeting: 'This is environment AlfWorld.',
    items: 2620,
    reset: (item) => ({ game: item, world_type: 'Text' }),
    first: (answer) => {
      const actions = (answer as Json)['available_actions'];
      return `${field(answer, 'observation')}\nAVAILABLE ACTIONS: ${Array.isArray(actions) ? actions.join(',') : ''}`;
    },
  },
  // The 26th start of the maze is its goal, which the server refuses.
  maze: { ...idFamily, greeting: undefined, items: 25, reset: (item) => ({ game: item }) },
  // Any seed is a game; AgentGym's ids go up to 1450.
  wordle: { ...idFamily, greeting: undefined, items: 1451, reset: (item) => ({ seed: item }) },
  webshop: {
    ...indexFamily,
    filesDecide: true,
    reset: (item) => ({ session_id: item }),
    step: ({ state, reward, done }) => ({ observation: state, total: reward, done }),
    ask: { path: '/available_actions', read: shopActions },
  },
  sqlgym: {
    ...indexFamily,
    filesDecide: true,
    items: 10_962,
    reset: (item) => ({ item_id: item }),
    step: ({ state, reward, done }) => ({ observation: state, total: reward, done }),
  },
  searchqa: { ...indexFamily, filesDecide: true, items: 221_328, create: { id: 0 }, reset: (item) => ({ id: item }) },
  webarena: {
    ...indexFamily,
    filesDecide: true,
    items: 812,
    reset: (item) => ({ seed: 0, idx: item }),
    first: (answer) => `OBSERVATION:\n${field(answer, 'observation')}\nOBJECTIVE: ${field(answer, 'object')}`,
    send: (action) => (action.includes('```') ? action : `\`\`\`${action}\`\`\``),
    // Until the end the reward only says that the browser carried the action out.
    step: ({ observation, reward, terminated }) => ({ observation, total: terminated === true ? reward : 0, done: terminated }),
  },
  weather: tool(343),
  movie: tool(238),
  academia: tool(20),
  todo: tool(155),
  sheet: tool(20),
};

/**
 * A recorded conversation played again on the environment it came from: the same first observation, the same answer to
 * every action, the same reward at the end; or which of these differs first, and how. Each environment's recordings have
 * habits (what their recorder added, trimmed, or labelled wrongly); they are dealt with here.
 */
import { AgogeError } from '../../core/error.ts';
import { taskOfItem } from '../../agent/items.ts';
import type { Read } from '../../agent/format.ts';
import { readAdapt } from '../../agent/formats/adapt.ts';
import {
  readTextCraftAdapt,
  readTextCraftAnywhere,
  readTextCraftFirstAction,
  readTextCraftInteraction,
} from '../../envs/textcraft/reading.ts';
import type { Environment, Step } from '../../envs/environment.ts';
import type { BabyAI } from '../../envs/babyai/babyai.ts';
import type { MazeEnvironment } from '../../envs/maze/maze.ts';
import type { TextCraft } from '../../envs/textcraft/textcraft.ts';
import type { WebShop } from '../../envs/webshop/webshop.ts';
import { agentGymReader, factsOf } from '../../envs/lookup.ts';
import type { Settings } from '../../envs/registry.ts';
import type { FormatName } from '../formats/format.ts';
import { parseItemId } from '../tasks/items.ts';
import type { ConversationRow, DataMessage } from '../rows.ts';
import { withoutOpening } from '../openings.ts';
import { envOf } from '../select.ts';
import { firstObservation } from './first-observation.ts';

export type ProblemKind = 'unknown-task' | 'no-turns' | 'first-observation' | 'observation' | 'reward' | 'not-finished';

export interface Problem {
  readonly kind: ProblemKind;
  readonly detail: string;
}

export interface Replay {
  readonly problem?: Problem;
  /** The item that the recording really shows, where its label names another one. */
  readonly itemId?: string;
  readonly turns: number;
  /** How its replies were read. */
  readonly reader?: Exclude<ReaderName, 'auto'>;
}

/** Loads environments with settings; the same name and settings give the same one. */
export type LoadEnvironment = (name: string, settings?: Settings) => Promise<Environment>;

const readerNames = ['2024', '2025', 'adapt', 'adapt-last', 'direct', 'anywhere', 'interaction', 'first-action'] as const;
/** How replies were read when they were recorded; `auto` finds the reader with which the recording replays. */
export type ReaderName = 'auto' | (typeof readerNames)[number];

interface Game {
  readonly observation: string;
  step(action: string): Step | Promise<Step>;
  /** The item that is being played, where the label was wrong. */
  readonly itemId?: string;
  /** What the recorder did to an observation before it wrote it down. */
  readonly written?: (observation: string) => string;
}

export async function replayRow(
  row: ConversationRow,
  format: FormatName,
  load: LoadEnvironment,
  reader: ReaderName = 'auto',
): Promise<Replay> {
  if (reader !== 'auto') return replayWith(reader, row, load, format);
  const said = readerNames.find((name) => name === row.extra?.['format']);
  const likely = said ?? likelyReader(baseName(envOf(row)), format, row.messages);
  const first = await replayWith(likely, row, load, format);
  if (!first.problem || !['observation', 'reward', 'not-finished'].includes(first.problem.kind)) return first;
  // A recording of another client: the one reader with which all of it replays is the one it was made with.
  for (const other of readerNames) {
    if (other === likely) continue;
    // One that reads little must not pass for the interaction that read nothing.
    const replay = await replayWith(other, row, load, format, other === 'anywhere' || other === 'interaction');
    if (!replay.problem) return replay;
  }
  return first;
}

async function replayWith(
  reader: Exclude<ReaderName, 'auto'>,
  recorded: ConversationRow,
  load: LoadEnvironment,
  format: FormatName,
  ofInteraction = true,
): Promise<Replay> {
  const row = withoutRepeats(withoutOpening(recorded));
  const start = firstObservation(row.messages);
  const first = row.messages[start];
  const env = baseName(envOf(row));
  if (first?.role !== 'user' || start + 1 >= row.messages.length) {
    return { turns: 0, problem: { kind: 'no-turns', detail: 'there is no observation followed by a reply' } };
  }
  let game: Game | undefined;
  try {
    game = await openGame(env, row, first.content, load);
  } catch (thrown) {
    if (!(thrown instanceof AgogeError)) throw thrown;
    return { turns: 0, problem: { kind: 'unknown-task', detail: thrown.message } };
  }
  const label = game.itemId === undefined ? {} : { itemId: game.itemId };
  const written = game.written ?? ((text: string) => text);
  if (written(game.observation) !== first.content) {
    return {
      ...label,
      turns: 0,
      problem: { kind: 'first-observation', detail: difference(first.content, written(game.observation)) },
    };
  }
  const read = await readerNamed(reader, env);
  let total = 0;
  let last: Step = { observation: '', reward: 0, done: false };
  let turns = 0;
  for (let at = start + 1; at < row.messages.length; at += 2) {
    const said = read(row.messages[at]?.content ?? '');
    turns++;
    const recorded = row.messages[at + 1];
    const unheard = ofInteraction ? unheardBy(env, said, recorded, first) : undefined;
    if (unheard === undefined) last = said.action === null ? unread(said, last) : await game.step(said.action);
    else last = { observation: unheard, reward: 0, done: last.done };
    total += last.reward;
    if (recorded && written(last.observation) !== recorded.content) {
      const detail = `turn ${turns}, action "${said.action ?? ''}": ${difference(recorded.content, written(last.observation))}`;
      return { ...label, turns, reader, problem: { kind: 'observation', detail } };
    }
  }
  const problem = rewardProblem(row, format, total, last);
  return { ...label, turns, reader, ...(problem ? { problem } : {}) };
}

/** What an interaction in verl answered in place of the environment to a reply without an action: its own text, or the opening again. */
function unheardBy(env: string, { action }: Read, recorded: DataMessage | undefined, first: DataMessage): string | undefined {
  const { noAction } = factsOf(env).rows ?? {};
  if (noAction === undefined || (action !== null && action !== '')) return undefined;
  return recorded?.content === noAction || recorded?.content === first.content ? recorded.content : undefined;
}

function unread({ problem }: Read & { readonly action: null }, { done }: Step): Step {
  return { observation: problem, reward: 0, done };
}

/** One recorder wrote each observation twice. */
function withoutRepeats(row: ConversationRow): ConversationRow {
  const messages = row.messages.filter(({ role, content }, at) => {
    const before = row.messages[at - 1];
    return role !== 'user' || before?.role !== 'user' || before.content !== content;
  });
  return messages.length === row.messages.length ? row : { ...row, messages };
}

function rewardProblem(row: ConversationRow, format: FormatName, total: number, last: Step): Problem | undefined {
  const { reward } = row;
  if (reward === undefined) {
    // AgentTraj-L holds only trajectories that reached their goal.
    if (format !== 'agenttraj' || last.done) return undefined;
    return { kind: 'not-finished', detail: 'the replay does not reach the end of the task' };
  }
  const near = (earned: number): boolean => Math.abs(earned - reward) < 1e-6;
  if (near(total) || near(last.reward)) return undefined;
  return { kind: 'reward', detail: `the recording says ${reward}, the replay earns ${total}` };
}

async function openGame(env: string, row: ConversationRow, first: string, load: LoadEnvironment): Promise<Game> {
  if (env === 'textcraft') return textCraftGame(row, first, load);
  if (env === 'babyai') return babyAIGame(row, first, load);
  if (env === 'webshop') return webShopGame(row, first, load);
  if (env === 'maze') return mazeGame(row, first, load);
  const environment = await load(env);
  return await environment.open(taskOfItem(environment, row.itemId ?? ''));
}

/** An older server ended each observation with a line break, and played the game that starts on the goal. */
async function mazeGame(row: ConversationRow, first: string, load: LoadEnvironment): Promise<Game> {
  const environment = (await load('maze')) as MazeEnvironment;
  const game = parseItemId(row.itemId ?? '').number;
  if (game === undefined) throw new AgogeError('DATA_NO_TASK', 'the row has no item_id: the maze cannot tell where it began');
  const episode = environment.openRecorded(game);
  const { observation } = episode;
  const broken = first.endsWith('\n');
  return {
    observation,
    step: (action) => episode.step(action),
    ...(broken ? { written: (text: string) => `${text.trimEnd()}\n` } : {}),
  };
}

/** The line order of TextCraft's commands cannot be repeated: the recording's own list is played, on the goal it names. */
async function textCraftGame(row: ConversationRow, first: string, load: LoadEnvironment): Promise<Game> {
  // AgentTraj-L's recorder put "Instruction:" before each observation and trimmed its end.
  const prefixed = first.startsWith('Instruction:\n');
  const environment = (await load('textcraft', prefixed ? { edition: '2024' } : {})) as TextCraft;
  const { parseFirstObservation } = await import('../../envs/textcraft/commands.ts');
  const shown = parseFirstObservation(first);
  const labelled = row.itemId === undefined ? undefined : parseItemId(row.itemId);
  if (row.itemId !== undefined && labelled?.env !== 'textcraft') {
    const task = attempt(() => taskOfItem(environment, row.itemId ?? ''));
    if (task) return environment.open(task);
  }
  if (!shown)
    throw new AgogeError('DATA_NO_TASK', 'the first observation does not show commands and a goal: it is not TextCraft');
  const index = environment.goals.indexOf(shown.goal);
  const opened = environment.openGoal(shown.goal, shown.commands);
  const right = labelled?.env === 'textcraft' && environment.goals[labelled.number ?? -1] === shown.goal;
  return {
    observation: opened.observation,
    step: (action) => opened.world.step(action),
    ...(right || index < 0 ? {} : { itemId: `textcraft_${index}` }),
    ...(prefixed ? { written: (text: string) => `Instruction:\n${text}`.trimEnd() } : {}),
  };
}

/** Older servers did not list the available actions; one recorder gave the server the place of an item for its number. */
async function babyAIGame(row: ConversationRow, first: string, load: LoadEnvironment): Promise<Game> {
  const listed = first.includes('\nAvailable actions:');
  const environment = (await load('babyai', listed ? {} : { listActions: 'false' })) as BabyAI;
  const labelled = parseItemId(row.itemId ?? '').number;
  if (labelled === undefined)
    throw new AgogeError('DATA_NO_TASK', 'the row has no item_id: BabyAI cannot tell which level it was');
  const games = [labelled, environment.taskOfItem(labelled).index].map((item) => [item, environment.openItem(item)] as const);
  const [item, episode] = games.find(([, game]) => game.observation === first) ?? games[0] ?? [];
  if (item === undefined || !episode) throw new AgogeError('DATA_NO_TASK', 'no level');
  return {
    observation: episode.observation,
    step: (action) => {
      const before = episode.game.score;
      const step = episode.step(action);
      return { ...step, reward: episode.game.score - before };
    },
    ...(item === labelled ? {} : { itemId: `babyai_${item}` }),
  };
}

/** The price bound of an instruction was drawn by the recorded server; one recorder took positions for sessions. */
async function webShopGame(row: ConversationRow, first: string, load: LoadEnvironment): Promise<Game> {
  const environment = (await load('webshop')) as WebShop;
  const labelled = parseItemId(row.itemId ?? '').number;
  if (labelled === undefined)
    throw new AgogeError('DATA_NO_TASK', 'the row has no item_id: WebShop cannot tell which goal it was');
  const text = /price lower than ([\d.]+) dollars \[SEP\] Search$/.exec(first)?.[1];
  const bound = text === undefined ? undefined : Number(text);
  let session = labelled;
  let episode = attempt(() => environment.openItem(labelled, bound));
  if (episode?.observation !== first) {
    const shown = instructions(environment).get(withoutBound(first));
    if (shown !== undefined) [session, episode] = [shown, environment.openItem(shown, bound)];
  }
  if (!episode) throw new AgogeError('DATA_NO_TASK', `webshop_${labelled} is not a task of this catalogue`);
  return {
    observation: episode.observation,
    step: (action) => episode.play(action),
    ...(session === labelled ? {} : { itemId: `webshop_${session}` }),
  };
}

const known = new WeakMap<Environment, Map<string, number>>();

/** Sessions by what they first show, the price bound aside. */
function instructions(environment: WebShop): ReadonlyMap<string, number> {
  let sessions = known.get(environment);
  if (!sessions) {
    sessions = new Map();
    for (let session = environment.tasks('all').size - 1; session >= 0; session--) {
      sessions.set(withoutBound(environment.openItem(session).observation), session);
    }
    known.set(environment, sessions);
  }
  return sessions;
}

function withoutBound(observation: string): string {
  return observation.replace(/, and price lower than [\d.]+ dollars/, '');
}

async function readerNamed(name: Exclude<ReaderName, 'auto'>, env: string): Promise<(reply: string) => Read> {
  if (name === 'direct') return (reply) => ({ action: reply.trim() });
  if (name === 'adapt') return readAdapt;
  if (name === 'anywhere') return readTextCraftAnywhere;
  if (name === 'interaction') return readTextCraftInteraction;
  if (name === 'first-action') return readTextCraftFirstAction;
  return name === 'adapt-last' ? readTextCraftAdapt : agentGymReader(env, name);
}

/** Which recorder a conversation looks like. */
function likelyReader(env: string, format: FormatName, messages: readonly DataMessage[]): Exclude<ReaderName, 'auto'> {
  const replies = messages.slice(firstObservation(messages)).filter(({ role }) => role === 'assistant');
  const marked = replies.some(({ content }) => content.includes('Action:'));
  if (format === 'agenttraj') return marked ? '2024' : 'direct';
  if (marked || format === 'sampling') return env === 'textcraft' && !marked ? 'adapt-last' : '2025';
  return replies.some(({ content }) => /^>|^think:/m.test(content)) ? 'adapt-last' : 'direct';
}

/** `textcraft-generated_4` and `textcraft/generated#4` are played by textcraft. */
function baseName(env: string | undefined): string {
  return env?.split(/[-/]/)[0] ?? '';
}

/** The first place where two texts part. */
function difference(recorded: string, replayed: string): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === replayed[at]) at++;
  const from = Math.max(0, at - 20);
  const piece = (text: string): string => JSON.stringify(text.slice(from, at + 40));
  return `recorded ${piece(recorded)}, replayed ${piece(replayed)} (from character ${at})`;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof AgogeError) return undefined;
    throw thrown;
  }
}

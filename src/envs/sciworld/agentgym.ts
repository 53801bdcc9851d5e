/**
 * ScienceWorld as AgentGym serves it. `/create` only takes an id; the variation is loaded by `/reset`, which looks around. A finished
 * episode answers with an error until it is reset. Closing an unknown id answers false where the original fails.
 */
import type { AgentGym } from '../agentgym/agentgym.ts';
import { lastAction } from '../agentgym/reading.ts';
import { idFamily, textIn } from '../agentgym/wire.ts';
import type { SciWorld, SciWorldEpisode } from './sciworld.ts';
import { objectTree } from './tree.ts';
import { integer, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play, type Session } from '../agentgym/dialect.ts';

interface SciWorldPlay extends Play {
  episode?: SciWorldEpisode | undefined;
  /** What the server remembers of the last answers, as `/detail` gives it. */
  info: Readonly<Record<string, unknown>>;
}

/** The episode of a session that has one and has not finished it. */
function playing({ id, play }: Session<SciWorldPlay>): SciWorldEpisode {
  if (play.episode?.done === true) throw new Error(`The task with environment ${id} has finished.`);
  if (!play.episode) throw new Error(`The task with environment ${id} has not been reset: call /reset first.`);
  return play.episode;
}

function act(session: Session<SciWorldPlay>, action: string) {
  const episode = playing(session);
  const before = episode.score;
  const { observation } = episode.step(action);
  const { score, done } = episode;
  const payload = { observation, reward: score - before, score, done };
  session.play.info = { ...session.play.info, ...payload };
  return payload;
}

/** The original's visual client sends whole replies: the action follows the first `Action:`. */
function actionIn(reply: string): string {
  const stripped = reply.endsWith('</s>') ? reply.slice(0, -'</s>'.length) : reply;
  return stripped.split('Action:')[1]?.trim() ?? stripped;
}

const shown = 10;

const dialect = new Dialect<SciWorld, SciWorldPlay>({
  env: 'sciworld',
  greeting: 'This is environment ScienceWorld.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: true,
})
  .on('POST', '/create', null, async ({ sessions }) => {
    return { id: (await sessions.open(() => ({ info: { deleted: false, done: false } }))).id };
  })
  .onSession('POST', '/reset', { data_idx: integer() }, async ({ input, session, environment }) => {
    const episode = await begin(session.play, environment.openItem(input.data_idx));
    const { variation, simulation, firstLook, score, done } = episode;
    const payload = {
      task_name: variation.task.name,
      var_num: variation.number,
      task_description: simulation.taskDescription,
      observation: firstLook,
      reward: score,
      score,
      deleted: false,
      done,
    };
    session.play.info = { ...session.play.info, ...payload };
    return payload;
  })
  .onSession('POST', '/step', { action: text() }, ({ input, session }) => act(session, input.action))
  .onSession('POST', '/step_visual', { action: text() }, ({ input, session }) => {
    const { simulation, variation } = playing(session);
    const payload = act(session, actionIn(input.action));
    const moves = simulation.moves;
    const inventory = simulation.inventory();
    const info = {
      moves,
      score: payload.score,
      reward: payload.reward,
      look: simulation.look(),
      inv: inventory,
      taskDesc: simulation.taskDescription,
      valid: simulation.peekValidTexts(),
      variationIdx: variation.number,
      taskName: variation.task.name,
      simplificationStr: '',
    };
    return { ...payload, info, object_tree: objectTree(simulation.universe), inventory, moves };
  })
  .onSession('GET', '/observation', {}, ({ session }) => {
    playing(session);
    return session.play.info['observation'];
  })
  .onSession('GET', '/action_hint', {}, ({ session }) => {
    const { simulation } = playing(session);
    return { possible_actions: simulation.templates, possible_objects: simulation.objects() };
  })
  .onSession('GET', '/goals', {}, ({ session }) => ({ goals: playing(session).simulation.goals.report }))
  .onSession('GET', '/detail', {}, ({ session }) => {
    playing(session);
    return session.play.info;
  })
  .onSession('GET', '/task_description', {}, ({ session }) => ({
    task_description: playing(session).simulation.taskDescription,
  }))
  .onSession('GET', '/object_tree', {}, ({ session }) => ({
    object_tree: objectTree(playing(session).simulation.universe),
  }))
  .onSession('GET', '/state', {}, ({ session }) => {
    const { simulation } = playing(session);
    return {
      observation: simulation.look(),
      inventory: simulation.inventory(),
      task_description: simulation.taskDescription,
      goal_progress: simulation.goals.report,
      possible_actions: simulation.templates.slice(0, shown),
      possible_objects: simulation.objects().slice(0, shown),
      current_moves: simulation.moves,
      environment_info: session.play.info,
    };
  })
  .on('POST', '/close', { id: integer() }, ({ input, sessions }) => sessions.close(input.id));

/** ScienceWorld towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: {
    ...idFamily,
    greeting: 'This is environment ScienceWorld.',
    items: 4639,
    first: (answer) => `${textIn(answer, 'task_description')}\n${textIn(answer, 'observation')}`,
    // Scores are 0 to 100 (or -100); here, as everywhere, a solved task has earned 1.
    step: ({ observation, score, done }) => ({
      observation,
      total: typeof score === 'number' ? score / 100 : score,
      done,
      running: true,
    }),
  },
  reader: lastAction,
};

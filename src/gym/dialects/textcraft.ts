/**
 * TextCraft as AgentGym serves it. `/create` plays task number id unless `goal` (a name or an item id) or `commands` are
 * given: the original ignores those, we honour them. After the goal the world goes on, as in the original.
 */
import type { Environment, Episode, Step } from '../../envs/environment.ts';
import { integer, optional, text } from '../fields.ts';
import { begin, Dialect, type Play, type Session } from './dialect.ts';

/** What the dialect needs of TextCraft beyond the contract. */
export interface CraftingEnvironment extends Environment {
  /** The task of a `data_idx`: any integer, taken modulo the number of goals. */
  openItem(item: number): CraftingEpisode;
  /** A world with its own list of commands, its own goal, or both. */
  openCustom(custom: { commands?: string | undefined; goal?: string | undefined; item: number }): CraftingEpisode;
}

export interface CraftingEpisode extends Episode {
  /** The list of crafting commands and the name of the goal, as the first observation shows them. */
  readonly commands: string;
  readonly goal: string;
  /** As `step`, but the world goes on after the goal was reached. */
  play(action: string): Step;
}

interface TextCraftPlay extends Play {
  episode: CraftingEpisode;
  observation: string;
  reward: number;
  done: boolean;
}

const start = (episode: CraftingEpisode): TextCraftPlay => ({
  episode,
  observation: episode.observation,
  reward: 0,
  done: false,
});

const opened = ({ id, play }: Session<TextCraftPlay>) => ({ id, observation: play.observation, done: false, reward: 0 });

export const dialect = new Dialect<CraftingEnvironment, TextCraftPlay>({
  env: 'textcraft',
  greeting: 'This is environment TextCraft.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: true,
})
  .on(
    'POST',
    '/create',
    { commands: optional(text(), null), goal: optional(text(), null) },
    async ({ input, sessions, environment }) => {
      const { commands, goal } = input;
      const session = await sessions.open((item) =>
        commands === null && goal === null
          ? start(environment.openItem(item))
          : start(environment.openCustom({ commands: commands ?? undefined, goal: goal ?? undefined, item })),
      );
      return opened(session);
    },
  )
  .onSession('POST', '/reset', { data_idx: optional(integer(), 0) }, async ({ input, session, environment }) => {
    if (input.data_idx === null) throw new TypeError("unsupported operand type(s) for %: 'NoneType' and 'int'");
    Object.assign(session.play, start(await begin(session.play, environment.openItem(input.data_idx))));
    return opened(session);
  })
  .onSession('POST', '/step', { action: text() }, ({ input, session: { play } }) => {
    const { observation, reward, done } = play.episode.play(input.action);
    Object.assign(play, { observation, reward, done });
    return { observation, reward, done };
  })
  .onSession('GET', '/observation', {}, ({ session }) => session.play.observation)
  .onSession('GET', '/detail', {}, ({ session: { play } }) => ({
    observation: play.observation,
    done: play.done,
    reward: play.reward,
    deleted: false,
  }))
  .onSession('GET', '/commands', {}, ({ session }) => session.play.episode.commands)
  .onSession('GET', '/goal', {}, ({ session }) => session.play.episode.goal)
  .on('POST', '/close', { id: integer() }, ({ input, sessions }) => sessions.close(input.id));

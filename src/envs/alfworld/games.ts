/**
 * The games that are at hand, sorted into splits. `train` and `test` are AgentGym's items 0 to 2419 and 2420 to 2619; `valid_seen`
 * and `valid_unseen` are what papers report. A game is read when it is first opened; the last ones opened stay read.
 */
import { AgogeError } from '../../core/error.ts';
import { FIRST_TEST_ITEM, ITEMS, itemOfGame } from './items.ts';
import { createGame, type Game } from './world/game.ts';
import { readProblem } from './world/problem.ts';
import type { Edition } from './world/wording.ts';

/** A game as it is kept in files and as the generator writes it. */
export interface GameText {
  /** The folder it comes from: train, valid_seen, valid_unseen, valid_train, or something else. */
  readonly split: string;
  /** `pick_and_place_simple-Mug-None-Desk-308` and `trial_T2019…`. */
  readonly task: string;
  readonly trial: string;
  readonly sentence: string;
  /** PDDL. */
  readonly problem: string;
  /** The wording in the game's own grammar; 0.3 where it says nothing. */
  readonly edition?: Edition;
  readonly solvable?: boolean;
}

/** `task/trial`, the game's name. */
export function gameName({ task, trial }: GameText): string {
  return `${task}/${trial}`;
}

/** Reads a game's problem; throws ENV_BAD_GAME with the game's name. */
export function openGame(text: GameText): Game {
  try {
    return createGame(readProblem(text.problem), text.sentence);
  } catch (thrown) {
    const error = AgogeError.from(thrown, 'ENV_BAD_GAME', 'the game cannot be read');
    throw new AgogeError('ENV_BAD_GAME', `${gameName(text)}: ${error.message}`, { cause: thrown });
  }
}

/** Splits of given games: name → games in order. Splits without games are left out. */
export function splitGames(games: readonly GameText[]): ReadonlyMap<string, readonly GameText[]> {
  const items: (GameText | undefined)[] = new Array<undefined>(ITEMS).fill(undefined);
  for (const game of games) {
    const item = itemOfGame(gameName(game));
    if (item !== undefined) items[item] = game;
  }
  // A number must mean the same game everywhere: AgentGym's splits are there when all of their games are.
  const whole = (part: readonly (GameText | undefined)[]): readonly GameText[] => {
    const found = part.filter((game) => game !== undefined);
    return found.length === part.length ? found : [];
  };
  // AgentGym lists its items itself; elsewhere only games that are known to be solvable count, as in the original.
  const of = (split: string): GameText[] => games.filter((game) => game.split === split && game.solvable === true);
  const test = whole(items.slice(FIRST_TEST_ITEM));
  const splits: [string, readonly GameText[]][] = [
    ['train', whole(items.slice(0, FIRST_TEST_ITEM))],
    ['test', test],
    ['valid_train', test],
    ['valid_seen', of('valid_seen')],
    ['valid_unseen', of('valid_unseen')],
    ['train_full', of('train')],
    ['games', games],
  ];
  return new Map(splits.filter(([, list]) => list.length > 0));
}

/** A generated game by its name: drawn until the expert solves it within the usual 50 steps. */
import { AgogeError } from '../../../core/error.ts';
import { Random } from '../../../core/random/random.ts';
import { HouseholdExpert } from '../expert.ts';
import type { GameText } from '../games.ts';
import { Knowledge } from '../knowledge.ts';
import { createGame, type Game } from '../world/game.ts';
import { readProblem } from '../world/problem.ts';
import { World } from '../world/world.ts';
import { drawHome, gameOfHome } from './home.ts';
import type { TaskKind } from './task.ts';

export interface HomeSettings {
  readonly seed: number;
  /** Difficulty from 0 to 1, drawn between these for each home. */
  readonly difficulty: readonly [number, number];
}

/** Which home: rooms for training or for tests, the kind of task, and a name that decides the rest. */
export interface HomeDraw {
  readonly use: 'train' | 'test';
  readonly kind: TaskKind;
  readonly name: string;
}

export interface Opened {
  readonly text: GameText;
  readonly game: Game;
}

const STEPS = 50;
const TRIES = 100;

export function generateGame({ seed, difficulty: [low, high] }: HomeSettings, { use, kind, name }: HomeDraw): Opened {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const random = Random.of(seed, 'alfworld home', name, attempt);
    const home = drawHome(random, use, kind, low + (high - low) * random.float());
    if (!home) continue;
    const text = gameOfHome(random, home, name);
    const game = createGame(readProblem(text.problem), text.sentence);
    if (isSolved(game)) return { text, game };
  }
  throw new AgogeError('ENV_NO_GAMES', `no home ${name} could be drawn in ${TRIES} tries: choose another seed`);
}

function isSolved(game: Game): boolean {
  const world = new World(game, '0.3');
  const expert = new HouseholdExpert(game.aim, Knowledge.informed(world), '0.3');
  let told = world.intro;
  for (let step = 0; step < STEPS && !world.won; step++) {
    const action = expert.next(told);
    if (action === null) return false;
    told = world.step(action);
  }
  return world.won;
}

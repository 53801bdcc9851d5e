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

/** The game of a name; the same for the same seed everywhere. */
export function generateGame({ seed, difficulty: [low, high] }: HomeSettings, draw: HomeDraw): Opened {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const random = Random.of(seed, 'alfworld home', draw.name, attempt);
    const opened = drawGame(random, draw, low + (high - low) * random.float());
    if (isSolved(opened.game)) return opened;
  }
  throw new AgogeError('ENV_NO_GAMES', `no home ${draw.name} could be drawn in ${TRIES} tries: choose another seed`);
}

/** Some game; whether it can be solved is for the caller to see. */
export function drawGame(random: Random, { use, kind, name }: HomeDraw, difficulty: number): Opened {
  for (;;) {
    const home = drawHome(random, use, kind, difficulty);
    if (!home) continue;
    const text = gameOfHome(random, home, name);
    return { text, game: createGame(readProblem(text.problem), text.sentence) };
  }
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

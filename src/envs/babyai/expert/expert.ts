/**
 * Solves tasks with full knowledge through the same words as any agent. It plays its own copy of the game, so it has to be
 * asked from the first observation on and its answers have to be played. Gives up (null) where nothing leads on.
 */
import type { Expert } from '../../environment.ts';
import type { TextGame } from '../text/game.ts';
import { approach } from './approach.ts';
import { Planner } from './planner.ts';

/** More actions than any solvable task needs. */
const patience = 300;

export class BabyAIExpert implements Expert {
  private readonly planner: Planner;
  private turns = 0;

  constructor(private readonly game: TextGame) {
    this.planner = new Planner(game.world);
  }

  next(): string | null {
    if (this.game.done || this.turns++ >= patience) return null;
    const objective = this.planner.next();
    const action = objective && approach(this.game, objective);
    if (action !== null) this.game.step(action);
    return action;
  }
}

/**
 * Solves tasks with full knowledge through the same words as any agent. It plays the task ahead on copies of the game,
 * in several styles until one succeeds, and then tells the actions one by one; after another action than the advised one it looks
 * ahead anew from there. Gives up (null) where no style succeeds.
 */
import type { Expert } from '../../environment.ts';
import type { TextGame } from '../text/game.ts';
import { approach } from './approach.ts';
import { Planner, type Style } from './planner.ts';

const styles: readonly Style[] = [
  { moving: 20, besideDoor: 6, secondFirst: false },
  { moving: 6, besideDoor: 2, secondFirst: false },
  { moving: 60, besideDoor: 20, secondFirst: true },
  { moving: 10, besideDoor: 0, secondFirst: true },
  { moving: 3, besideDoor: 40, secondFirst: false },
  { moving: 30, besideDoor: 0, secondFirst: false },
];

export class BabyAIExpert implements Expert {
  readonly follows = true;
  private actions: string[] | undefined;
  private advised: string | undefined;
  private readonly played: string[] = [];

  /** `start` gives a fresh copy of the game each time. */
  constructor(private readonly start: () => TextGame) {}

  next(_observation?: string, played = this.advised): string | null {
    if (played !== undefined) this.played.push(played);
    if (played !== this.advised) this.actions = undefined;
    this.actions ??= this.solution() ?? [];
    this.advised = this.actions.shift();
    return this.advised ?? null;
  }

  private solution(): string[] | null {
    for (const style of styles) {
      const game = this.start();
      for (const action of this.played) game.step(action);
      const actions = playThrough(game, style);
      if (game.done) return actions;
    }
    return null;
  }
}

/** Plays until the end, until nothing leads on, or until a completion would not be worth more than one half. */
function playThrough(game: TextGame, style: Style): string[] {
  const planner = new Planner(game.world, style);
  const actions: string[] = [];
  while (!game.done && 0.9 * game.world.steps < 0.5 * game.world.maxSteps) {
    const objective = planner.next();
    const action = objective && approach(game.world, game.choices, objective);
    if (action === null) break;
    game.step(action);
    actions.push(action);
  }
  return actions;
}

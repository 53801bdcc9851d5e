/** The expert: plays the variation in a session of its own, and then says what it did there. */
import type { Expert } from '../../environment.ts';
import type { Simulation } from '../simulation.ts';
import { GivesUp, Hand } from './hand.ts';
import { STRATEGIES } from './strategies.ts';

/** The commands that solve a task, or those until the expert gave up. */
export function solve(task: string, simulation: Simulation, after?: () => void): readonly string[] {
  const hand = new Hand(simulation, after);
  try {
    STRATEGIES[task]?.(hand, task);
  } catch (error) {
    if (!(error instanceof GivesUp)) throw error;
  }
  return hand.commands;
}

export class SciWorldExpert implements Expert {
  private commands: readonly string[] | undefined;
  private at = 0;

  constructor(private readonly plan: () => readonly string[]) {}

  next(): string | null {
    this.commands ??= this.plan();
    return this.commands[this.at++] ?? null;
  }
}

/**
 * BabyAI as AgentGym plays it in words: a description of what is in sight, actions that stand for several moves, and the
 * original's rules for rewards and ends. Keeps no history, so an episode of any length holds the same memory.
 */
import type { Move } from '../world/grid.ts';
import type { Level } from '../world/levels/level.ts';
import { World } from '../world/world.ts';
import { choicesIn, type Choices } from './choices.ts';
import { describe, goalOf } from './describe.ts';
import { sightOf } from './sight.ts';

export interface GameRules {
  /**
   * `agentgym`: a mission completed for a reward of 0.5 or less does not end the episode, and its reward is paid again
   * for each action that changes nothing. `first`: the first completion ends it.
   */
  readonly ending: 'agentgym' | 'first';
  /** Take "pick up" for "pickup", as AgentGym's own prompt says it. */
  readonly aliases: boolean;
}

const agentGymRules: GameRules = { ending: 'agentgym', aliases: false };

export class TextGame {
  readonly world: World;
  readonly goal: string;
  /** What the agent was told last, without the goal and the list of actions. */
  observation: string;
  choices: Choices;
  /** Of the last action that changed something. */
  reward = 0;
  /** Sum of `reward` over all actions. */
  score = 0;
  done = false;
  private readonly seen: Uint16Array;

  constructor(
    level: Level,
    seed: number,
    readonly rules: GameRules = agentGymRules,
  ) {
    this.world = startWorld(level, seed);
    this.goal = goalOf(this.world.sentence);
    this.seen = this.world.view.slice();
    const sight = sightOf(this.world);
    this.observation = describe(sight, this.world.carrying);
    this.choices = choicesIn(this.world, sight);
  }

  get actions(): string[] {
    return [...this.choices.plans.keys()];
  }

  /** Plays an action in words; any text is an action. */
  step(text: string): void {
    const action = this.normalised(text);
    if (action.includes('check')) {
      this.observation = `You can take the following actions: ${this.actions.join(', ')}`;
    } else {
      const plan = this.choices.plans.get(action);
      if (plan && plan.length > 0) this.carryOut(plan);
      else this.observation = plan || action === '' ? 'No change in state.' : this.refusal(action);
    }
    this.score += this.reward;
  }

  /** Moves one by one until one leaves the view as it was; only the last move's reward counts. */
  private carryOut(plan: readonly Move[]): void {
    let last = { reward: 0, terminated: false };
    for (const move of plan) {
      last = this.world.step(move);
      if (same(this.world.view, this.seen)) break;
      this.seen.set(this.world.view);
      if (last.terminated && this.rules.ending === 'first') break;
    }
    const sight = sightOf(this.world);
    this.observation = describe(sight, this.world.carrying) + (last.terminated ? '\n The task is completed.' : '');
    this.choices = choicesIn(this.world, sight);
    this.reward = last.reward;
    this.done = last.terminated && (last.reward > 0.5 || this.rules.ending === 'first');
  }

  private refusal(action: string): string {
    return this.choices.refusals.get(action) ?? 'The action is not recognized. Please check valid actions.';
  }

  private normalised(text: string): string {
    const action = stripped(text.toLowerCase());
    return this.rules.aliases ? action.replace(/^pick up /, 'pickup ') : action;
  }
}

/**
 * AgentGym resets each game twice with one MiniGrid object, so the second maze may remember the first one's locked room.
 * That can only matter when the first was not drawn at once.
 */
function startWorld(level: Level, seed: number): World {
  const world = new World(level, seed);
  const remembered = world.maze.lockedRoom;
  return remembered && world.attempts > 1 ? new World(level, seed, remembered) : world;
}

function same(a: Uint16Array, b: Uint16Array): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Without the blanks at both ends, as Python strips them. */
function stripped(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** What JavaScript trims except the byte order mark, and the separators and the next-line sign that it does not. */
function isBlank(code: number): boolean {
  if (code > 0x1b && code < 0x21) return true;
  return code === 0x85 || (code !== 0xfeff && /\s/.test(String.fromCharCode(code)));
}

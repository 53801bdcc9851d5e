/**
 * An expert that knows only what the observations have shown. It takes an action on offer that does what is asked; what it saw
 * before it goes back to; else it looks where it has not looked, or opens a door. What it does can be read off the conversation.
 */
import type { Expert } from '../../environment.ts';
import type { TextGame } from '../text/game.ts';
import type { Thing } from '../world/things.ts';
import { approach } from './approach.ts';
import { Belief } from './belief.ts';
import { explore, lookAround } from './explore.ts';
import { pendingDeeds, Planner, type Style } from './planner.ts';

/** Of two deeds the second first: the words "and" and "after you" are told as one, and this order suits both. */
const walking: Style = { moving: Infinity, besideDoor: 6, secondFirst: true };
/** Moving things out of the way comes when the surroundings are known. */
const clearing: Style = { ...walking, moving: 20 };

/** Tries after which an action on offer is not taken at its word. */
const enough = 2;

export class BlindExpert implements Expert {
  readonly follows = true;
  private readonly belief: Belief;
  private readonly planners: readonly [Planner, Planner];
  private advised: string | undefined;
  /** Actions that changed nothing where the agent stands. */
  private readonly futile = new Set<string>();
  /** How often an action on offer was taken for a thing; it may lead through cells out of sight that are not free. */
  private readonly tries = new Map<Thing, number>();

  /** `game` is the expert's own: it plays along in it, and looks no farther than its view. */
  constructor(private readonly game: TextGame) {
    this.belief = new Belief(game);
    this.planners = [new Planner(this.belief, walking), new Planner(this.belief, clearing)];
  }

  next(_observation?: string, played = this.advised): string | null {
    if (played !== undefined) this.play(played);
    this.advised = this.decide() ?? undefined;
    return this.advised ?? null;
  }

  private play(action: string): void {
    const before = this.game.world.view.join();
    this.game.step(action);
    if (this.game.world.view.join() === before) this.futile.add(action);
    else this.futile.clear();
    this.belief.see();
  }

  private decide(): string | null {
    if (this.game.done) return null;
    const [walk, clear] = this.planners;
    const straight = this.direct() ?? this.pursue(walk);
    if (straight !== null) return straight;
    const cleared = this.pursue(clear);
    if (cleared !== null) return lookAround(this.belief, this.futile) ?? cleared;
    return explore(this.belief, this.futile);
  }

  /** An action on offer that does what is asked. */
  private direct(): string | null {
    const { verifier, choices, carrying } = this.belief;
    const verbs = { 'go to': 'go to ', 'pick up': 'pickup ', open: 'toggle', 'put next to': 'pickup ' };
    for (const { deed, what } of pendingDeeds(verifier).reverse()) {
      for (const [action, { x, y }] of choices.targets) {
        const isVerb = deed.do === 'open' ? action === 'toggle' : action.startsWith(verbs[deed.do]);
        const thing = this.game.world.maze.grid.at(x, y);
        if (!isVerb || !thing || !what.things.includes(thing) || this.futile.has(action)) continue;
        if (deed.do === 'put next to' && carrying) continue;
        const tries = this.tries.get(thing) ?? 0;
        if (choices.plans.get(action)?.length === 0 || tries >= enough) continue;
        this.tries.set(thing, tries + 1);
        return action;
      }
    }
    return null;
  }

  private pursue(planner: Planner): string | null {
    const objective = planner.next();
    const action = objective && approach(this.belief, this.belief.choices, objective);
    return action === null || this.futile.has(action) ? null : action;
  }
}

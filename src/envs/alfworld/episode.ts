/** One play of a game: AgentGym's texts, the reward of the goal, and the room as far as the player has seen it. */
import type { Episode, Step } from '../environment.ts';
import { pythonStrip } from '../../core/python/strings.ts';
import type { AlfWorldOptions } from './options.ts';
import { shortOpening, shortTold } from './short.ts';
import { snapshot, type AlfWorldState } from './state.ts';
import type { World } from './world/world.ts';

export class AlfWorldEpisode implements Episode {
  readonly observation: string;
  /** The first text without a list of commands, as AgentGym's server sends it. */
  readonly opening: string;
  /** Furniture that a text has shown, and that whose contents it has shown. */
  private readonly visited = new Set<number>();
  private readonly seen = new Set<number>();
  private steps = 0;
  private ended: Step | undefined;

  constructor(
    readonly world: World,
    private readonly options: AlfWorldOptions,
  ) {
    this.opening = world.intro.split('\n\n').slice(1).join('\n');
    const first = options.text === 'short' ? shortOpening(this.opening, world.game.aim) : this.opening;
    this.observation = this.withActions(first, options.listActions !== 'never');
  }

  get actions(): readonly string[] {
    return this.world.commands;
  }

  get won(): boolean {
    return this.world.won;
  }

  get state(): AlfWorldState {
    return snapshot(this.world, this.visited, this.seen);
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    const told = this.play(action);
    const shown = this.options.text === 'short' ? shortTold(told) : told;
    const observation = this.withActions(shown, this.options.listActions === 'always');
    const success = this.won;
    if (!success && this.steps < this.options.limit) return { observation, reward: 0, done: false };
    this.ended = { observation, reward: 0, done: true, success };
    return { ...this.ended, reward: success ? 1 : 0 };
  }

  /** Does a command and returns AgentGym's text for it: the place in the words of arrival is left out. */
  play(command: string): string {
    this.steps++;
    const told = this.world.step(pythonStrip(command));
    this.notice(told);
    return told.startsWith('You arrive at loc ') ? told.slice(told.indexOf('. ') + 2) : told;
  }

  /** The receptacles that a text shows, for the viewer. */
  private notice(told: string): void {
    const { world } = this;
    for (const receptacle of world.here) {
      const name = world.game.names[receptacle] ?? '';
      if (!told.includes(` the ${name}`) && !told.includes(`The ${name} is`)) continue;
      this.visited.add(receptacle);
      if (!world.isOpenable(receptacle) || world.isOpen(receptacle)) this.seen.add(receptacle);
    }
  }

  private withActions(text: string, list: boolean): string {
    return list ? `${text}\nAVAILABLE ACTIONS: ${this.world.commands.join(',')}` : text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

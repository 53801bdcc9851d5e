/** Plays of an environment that is defined by rules alone, and those who advise on them. What rules give is checked here. */
import { AgogeError } from '../core/error.ts';
import { choice } from '../core/nearest.ts';
import type { Episode, Expert, RemoteExpert, Step } from './environment.ts';

/** The rules of a play. */
export interface Rules<State> {
  readonly name: string;
  /** Plays an action. It may change the state in place, or return the next one. Any text may come. */
  step(state: State, action: string): Result<State> | Promise<Result<State>>;
  /** Actions that are possible now, where they can be listed. */
  choices?(state: State): readonly string[];
  /** What an expert does next, knowing the state; null where it gives up. */
  solve?(state: State): string | null;
  /** What viewers draw of it and GiGPO compares turns by: JSON that the agent never sees, copied at every turn; default: the whole state. */
  state?(state: State): unknown;
  /** A picture of it as SVG, for the dashboard and reports. */
  picture?(state: State): string;
}

/** How a task starts. */
export interface Started<State> {
  readonly state: State;
  readonly observation: string;
}

/** What an action led to: no reward and not done unless it says so. */
export type Result<State> = Partial<Step> & { readonly observation: string; readonly state?: State };

const stepKeys = ['observation', 'reward', 'done', 'success', 'breakdown', 'state'];

export class Played<State> implements Episode {
  readonly observation: string;
  private current: State;
  private ended: Step | undefined;

  constructor(
    private readonly rules: Rules<State>,
    first: Started<State>,
  ) {
    checkKeys(rules.name, 'start', first, ['state', 'observation']);
    this.observation = first.observation;
    this.current = first.state;
  }

  get state(): unknown {
    const drawn = this.rules.state ? this.rules.state(this.current) : this.current;
    const picture = this.rules.picture?.(this.current);
    if (picture === undefined) return drawn;
    return { ...(typeof drawn === 'object' && drawn !== null ? drawn : { state: drawn }), picture };
  }

  get actions(): readonly string[] | undefined {
    return this.ended ? undefined : this.rules.choices?.(this.current);
  }

  step(action: string): Step | Promise<Step> {
    if (this.ended) return this.ended;
    const result = this.rules.step(this.current, action);
    return result instanceof Promise ? result.then((ready) => this.take(ready)) : this.take(result);
  }

  solution(): string | null {
    return this.ended ? null : (this.rules.solve?.(this.current) ?? null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }

  private take(result: Result<State>): Step {
    const { name } = this.rules;
    checkKeys(name, 'step', result, stepKeys);
    const { state, observation, reward = 0, done = false, ...rest } = result;
    if (state !== undefined) this.current = state;
    if (!Number.isFinite(reward)) throw new AgogeError('ENV_BAD_STEP', `${name} gave the reward ${reward}: give a number`);
    if (done) this.ended = { observation, reward: 0, done };
    return { observation, reward, done, ...rest };
  }
}

/** Plays a second episode of the task beside the one it advises on, so that it always knows the state. */
export class Solver<State> implements Expert {
  readonly follows = true;
  private readonly shadow: Played<State>;
  private last: string | undefined;

  constructor(
    private readonly name: string,
    shadow: Played<State> | Promise<Played<State>>,
  ) {
    if (shadow instanceof Promise) throw this.late('start', shadow);
    this.shadow = shadow;
  }

  next(_observation: string, played?: string): string | null {
    const done = played ?? this.last;
    const step = done === undefined ? undefined : this.shadow.step(done);
    if (step instanceof Promise) throw this.late('step', step);
    const action = this.shadow.solution();
    this.last = action ?? undefined;
    return action;
  }

  private late(rule: string, promise: Promise<unknown>): AgogeError {
    promise.catch(() => undefined);
    return new AgogeError(
      'ENV_BAD_STEP',
      `${this.name}'s ${rule} gives a promise: write it as an async function, so that its expert waits`,
    );
  }
}

/** The same where the rules take time. */
export class AsyncSolver<State> implements RemoteExpert {
  private last: string | undefined;

  constructor(private readonly shadow: Played<State> | Promise<Played<State>>) {
    if (shadow instanceof Promise) shadow.catch(() => undefined); // told to whoever asks for advice
  }

  async next(): Promise<string | null> {
    const shadow = await this.shadow;
    if (this.last !== undefined) await shadow.step(this.last);
    const action = shadow.solution();
    this.last = action ?? undefined;
    return action;
  }
}

/** A misspelt key would be a reward that nobody gets. */
function checkKeys(name: string, rule: string, result: unknown, known: readonly string[]): void {
  if (typeof result !== 'object' || result === null || !('observation' in result) || typeof result.observation !== 'string')
    throw new AgogeError('ENV_BAD_STEP', `${name}'s ${rule} gave no observation: return { observation: 'a text' }`);
  const unknown = Object.keys(result).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new AgogeError('ENV_BAD_STEP', `${name}'s ${rule} gave "${unknown}", which means nothing: ${choice(unknown, known)}`);
}

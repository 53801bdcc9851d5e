/**
 * One episode: policy × environment until the task is done or a limit is reached. Never throws for what an environment or
 * a policy does: that becomes the outcome. The session is closed whatever happens, and nothing waits longer than its deadline.
 */
import { AgogeError } from '../core/error.ts';
import type { Outcome, TurnLimit } from '../core/outcome.ts';
import { Random } from '../core/random/random.ts';
import { formatTask, type TaskRef } from '../core/task.ts';
import type { Trajectory, Turn } from '../core/trajectory.ts';
import type { Environment, Episode, Instructions } from '../envs/environment.ts';
import { Conversation, type Message } from '../policy/conversation.ts';
import type { Policy, Reply } from '../policy/policy.ts';
import { breathe } from './breathe.ts';
import type { PromptFormat } from './format.ts';
import { infoOf } from './items.ts';
import { defaultLimits, type EpisodeLimits, type Sampling } from './limits.ts';
import { shownNow } from './shown.ts';
import { takeTurn } from './turn.ts';
import { Failure, Watch } from './watch.ts';

/** One episode: what is played, by whom, in which format, within which limits. */
export interface EpisodeOptions {
  readonly environment: Environment;
  readonly task: TaskRef;
  readonly policy: Policy;
  readonly format: PromptFormat;
  readonly limits: EpisodeLimits;
  readonly sampling?: Sampling;
  /** Decides the sampling of every turn. */
  readonly seed: number;
  readonly sample?: number;
  readonly signal?: AbortSignal;
  /** Earlier tries that failed; kept in the trajectory. */
  readonly retries?: number;
  /** Called after each turn, for viewers. */
  onTurn?(turn: Turn): void;
}

/** What to play: an episode without its place in the pool. */
export type EpisodeJob = Omit<EpisodeOptions, 'signal' | 'retries'>;

/**
 * Plays one episode. Resolves always; a broken harness or a cancelled signal is an outcome of kind `failed`.
 *
 * @example
 * const trajectory = await playEpisode({
 *   environment: await loadEnvironment('textcraft'),
 *   task: { env: 'textcraft', split: 'test', index: 17 },
 *   policy: await openPolicy('expert'),
 *   format: createFormat('direct'),
 *   limits: { turns: 30, tokensPerTurn: 64 },
 *   seed: 1,
 * });
 * console.log(trajectory.outcome.kind); // finished
 */
export async function playEpisode(options: EpisodeOptions): Promise<Trajectory> {
  const play = new Play(options);
  const outcome = await play.run();
  return play.trajectory(outcome);
}

class Play {
  private readonly started = performance.now();
  private readonly conversation: Conversation;
  private readonly turns: Turn[] = [];
  private readonly watch: Watch;
  private policyTime = 0;
  private environmentTime = 0;
  private first: Pick<Trajectory, 'observation' | 'state' | 'progress'> = { observation: '' };
  private reward = 0;
  private sampled = 0;
  /** States that this episode has been in, and turns since the last new one. */
  private readonly states = new Set<string>();
  private idle = 0;
  private opened: Episode | undefined;

  constructor(private readonly options: EpisodeOptions) {
    this.conversation = new Conversation(options.policy.renderer);
    this.watch = new Watch(options.limits.deadline ?? defaultLimits.deadline, options.signal);
  }

  async run(): Promise<Outcome> {
    try {
      return await this.loop(await this.open());
    } catch (thrown) {
      this.watch.abandon();
      if (thrown instanceof Failure) return { kind: 'failed', by: thrown.by, error: thrown.error };
      const error = AgogeError.from(
        thrown,
        'AGENT_EPISODE',
        `the episode of ${formatTask(this.options.task)} broke; report this`,
      );
      return { kind: 'failed', by: 'environment', error };
    } finally {
      if (this.opened) await this.close(this.opened);
      this.watch.stop();
    }
  }

  trajectory(outcome: Outcome): Trajectory {
    const { task, environment, policy, format, seed, sample, retries } = this.options;
    return {
      task,
      category: infoOf(environment, task)?.category ?? '',
      sample: sample ?? 0,
      seed,
      policy: policy.id,
      format: format.name,
      segments: this.conversation.segments,
      ...this.first,
      turns: this.turns,
      outcome,
      time: { total: performance.now() - this.started, policy: this.policyTime, environment: this.environmentTime },
      retries: retries ?? 0,
    };
  }

  private async open(): Promise<Episode> {
    const { environment, task, format } = this.options;
    const opening = (): Promise<Episode> | Episode => {
      const answer = environment.open(task, { signal: this.watch.signal });
      if (answer instanceof Promise) this.closeLate(answer);
      return answer;
    };
    const episode = await this.environmentCall(opening, `opening ${formatTask(task)}`);
    this.opened = episode;
    const { observation } = episode;
    if (typeof (observation as unknown) !== 'string')
      throw Failure.of(badOpening(task, observation), 'environment', 'AGENT_ENVIRONMENT', '');
    this.first = { observation, ...(await this.environmentCall(() => shownNow(episode), `showing ${formatTask(task)}`)) };
    this.visit(this.first);
    this.conversation.open(openingOf(format, environment.instructions, episode));
    return episode;
  }

  private async loop(episode: Episode): Promise<Outcome> {
    const { limits, format, policy, environment, task } = this.options;
    const context = Math.min(limits.context ?? Infinity, policy.context ?? Infinity);
    let observation = episode.observation;
    for (;;) {
      await breathe();
      if (this.turns.length >= limits.turns) return this.truncated('turns');
      if (limits.tokens !== undefined && this.sampled >= limits.tokens) return this.truncated('tokens');
      if (this.conversation.tokens.length >= context) return this.truncated('context');
      const reply = await this.ask(episode, observation, context);
      this.hear(reply);
      this.sampled += reply.segment.tokens.length;
      const taken = await this.environmentCall(
        () => takeTurn(episode, reply.segment.text, format, environment.instructions),
        `a step of ${formatTask(task)}`,
      );
      observation = taken.turn.observation;
      this.reward += taken.turn.reward;
      this.note(reply.stop === 'length' ? { ...taken.turn, cut: true } : taken.turn);
      if (taken.turn.done) return { kind: 'finished', reward: this.reward, success: taken.success ?? this.reward >= 1 };
      if (reply.stop === 'context') return this.truncated('context');
      if (limits.stall !== undefined && this.stalled(taken.turn) >= limits.stall) return this.truncated('stall');
      if (limits.loops !== undefined && loopLength(this.turns) >= limits.loops) return this.truncated('loops');
      if (this.turns.length < limits.turns) this.conversation.observe(observation);
    }
  }

  private ask(episode: Episode, observation: string, context: number): Promise<Reply> {
    const { limits, sampling, policy, format, environment, task, seed } = this.options;
    const used = this.conversation.tokens.length;
    const room = Math.min(limits.tokensPerTurn, (limits.tokens ?? Infinity) - this.sampled, context - used);
    const turn = this.turns.length;
    return this.policyCall(() =>
      policy.reply(
        this.conversation,
        {
          temperature: 1,
          ...sampling,
          maxTokens: room,
          ...(format.stopStrings ? { stopStrings: format.stopStrings } : {}),
          seed: turnSeed(seed, turn),
          signal: this.watch.signal,
        },
        {
          environment,
          task,
          observation,
          actions: episode.actions,
          ...(episode.listActions ? { listActions: () => episode.listActions?.() ?? Promise.resolve(undefined) } : {}),
          turn,
          write: (action, thought) => format.write(action, thought, environment.instructions),
          ...(format.tools === true ? { tools: environment.instructions.actions } : {}),
        },
      ),
    );
  }

  /** A reply that is none is the policy's failure. */
  private hear({ segment, stop, toolCall }: Reply): void {
    try {
      this.conversation.reply(segment, stop, toolCall);
    } catch (thrown) {
      throw Failure.of(thrown, 'policy', 'AGENT_POLICY', `a reply of ${this.options.policy.id} is none`);
    }
  }

  private note(turn: Turn): void {
    this.turns.push(turn);
    this.options.onTurn?.(turn);
  }

  /** Turns since the last state that was new in this episode; an environment that tells no state never stalls. */
  private stalled(turn: Turn): number {
    const { size } = this.states;
    if (size === 0) return 0;
    this.visit(turn);
    this.idle = this.states.size > size ? 0 : this.idle + 1;
    return this.idle;
  }

  private visit({ state, progress = state }: Pick<Turn, 'state' | 'progress'>): void {
    if (progress !== undefined) this.states.add(JSON.stringify(progress));
  }

  private truncated(limit: TurnLimit): Outcome {
    return { kind: 'truncated', reward: this.reward, limit };
  }

  /** In-process environments answer at once and pay for no timer; a promise gets a deadline. */
  private async environmentCall<T>(call: () => T | Promise<T>, what: string): Promise<T> {
    const from = performance.now();
    const limit = this.options.limits.stepDeadline ?? defaultLimits.stepDeadline;
    try {
      this.watch.check(what);
      const answer = call();
      if (!(answer instanceof Promise)) return answer;
      return await this.watch.race(answer, limit, what, 'AGENT_ENVIRONMENT_DEADLINE');
    } catch (thrown) {
      throw Failure.of(thrown, 'environment', 'AGENT_ENVIRONMENT', `${what} failed`);
    } finally {
      this.environmentTime += performance.now() - from;
    }
  }

  private async policyCall(call: () => Promise<Reply>): Promise<Reply> {
    const from = performance.now();
    const limit = this.options.limits.replyDeadline ?? defaultLimits.replyDeadline;
    const what = `a reply of ${this.options.policy.id}`;
    try {
      this.watch.check(what);
      return await this.watch.race(call(), limit, what, 'AGENT_POLICY_DEADLINE');
    } catch (thrown) {
      throw Failure.of(thrown, 'policy', 'AGENT_POLICY', `${what} failed`);
    } finally {
      this.policyTime += performance.now() - from;
    }
  }

  /** A session that opens after nobody waits for it any more is still ours to close. */
  private closeLate(opening: Promise<Episode>): void {
    opening.then(
      (episode) => setImmediate(() => (this.opened === episode ? undefined : void this.close(episode))),
      () => undefined,
    );
  }

  private async close(episode: Episode): Promise<void> {
    const limit = Math.min(10_000, this.options.limits.stepDeadline ?? defaultLimits.stepDeadline);
    const watch = new Watch(limit);
    try {
      // A server that does not answer reaps the session by itself: its lease runs out.
      await watch.race(episode[Symbol.asyncDispose](), limit, 'closing the session', 'AGENT_ENVIRONMENT_DEADLINE');
    } catch {
      return;
    } finally {
      watch.stop();
    }
  }
}

/** How often the last action has had the same answer in a row. */
function loopLength(turns: readonly Turn[]): number {
  const last = turns.at(-1);
  let length = 0;
  for (let i = turns.length - 1; i >= 0; i--, length++)
    if (turns[i]?.reply !== last?.reply || turns[i]?.observation !== last?.observation) break;
  return length;
}

/** The opening and the first observation. Templates want turns to alternate: words of the user before it are part of its message. */
export function openingOf(
  format: PromptFormat,
  instructions: Instructions,
  { observation, prompt }: Pick<Episode, 'observation' | 'prompt'>,
): readonly Message[] {
  const opening = format.opening(instructions);
  // A prompt of the user's own (a file of words) goes before what the task brings.
  if (prompt) return [...opening, ...prompt];
  const last = opening.at(-1);
  if (last?.role !== 'user') return [...opening, { role: 'user', text: observation }];
  return [...opening.slice(0, -1), { role: 'user', text: `${last.text}\n\n${observation}` }];
}

/** The seed of one reply: same episode seed and turn, same draws. */
export function turnSeed(seed: number, turn: number): number {
  return Random.of(seed, turn).seed();
}

function badOpening(task: TaskRef, observation: unknown): AgogeError {
  const what = `the first observation of ${formatTask(task)} is a ${typeof observation}, not a text`;
  return new AgogeError('ENV_BAD_OBSERVATION', `${what}: repair its open()`);
}

/**
 * An episode that outlives its server. When the server is gone, the task is opened on another one and the actions so far are played
 * again: an environment is decided by task and actions, so it stands where it stood. Each answer is compared with the first one; where
 * they differ the episode fails, and is never continued from another state.
 */
import { AgogeError } from '../../core/error.ts';
import { formatTask, type TaskRef } from '../../core/task.ts';
import type { Episode, OpenOptions, Step } from '../../envs/environment.ts';
import { isGone, isLate, type Member, type Fleet } from './fleet.ts';

/** How often one episode may lose its server. */
const mostMoves = 10;

export class MovingEpisode implements Episode {
  readonly observation: string;
  private readonly played: { readonly action: string; readonly step: Step }[] = [];
  private moves = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly task: TaskRef,
    private readonly options: OpenOptions,
    private place: { readonly member: Member; readonly episode: Episode },
  ) {
    this.observation = place.episode.observation;
  }

  get actions(): readonly string[] | undefined {
    return this.place.episode.actions;
  }

  get state(): unknown {
    return this.place.episode.state;
  }

  async listActions(): Promise<readonly string[] | undefined> {
    return this.surviving((episode) => episode.listActions?.() ?? Promise.resolve(episode.actions));
  }

  async step(action: string): Promise<Step> {
    const step = await this.surviving(async (episode) => episode.step(action));
    this.played.push({ action, step });
    return step;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { member, episode } = this.place;
    member.sessions--;
    await episode[Symbol.asyncDispose]();
  }

  /** Does it here, or where the episode is after its server was lost. */
  private async surviving<T>(work: (episode: Episode) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work(this.place.episode);
      } catch (thrown) {
        // A step that is merely late is not played twice; the episode fails, and its server is asked before it gets another.
        if (this.options.signal?.aborted === true || isLate(thrown)) this.fleet.doubt(this.place.member);
        if (!isLost(thrown) || this.moves >= mostMoves) throw thrown;
        await this.move(thrown);
      }
    }
  }

  private async move(why: unknown): Promise<void> {
    const { member } = this.place;
    if (isGone(why)) this.fleet.lost(member, why);
    for (;;) {
      this.moves++;
      const next = await this.fleet.open(this.task, this.options);
      try {
        await this.replay(next.episode);
      } catch (thrown) {
        next.member.sessions--;
        await next.episode[Symbol.asyncDispose]();
        if (!isLost(thrown) || this.moves >= mostMoves) throw thrown;
        if (isGone(thrown)) this.fleet.lost(next.member, thrown);
        continue;
      }
      member.sessions--;
      this.place = next;
      // The old session is not closed: a server that is back may have given its number to somebody else.
      return;
    }
  }

  private async replay(episode: Episode): Promise<void> {
    let same = episode.observation === this.observation;
    for (const { action, step } of this.played) {
      if (!same) break;
      const { observation, reward, done } = await episode.step(action);
      same = observation === step.observation && reward === step.reward && done === step.done;
    }
    if (same) return;
    throw new AgogeError(
      'GYM_REPLAY_DIFFERS',
      `${formatTask(this.task)} did not play the same way on another server: start all servers from one version with the same settings`,
    );
  }
}

function isLost(thrown: unknown): boolean {
  return isGone(thrown) || (thrown instanceof AgogeError && thrown.code === 'GYM_SESSION_LOST');
}

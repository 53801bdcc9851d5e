/**
 * The experts behind `/v1/experts`. A request carries the task and all observations so far, so any request can be answered
 * from nothing and sent again; an expert that was just asked is kept for the observation that usually follows.
 */
import { createHash } from 'node:crypto';
import { AgogeError } from '../../core/error.ts';
import { formatTask, type TaskRef } from '../../core/task.ts';
import type { Environment, Expert, RemoteExpert } from '../../envs/environment.ts';

/** Experts kept at most; the oldest is forgotten and would be asked again from the start. */
const kept = 1000;

export class NativeExperts {
  private readonly experts = new Map<string, Expert | RemoteExpert>();

  async next(environment: Environment, task: TaskRef, observations: readonly string[]): Promise<string | null> {
    const asked = keyOf(task, observations.slice(0, -1));
    let expert = this.experts.get(asked);
    this.experts.delete(asked);
    let fresh = observations.slice(-1);
    if (!expert) {
      expert = environment.expert?.(task) ?? environment.remoteExpert?.(task);
      fresh = [...observations];
    }
    if (!expert) throw new AgogeError('ENV_UNKNOWN_EXPERT', `${environment.name} has no expert: choose another policy`);
    let action: string | null = null;
    for (const observation of fresh) action = await expert.next(observation);
    this.experts.set(keyOf(task, observations), expert);
    for (const oldest of this.experts.keys()) {
      if (this.experts.size <= kept) break;
      this.experts.delete(oldest);
    }
    return action;
  }
}

function keyOf(task: TaskRef, observations: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([formatTask(task), observations]))
    .digest('hex');
}

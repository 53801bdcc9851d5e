/** One environment on several servers: its tasks are those of any of them, its sessions are spread over all, and outlive each. */
import { AgogeError } from '../../core/error.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, OpenOptions, RemoteExpert } from '../../envs/environment.ts';
import { MovingEpisode } from './moving-episode.ts';
import { isGone, Fleet, type FleetOptions } from './fleet.ts';

/** Connects to the servers that are there; the others join when they come. Throws what keeps all of them from being used. */
export async function connectMany(
  urls: readonly string[],
  connect: (url: string, first: boolean) => Promise<Environment>,
  options: FleetOptions,
): Promise<Environment> {
  const fleet = new Fleet(urls, connect, options);
  let first: Environment;
  try {
    first = await fleet.start();
  } catch (thrown) {
    await fleet.close();
    throw thrown;
  }
  const open = async (task: TaskRef, given: OpenOptions = {}): Promise<Episode> =>
    new MovingEpisode(fleet, task, given, await fleet.open(task, given));
  const own = {
    open,
    close: () => fleet.close(),
    ...(first.remoteExpert && { remoteExpert: (task: TaskRef) => movingExpert(fleet, task) }),
  };
  // Everything else is the environment's own: its methods go on working on it.
  return new Proxy(first, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** An expert that is told everything again where the server it was on is gone. */
function movingExpert(fleet: Fleet, task: TaskRef): RemoteExpert {
  const observations: string[] = [];
  let expert: RemoteExpert | undefined;
  return {
    async next(observation) {
      observations.push(observation);
      let last: AgogeError | undefined;
      for (const member of fleet.byLoad()) {
        try {
          if (expert) return await expert.next(observation);
          const fresh = member.environment?.remoteExpert?.(task);
          if (!fresh) continue;
          let action: string | null = null;
          for (const seen of observations) action = await fresh.next(seen);
          expert = fresh;
          return action;
        } catch (thrown) {
          if (!isGone(thrown)) throw thrown;
          last = AgogeError.from(thrown, 'GYM_REFUSED', 'the server is gone');
          expert = undefined;
        }
      }
      throw last ?? new AgogeError('GYM_REFUSED', 'none of the servers answers: start one of them');
    },
  };
}

/**
 * Environments by name, each opened once and closed together: in this process, on a server that an entry names, or on the one
 * that an interaction file names. How long to wait for a server and for one call hold down to the socket.
 */
import { AgogeError } from '../core/error.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment, Episode, OpenOptions } from '../envs/environment.ts';
import type { Settings } from '../envs/settings.ts';
import type { CallerOptions } from '../gym/client/call.ts';
import { openEnvironment } from '../gym/client/connect.ts';
import type { InteractionConfig } from './interaction-config.ts';
import type { EpisodeLimits } from './limits.ts';

export interface EnvironmentsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Servers by name. */
  readonly interactions?: readonly InteractionConfig[] | undefined;
  /** Milliseconds for one call of a server, and to wait for one that is not up yet or has no room. */
  readonly timeout?: number | undefined;
  readonly wait?: number | undefined;
  /** Further limits on servers. */
  readonly servers?: CallerOptions | undefined;
  /** Told in words when one of several servers goes or comes back. */
  readonly notice?: ((text: string) => void) | undefined;
}

/** Which environment: its name, or an interaction's. */
export interface EnvironmentName {
  readonly env: string;
  readonly url?: string | null;
  readonly settings?: Settings;
}

export class Environments implements AsyncDisposable {
  private readonly opened = new Map<string, Promise<Environment>>();
  private readonly interactions: ReadonlyMap<string, InteractionConfig>;

  constructor(private readonly options: EnvironmentsOptions = {}) {
    this.interactions = new Map(options.interactions?.map((config) => [config.name, config]));
  }

  async open({ env, url = null, settings = {} }: EnvironmentName): Promise<Environment> {
    await import('../envs/builtin.ts');
    const interaction = url === null ? this.interactions.get(env) : undefined;
    const spec = interaction ? `${interaction.env}@${interaction.serverBase}` : url === null ? env : `${env}@${url}`;
    const key = JSON.stringify([spec, settings]);
    let environment = this.opened.get(key);
    if (!environment) {
      const { signal, wait, servers, notice } = this.options;
      const timeout = interaction?.timeout ?? this.options.timeout;
      const opening = openEnvironment(spec, settings, {
        ...servers,
        notice,
        ...(signal ? { signal } : {}),
        ...(timeout === undefined ? {} : { timeout }),
        ...(wait === undefined ? {} : { patience: wait }),
      });
      environment = interaction ? opening.then((found) => retrying(found, interaction.maxRetries)) : opening;
      environment.catch(() => undefined); // told to whoever asked
      this.opened.set(key, environment);
    }
    return environment;
  }

  /** What an interaction file says about the episodes of a name. */
  limits(name: string): Partial<EpisodeLimits> {
    const found = this.interactions.get(name);
    if (!found) return {};
    return { stepDeadline: found.timeout, ...(found.maxTurns === undefined ? {} : { turns: found.maxTurns }) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const environment of this.opened.values()) await (await environment.catch(() => undefined))?.close?.();
  }
}

/** Tries again to open a session, as `max_retries` of an interaction file says; a task that does not exist is not asked for twice. */
function retrying(environment: Environment, retries: number): Environment {
  const open = async (task: TaskRef, options: OpenOptions = {}): Promise<Episode> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await environment.open(task, options);
      } catch (thrown) {
        const known = thrown instanceof AgogeError && thrown.code.startsWith('ENV_UNKNOWN');
        if (known || attempt >= retries || options.signal?.aborted === true) throw thrown;
      }
    }
  };
  // Everything else is the environment's own: its methods go on working on it.
  return new Proxy(environment, {
    get(target, name) {
      if (name === 'open') return open;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

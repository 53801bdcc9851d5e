/** From the words of a recipe to what a trainer needs: engines by policy name, environments in this process or on a server. */
import { modelPath } from '../agent/open-policy.ts';
import type { EngineConfig, TaskEntry } from '../config/parts.ts';
import { AgogeError } from '../core/error.ts';
import type { Engine } from '../engine/engine.ts';
import type { Environment } from '../envs/environment.ts';
import { openEnvironment } from '../gym/connect.ts';
import { parsePolicy } from '../policy/spec.ts';

/** Environments by entry, each opened once and closed together. */
export class Environments implements AsyncDisposable {
  private readonly opened = new Map<string, Promise<Environment>>();

  constructor(private readonly signal?: AbortSignal) {}

  async open(entry: Pick<TaskEntry, 'env' | 'url' | 'settings'>): Promise<Environment> {
    await import('../envs/builtin.ts');
    const spec = entry.url === null ? entry.env : `${entry.env}@${entry.url}`;
    const settings = Object.fromEntries(Object.entries(entry.settings).map(([key, value]) => [key, String(value)]));
    const key = JSON.stringify([spec, settings]);
    let environment = this.opened.get(key);
    if (!environment) {
      environment = openEnvironment(spec, settings, this.signal ? { signal: this.signal } : {});
      this.opened.set(key, environment);
    }
    return environment;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const environment of this.opened.values()) await (await environment.catch(() => undefined))?.close?.();
  }
}

/** The folder, file or hub name of a policy's weights; throws where the policy has none. */
export async function weightsOf(policy: string): Promise<string> {
  return modelPath(parsePolicy(policy));
}

export interface OpenEngineOptions {
  readonly config: EngineConfig;
  readonly head?: 'language' | 'value';
  /** Instead of the model's own chat template. */
  readonly template?: string;
}

/** An engine with a policy's weights. */
export async function openEngine(policy: string, { config, head, template }: OpenEngineOptions): Promise<Engine> {
  if (config.kind === 'tinker') {
    throw new AgogeError('TRAIN_NO_ENGINE', 'engine.kind tinker cannot be opened by this version: use engine.kind=embedded');
  }
  const { EmbeddedEngine } = await import('../engine/embedded/embedded.ts');
  return EmbeddedEngine.open({
    model: await weightsOf(policy),
    ...(config.threads === null ? {} : { threads: config.threads }),
    ...(head === undefined ? {} : { head }),
    ...(template === undefined ? {} : { chatTemplate: template }),
  });
}

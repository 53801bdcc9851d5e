/**
 * An environment by one string: `textcraft` plays in this process, `textcraft@http://host:36001` on a server, `./my-env.ts`
 * is a file of the user's own. A server with the native protocol is spoken to in it, any other in AgentGym's dialect
 * (`textcraft@agentgym+http://…` insists).
 */
import { basename } from 'node:path';
import { AgogeError } from '../core/error.ts';
import type { Environment } from '../envs/environment.ts';
import { isFile, loadEnvironmentFile } from '../envs/load-file.ts';
import { environmentEntries, loadEnvironment, type Settings } from '../envs/registry.ts';
import { connectAgentGym } from './agentgym-client.ts';
import { agentGymTasks } from './agentgym-tasks.ts';
import { Caller, type CallerOptions } from './call.ts';
import { connectNative } from './native-client.ts';

export interface EnvironmentSpec {
  /** What settings are given under (`--set name.key=value`): the environment's name, or a file's without its ending. */
  readonly name: string;
  /** The user's own environment; undefined for one by name. */
  readonly file?: string;
  /** Where it is served; undefined for this process. */
  readonly url: string | undefined;
  readonly protocol: 'any' | 'agentgym';
}

export function parseEnvironmentSpec(text: string): EnvironmentSpec {
  const at = text.search(/@([a-z+]+:|$)/);
  if (at < 0 && isFile(text)) {
    return { name: basename(text).replace(/\.[^.]+$/, ''), file: text, url: undefined, protocol: 'any' };
  }
  const name = at < 0 ? text : text.slice(0, at);
  const address = at < 0 ? undefined : text.slice(at + 1);
  if (!/^[a-z][a-z0-9-]*$/.test(name) || address === '') {
    throw new AgogeError(
      'GYM_BAD_SPEC',
      `"${text}" names no environment: write textcraft, textcraft@http://host:36001, or ./my-env.ts`,
    );
  }
  const insists = address?.startsWith('agentgym+') === true;
  return { name, url: insists ? address.slice('agentgym+'.length) : address, protocol: insists ? 'agentgym' : 'any' };
}

/** Loads or connects to an environment. For a server, the settings are those of the local one that knows its tasks. */
export async function openEnvironment(
  spec: string | EnvironmentSpec,
  settings: Settings = {},
  options: CallerOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Environment> {
  const { name, file, url, protocol } = typeof spec === 'string' ? parseEnvironmentSpec(spec) : spec;
  if (file !== undefined) return loadEnvironmentFile(file, settings);
  if (url === undefined) return loadEnvironment(name, settings);
  const token = options.token ?? process.env['AGOGE_GYM_TOKEN'];
  const caller = new Caller(url, { ...options, token: token === '' ? undefined : token });
  const { signal, maxTasks } = options;
  const open = { ...(signal && { signal }), ...(maxTasks !== undefined && { maxTasks }) };
  try {
    if (protocol === 'any') {
      const native = await connectNative(caller, name, open);
      if (native) return native;
    }
    const here = environmentEntries().some((entry) => entry.name === name);
    const known = here ? await loadEnvironment(name, settings) : agentGymTasks(name, settings);
    return await connectAgentGym(caller, name, known, open);
  } catch (thrown) {
    await caller.close();
    throw thrown;
  }
}

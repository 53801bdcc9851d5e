/**
 * An environment by one string: `textcraft` plays in this process, `textcraft@http://host:36001` on a server, `./my-env.ts`
 * is a file of the user's own, a name that does not ship is an installed package with the keyword agoge-environment. A server with the native protocol is spoken to in it, any other in AgentGym's dialect
 * (`textcraft@agentgym+http://…` insists). Several servers stand behind each other: `textcraft@http://a:1,http://b:2`.
 */
import { basename } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import { loadEnvironmentFile } from '../../envs/load-file.ts';
import { agentGymOf } from '../../envs/lookup.ts';
import { environmentEntry, loadEnvironment, type Settings } from '../../envs/registry.ts';
import { isFile } from '../../user-modules/load-file.ts';
import { isEnvironmentPackage, isInstalled } from '../../user-modules/packages.ts';
import { connectAgentGym, type KnownTasks } from './agentgym-client.ts';
import { agentGymTasks } from './agentgym-tasks.ts';
import type { CallerOptions } from './call.ts';
import { connectMany } from './many-servers.ts';
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
  if (at < 0 && (isFile(text) || /^@[\w.-]+\/[\w.-]+$/.test(text))) {
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

export interface ConnectingOptions extends CallerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told in words when one of several servers goes or comes back. */
  readonly notice?: ((text: string) => void) | undefined;
}

/** With several servers one that does not answer is left out sooner, because others do: milliseconds. */
const impatience = 500;

/** Loads or connects to an environment. For a server, the settings are those of the local one that knows its tasks. */
export async function openEnvironment(
  spec: string | EnvironmentSpec,
  settings: Settings = {},
  options: ConnectingOptions = {},
): Promise<Environment> {
  const { name, file, url, protocol } = typeof spec === 'string' ? parseEnvironmentSpec(spec) : spec;
  if (file !== undefined) return isFile(file) ? loadEnvironmentFile(file, settings) : loadPackage(file, settings);
  if (url === undefined) return isShipped(name) ? loadEnvironment(name, settings) : loadPackage(name, settings);
  const load = async (): Promise<KnownTasks> => {
    const known = isShipped(name) && (await agentGymOf(name))?.wire?.asksOthers !== true;
    return known ? loadEnvironment(name, settings) : agentGymTasks(name, settings);
  };
  const connect = (address: string, known: () => Promise<KnownTasks>, changed: ConnectingOptions): Promise<Environment> => {
    const insists = protocol === 'agentgym' || address.startsWith('agentgym+');
    return connectOne(name, address.replace(/^agentgym\+/, ''), insists, known, { ...options, ...changed });
  };
  const addresses = [...new Set(url.split(/,(?=(?:agentgym\+)?https?:)/).map((address) => address.trim()))];
  if (addresses.length === 1) return connect(url, load, {});
  // What is known here about the tasks of AgentGym's servers is loaded once, and closed with the last of them.
  let loaded: Promise<KnownTasks> | undefined;
  const shared = async (): Promise<KnownTasks> => withoutClose(await (loaded ??= load()));
  // The tasks are asked of one server; the others have to say that they have the same.
  const one = (address: string, first: boolean): Promise<Environment> =>
    connect(address, shared, { patience: impatience, ...(first ? {} : { maxTasks: 0 }) });
  const { patience: wait = 30_000, signal, notice } = options;
  const closed = async (): Promise<void> => (await loaded)?.close?.();
  return connectMany(addresses, one, { wait, signal, notice, closed });
}

function isShipped(name: string): boolean {
  return environmentEntry(name) !== undefined;
}

/** A package that says it is an environment; any other name is an unknown environment's, and nothing is loaded for it. */
async function loadPackage(name: string, settings: Settings): Promise<Environment> {
  if (isEnvironmentPackage(name)) return loadEnvironmentFile(name, settings);
  if (name.startsWith('@') || isInstalled(name)) throw unmarked(name);
  return loadEnvironment(name, settings);
}

function unmarked(name: string): AgogeError {
  const remedy = isInstalled(name)
    ? 'the package of this name does not say that it is one: add "agoge-environment" to the keywords in its package.json'
    : `no package of this name is installed: npm install ${name}, or give the path of a file`;
  return new AgogeError('ENV_UNKNOWN', `there is no environment "${name}": ${remedy}`);
}

function withoutClose(known: KnownTasks): KnownTasks {
  return new Proxy(known, {
    get(target, property) {
      const value: unknown = property === 'close' ? undefined : Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function connectOne(
  name: string,
  url: string,
  insists: boolean,
  known: () => Promise<KnownTasks>,
  options: ConnectingOptions,
): Promise<Environment> {
  const token = options.token ?? process.env['AGOGE_GYM_TOKEN'];
  // The client of HTTP is loaded by those who ask a server.
  const { Caller } = await import('./call.ts');
  const caller = new Caller(url, { ...options, token: token === '' ? undefined : token });
  const { signal, maxTasks } = options;
  const open = { ...(signal && { signal }), ...(maxTasks !== undefined && { maxTasks }) };
  try {
    if (!insists) {
      const native = await connectNative(caller, name, open);
      if (native) return native;
    }
    return await connectAgentGym(caller, name, await known(), open);
  } catch (thrown) {
    await caller.close();
    throw thrown;
  }
}

/** Environments over HTTP until a signal, which drains: in this process, or in several that share the address. */
import { AgogeError } from '../../../core/error.ts';
import '../../../envs/builtin.ts';
import type { Environment } from '../../../envs/environment.ts';
import type { Settings } from '../../../envs/registry.ts';
import { openEnvironment, parseEnvironmentSpec } from '../../../gym/client/connect.ts';
import { startProcesses } from '../../../gym/server/processes.ts';
import { startGym } from '../../../gym/server/server.ts';
import { endServer } from '../../program.ts';
import type { DeviceOption } from '../../options/device.ts';
import { givenSettings, type SettingOptions } from '../../options/settings.ts';
import { print, printJson, tell } from '../../terminal/print.ts';
import { interruption } from '../../terminal/signals.ts';

/** The options of `agoge serve`, as the command line reads them. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly model?: string | undefined;
  readonly tinker?: true | undefined;
  readonly checkpoints: string;
  readonly maxModels: number;
  readonly context?: number | undefined;
  readonly device?: DeviceOption | undefined;
  readonly token?: string | undefined;
  readonly allowHost: string[];
  readonly allowOrigin: string[];
  readonly processes: number;
  readonly maxSessions: number;
  /** Seconds. */
  readonly idleTimeout: number;
  readonly set: readonly string[];
  readonly generated?: true | undefined;
  readonly chaos?: string | undefined;
  readonly background?: true | undefined;
  readonly json?: true | undefined;
}

/** One environment to serve: as it was written, and its settings. */
export interface ServedEnvironment {
  readonly spec: string;
  readonly name: string;
  readonly settings: Settings;
}

export async function serveEnvironments(names: readonly string[], options: ServeOptions): Promise<void> {
  const stop = interruption();
  const { host, token, processes, json } = options;
  const { server, served, notices, closeAll } = await start(await servedEnvironments(names, options), options);
  const say = (event: string, sentence: string, facts: Record<string, unknown>): void => {
    if (json) printJson({ event, ...facts });
    else print(sentence);
  };
  const many = processes > 1 ? ` with ${processes} processes` : '';
  say('listening', `serving ${served.join(', ')} at ${server.url}${many}${audience(host, token)}`, {
    url: server.url,
    environments: served,
    processes,
    token: token !== undefined,
  });
  for (const notice of notices) {
    if (json === true) printJson({ event: 'notice', notice });
    else tell(notice);
  }
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  say('draining', 'draining: finishing the requests that were begun', {});
  const { left, steps } = await server.close();
  await closeAll();
  const { opened, reaped, refused } = server.counts;
  const counts = { opened, steps, left, reaped, refused };
  const sentence = `closed: ${opened} sessions, ${steps} steps, ${left} left open by clients, ${reaped} reaped, ${refused} refused`;
  say('closed', sentence, counts);
  endServer(stop);
}

/** Throws CLI_USAGE_SERVE for one that is on a server already, CLI_USAGE_SETTING for a setting of none of them. */
export async function servedEnvironments(names: readonly string[], options: SettingOptions): Promise<ServedEnvironment[]> {
  const specs = names.map((spec) => ({ spec, ...parseEnvironmentSpec(spec) }));
  const remote = specs.find(({ url }) => url !== undefined);
  if (remote) throw new AgogeError('CLI_USAGE_SERVE', `${remote.name}@${remote.url} is served already: use that address itself`);
  const settings = await givenSettings(
    options,
    specs.map(({ name }) => name),
  );
  return specs.map(({ spec, name }) => ({ spec, name, settings: settings.get(name) ?? {} }));
}

async function start(planned: readonly ServedEnvironment[], options: ServeOptions) {
  const listening = {
    host: options.host,
    port: options.port,
    token: options.token,
    maxSessions: options.maxSessions,
    idleTimeout: options.idleTimeout * 1000,
    allowHosts: options.allowHost,
    allowOrigins: options.allowOrigin,
    visual: process.env['VISUAL']?.toLowerCase() === 'true',
  };
  const { processes } = options;
  if (processes > 1) {
    const server = await startProcesses({ ...listening, environments: planned, processes });
    return { server, served: server.environments, notices: [], closeAll: () => Promise.resolve() };
  }
  const environments = await Promise.all(planned.map(({ spec, settings }) => openEnvironment(spec, settings)));
  return {
    server: await startGym({ ...listening, environments, onFailure: failureLog(options.json) }),
    served: environments.map(({ name }) => name),
    notices: environments.flatMap(standInNotice),
    closeAll: async (): Promise<void> => {
      for (const environment of environments) await environment.close?.();
    },
  };
}

/** What AgentGym's numbers play where the official files are not given. */
function standInNotice({ name, standIn }: Environment): string[] {
  if (!standIn) return [];
  return standIn.chosen
    ? [`${name}: AgentGym's numbers play ${standIn.plays}, not the official tasks; for those ${standIn.remedy}`]
    : [
        `${name}: AgentGym's routes refuse its numbers, since the official files were not given: ${standIn.remedy}, or start with --generated`,
      ];
}

function audience(host: string, token: string | undefined): string {
  const loopback = /^(localhost|127\.|::1$)/.test(host);
  if (loopback) return ' (this machine only; --host 0.0.0.0 for others)';
  return token === undefined
    ? ' (open to the network WITHOUT a token: set AGOGE_GYM_TOKEN)'
    : ' (open to the network, token required)';
}

/** Why requests failed, each reason once: a client that asks for a missing task a thousand times fills no log. */
function failureLog(json: boolean | undefined): (env: string, route: string, error: AgogeError) => void {
  const told = new Set<string>();
  return (env, route, { code, message }) => {
    const sentence = `${env}${route}: ${message}`;
    if (told.has(sentence) || told.size >= 100) return;
    told.add(sentence);
    if (json === true) printJson({ event: 'failed', env, route, code, message });
    else tell(sentence);
  };
}

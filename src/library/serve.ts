/** `serve`: a policy behind OpenAI's API, or environments behind AgentGym's routes and our own, the same as `agoge serve`. */
import { existsSync } from 'node:fs';
import { openFormat } from '../agent/formats/index.ts';
import type { DeviceName } from '../engine/embedded/runtime/device.ts';
import type { Environment } from '../envs/environment.ts';
import { openEnvironment } from '../gym/client/connect.ts';
import { startGym } from '../gym/server/server.ts';
import type { TrainedFormat } from '../policy/openai/chat.ts';
import { startOpenAi } from '../policy/openai/server.ts';
import { readAgentRecord } from '../run/agent-record.ts';
import { weightsOf } from '../train/run/open-parts.ts';

/** Where a server listens and who may ask. */
export interface Listening {
  /** Default: this machine only. */
  readonly host?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** Asked of every request. */
  readonly token?: string;
}

/** What is served: a model, or environments. */
export type ServeOptions = Listening &
  (
    | {
        /** A policy by its name: `base`, `run:…`, `hf:…`, `gguf:…`. */
        readonly model: string;
        /** That clients ask for. Default: the model as it is given. */
        readonly name?: string;
        readonly context?: number;
        readonly device?: DeviceName;
      }
    | {
        /** Names as on the command line, or objects. */
        readonly environments: readonly (string | Environment)[];
      }
  );

/** A running server. */
export interface Server extends AsyncDisposable {
  /** For a model, what SDKs take as their base URL. */
  readonly url: string;
}

/**
 * Serves until it is disposed.
 *
 * @example
 * await using server = await serve({ model: 'base' });
 * const answer = await fetch(`${server.url}/models`);
 * console.log(answer.status); // 200
 */
export async function serve(options: ServeOptions): Promise<Server> {
  return 'model' in options ? serveModel(options) : serveEnvironments(options);
}

type ModelOptions = Extract<ServeOptions, { readonly model: string }>;

async function serveModel(options: ModelOptions): Promise<Server> {
  const { model, name = model, host, port, token, context, device } = options;
  const path = existsSync(model) ? model : await weightsOf(model);
  const [{ EmbeddedEngine }, trained] = await Promise.all([import('../engine/embedded/embedded.ts'), trainedFormat(path)]);
  const engine = await EmbeddedEngine.open({
    model: path,
    ...(context === undefined ? {} : { context }),
    ...(device === undefined ? {} : { device }),
  });
  try {
    const listening = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }), token };
    const server = await startOpenAi({ ...listening, name, engine, trained });
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await engine[Symbol.asyncDispose]();
      },
    };
  } catch (thrown) {
    await engine[Symbol.asyncDispose]();
    throw thrown;
  }
}

async function serveEnvironments(options: Extract<ServeOptions, { readonly environments: unknown }>): Promise<Server> {
  await import('../envs/builtin.ts');
  const { host = '127.0.0.1', port = 0, token } = options;
  const environments = await Promise.all(
    options.environments.map(async (one) => (typeof one === 'string' ? openEnvironment(one) : one)),
  );
  const server = await startGym({ environments, host, port, token });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.close();
      for (const environment of environments) await environment.close?.();
    },
  };
}

/** How the policy was taught to talk, where its folder says so: it is then served in the same words. */
export async function trainedFormat(path: string): Promise<TrainedFormat | undefined> {
  const record = await readAgentRecord(path.replace(/^hf:/, ''));
  if (!record) return undefined;
  const format = await openFormat(record.format);
  // An agent's own code is its environment: it has no list of actions.
  const instructions = { task: '', actions: [], verbatim: true };
  return { read: (reply) => format.read(reply, instructions).action ?? reply, thinking: record.thinking ?? undefined };
}

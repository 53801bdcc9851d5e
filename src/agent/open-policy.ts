/**
 * Opens the policy that a name stands for. `run:…@all` stands for several; `expandPolicies` lists them. Engines are loaded
 * when a policy is opened, not before.
 */
import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import type { DeviceName } from '../engine/embedded/runtime/device.ts';
import type { Engine } from '../engine/engine.ts';
import { baseModelFolder, readerModelFolder, shippedModel } from '../policy/base-model.ts';
import { baseUrls } from '../policy/endpoint/addresses.ts';
import type { EndpointOptions } from '../policy/endpoint/endpoint.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { HumanPolicy, type Ask } from '../policy/human.ts';
import { identifyOwn, loadPolicy } from '../policy/own-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { RandomPolicy } from '../policy/random-policy.ts';
import type { RendererOptions } from '../policy/renderer.ts';
import { ReplayPolicy } from '../policy/replay.ts';
import { parsePolicy, type PolicySpec } from '../policy/spec.ts';
import { readAgentRecord, type AgentRecord } from '../run/agent-record.ts';
import { checkpointFolders, checkpointNamed, modelFolder, noCheckpoints, whichCheckpoint } from '../run/checkpoint-folders.ts';
import { readEpisodes } from '../run/episode-files.ts';
import { parseEpisodeRecord } from '../run/episode-record.ts';

/** How models are loaded and endpoints are asked. */
export interface OpenPolicyOptions extends RendererOptions {
  /** How models are loaded. Default: the embedded engine. */
  readonly openEngine?: (model: string) => Promise<Engine>;
  /** Where the embedded engine computes. Default: the processor. */
  readonly device?: DeviceName | undefined;
  /** Bytes of a card that are taken at most. Default: what is free. */
  readonly cardMemory?: number | undefined;
  /** Requests that there are at once, at most: a card keeps no more keys and values than theirs. */
  readonly concurrency?: number | undefined;
  /** Threads of the embedded engine. Default: all cores. */
  readonly threads?: number | undefined;
  /** For endpoints: limits, prices, the key. */
  readonly endpoint?: Partial<
    Pick<
      EndpointOptions,
      'concurrency' | 'retries' | 'timeout' | 'backoff' | 'patience' | 'maxAnswer' | 'prices' | 'budget' | 'apiKey'
    >
  >;
  /** For endpoints: folder or hub name of the served model's tokenizer; prompts then go as ids, and ids come back. */
  readonly tokenizer?: string | undefined;
  /** For `human`: how the question reaches the person. */
  readonly ask?: Ask;
}

/** The policies that a name stands for: one, or each checkpoint of a run for `run:dir@all`. Checkpoints get their step. */
export async function expandPolicies(text: string): Promise<string[]> {
  const spec = parsePolicy(text);
  if (spec.kind === 'openai') requireKey(spec.baseUrl);
  if (spec.kind !== 'run') return [text];
  const { directory } = spec;
  if (spec.checkpoint !== 'all') return [`run:${directory}@${(await checkpointNamed(directory, spec.checkpoint)).name}`];
  const all = await checkpointFolders(directory);
  if (all.length === 0) throw noCheckpoints(directory);
  return all.map(({ name }) => `run:${directory}@${name}`);
}

/** Opens a policy; throws POLICY_… or MODEL_… with what to do about it. */
export async function openPolicy(text: string, options: OpenPolicyOptions = {}): Promise<Policy> {
  const spec = parsePolicy(text);
  switch (spec.kind) {
    case 'expert':
      return new ExpertPolicy();
    case 'random':
      return new RandomPolicy();
    case 'human':
      if (!options.ask) throw new AgogeError('POLICY_HUMAN', 'nobody can be asked here: use agoge play');
      return new HumanPolicy(options.ask);
    case 'replay':
      return replay(text, spec.file);
    case 'own':
      return loadPolicy(spec.file);
    case 'openai': {
      const apiKey = process.env['OPENAI_API_KEY'];
      if (options.endpoint?.apiKey === undefined) requireKey(spec.baseUrl);
      const { thinking, template, tokenizer } = options;
      if (tokenizer !== undefined) {
        const [{ readWords }, { TokenEndpoint }, { TokenEndpointPolicy }] = await Promise.all([
          import('../engine/embedded/models/load.ts'),
          import('../policy/endpoint/token-endpoint.ts'),
          import('../policy/endpoint/token-endpoint-policy.ts'),
        ]);
        const words = await readWords(await tokenizerPath(tokenizer));
        const endpoint = await TokenEndpoint.open({ ...spec, apiKey, words, ...options.endpoint });
        return new TokenEndpointPolicy(endpoint, { id: text, template, thinking, ...options.endpoint });
      }
      const { EndpointPolicy } = await import('../policy/endpoint/endpoint.ts');
      return new EndpointPolicy({ id: text, model: spec.model, baseUrl: spec.baseUrl, apiKey, thinking, ...options.endpoint });
    }
    case 'base':
    case 'reader':
    case 'run':
    case 'hf':
    case 'gguf': {
      const model = await modelPath(spec);
      const engine = await (options.openEngine?.(model) ?? embedded(model, options));
      try {
        return new EnginePolicy(engine, { id: text, template: options.template, thinking: options.thinking, ownsEngine: true });
      } catch (thrown) {
        await engine[Symbol.asyncDispose]();
        throw thrown;
      }
    }
  }
}

/** OpenAI itself answers nobody without a key: said before anything is played. Servers of one's own often want none. */
function requireKey(baseUrl: string): void {
  const key = process.env['OPENAI_API_KEY'];
  if (key !== undefined && key !== '') return;
  if (!baseUrls(baseUrl).some((url) => new URL(url).hostname === 'api.openai.com')) return;
  throw new AgogeError(
    'POLICY_NO_KEY',
    `${baseUrl} wants a key, and OPENAI_API_KEY is not set: export OPENAI_API_KEY=…, or name a server of your own (openai:<model>@http://127.0.0.1:8000/v1)`,
  );
}

/** What a policy's answers depend on beyond its name: for models, a hash of the weights. */
export async function identifyPolicy(text: string, options: OpenPolicyOptions = {}): Promise<Record<string, string | number>> {
  const spec = parsePolicy(text);
  const template = options.template === undefined ? {} : { template: shortHash(options.template) };
  const thinking = options.thinking === undefined ? {} : { thinking: String(options.thinking) };
  switch (spec.kind) {
    case 'base':
    case 'reader':
    case 'run':
    case 'hf':
    case 'gguf': {
      const path = await modelPath(spec);
      const weights = await weightsHash(path);
      return { ...template, ...thinking, ...(weights === undefined ? {} : { weights }) };
    }
    case 'own':
      return identifyOwn(spec.file);
    case 'replay':
      return { recording: shortHash(await readFile(spec.file).catch(() => '')) };
    case 'openai':
      return options.tokenizer === undefined ? {} : { ...template, ...thinking, tokenizer: options.tokenizer };
    default:
      return {};
  }
}

/** How a policy was taught to talk, where its folder says so. */
export async function agentRecordOf(text: string): Promise<AgentRecord | undefined> {
  const spec = parsePolicy(text);
  if (spec.kind !== 'base' && spec.kind !== 'reader' && spec.kind !== 'run' && spec.kind !== 'hf') return undefined;
  return readAgentRecord((await modelPath(spec)).replace(/^hf:/, ''));
}

/** The same policy with its checkpoint named: `run:x` is another one tomorrow, and a resumed run must find the weights it began with. */
export async function pinnedPolicy(text: string): Promise<string> {
  const spec = parsePolicy(text);
  if (spec.kind !== 'run') return text;
  return `run:${spec.directory}@${(await checkpointNamed(spec.directory, spec.checkpoint)).name}`;
}

/** Which checkpoint `run:x` takes where none is named, and whether another is better; undefined for other names. */
export async function checkpointNote(text: string): Promise<string | undefined> {
  const spec = parsePolicy(text);
  return spec.kind === 'run' && spec.checkpoint === 'latest' && !text.endsWith('@latest')
    ? whichCheckpoint(spec.directory)
    : undefined;
}

/** The folder, file or hub name of a model. */
export async function modelPath(spec: PolicySpec): Promise<string> {
  switch (spec.kind) {
    case 'base':
      return shippedModel(baseModelFolder);
    case 'reader':
      return shippedModel(readerModelFolder);
    case 'run':
      return modelFolder(await checkpointNamed(spec.directory, spec.checkpoint));
    case 'hf':
      return `hf:${spec.model}`;
    case 'gguf':
      return spec.file;
    default:
      throw new AgogeError('POLICY_NO_MODEL', `${spec.kind} is not a model: name one with base, run:, hf: or gguf:`);
  }
}

/** A model by a policy's name, or as it is: a folder, a file, `hf:…`. */
async function tokenizerPath(name: string): Promise<string> {
  return /^(base|reader|run:.+)$/.test(name) ? modelPath(parsePolicy(name)) : name;
}

async function embedded(model: string, options: OpenPolicyOptions): Promise<Engine> {
  const { device = 'host', threads, cardMemory, concurrency } = options;
  const { EmbeddedEngine } = await import('../engine/embedded/embedded.ts');
  return EmbeddedEngine.open({
    model,
    device,
    sampling: { atOnce: concurrency },
    ...(threads === undefined ? {} : { threads }),
    ...(cardMemory === undefined ? {} : { cardMemory }),
  });
}

async function replay(id: string, file: string): Promise<Policy> {
  let values: unknown[];
  try {
    values = file.endsWith('.gz')
      ? await readEpisodes(file)
      : (await readFile(file, 'utf8'))
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown);
  } catch (thrown) {
    throw AgogeError.from(thrown, 'POLICY_REPLAY', `the recording ${file} cannot be read; name an episodes.jsonl.gz`);
  }
  const recordings = values.map((value) => {
    const { record } = parseEpisodeRecord(value);
    return { task: record.task, sample: record.sample, replies: record.turns.map(({ reply }) => reply) };
  });
  recordings.sort((a, b) => a.sample - b.sample);
  return new ReplayPolicy(id, recordings);
}

/** A hash of the weights; of their ends and size where they are large. Undefined for a model that is not here yet. */
async function weightsHash(model: string): Promise<string | undefined> {
  const path = model.startsWith('hf:') ? model.slice(3) : model;
  for (const candidate of [
    path,
    join(path, 'adapter_model.safetensors'),
    join(path, 'model.safetensors'),
    join(path, 'model.safetensors.index.json'),
  ]) {
    const found = await stat(candidate).catch(() => undefined);
    if (!found?.isFile()) continue;
    const hash = createHash('sha256').update(String(found.size));
    await using file = await open(candidate, 'r');
    const whole = found.size <= 256 * 1024 * 1024;
    const piece = 1024 * 1024;
    for (const at of whole ? range(0, found.size, piece) : [0, found.size - piece]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(piece), 0, piece, at);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return hash.digest('hex').slice(0, 16);
  }
  return undefined;
}

function* range(from: number, to: number, by: number): Generator<number> {
  for (let at = from; at < to; at += by) yield at;
}

function shortHash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

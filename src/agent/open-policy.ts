/** Opens the policy that a name stands for. Engines are loaded when a policy is opened, not before. */
import { AgogeError } from '../core/error.ts';
import type { DeviceName } from '../engine/embedded/runtime/device.ts';
import type { Engine } from '../engine/engine.ts';
import type { EndpointOptions } from '../policy/endpoint/endpoint.ts';
import { requireKey } from '../policy/endpoint/key.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { HumanPolicy, type Ask } from '../policy/human.ts';
import { loadPolicy } from '../policy/own-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { RandomPolicy } from '../policy/random-policy.ts';
import type { RendererOptions } from '../policy/renderer.ts';
import { parsePolicy } from '../policy/spec.ts';
import { modelPath, tokenizerPath } from './policy-files.ts';
import { openRecording } from './recorded-policy.ts';

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
      return openRecording(text, spec.file);
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

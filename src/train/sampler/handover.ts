/**
 * How a vLLM server comes to the weights of a run. All weights: it reads a folder in place of what it serves (`reload_weights`, a call of
 * its development mode), and they get a label that it forgets when it is started anew. Adapters: each version is loaded under a name of
 * its own, as vLLM lets anybody do who allows it.
 */
import { z } from 'zod';
import { ask, type Asked } from '../../core/ask.ts';
import { deadline, sleep } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';

export interface Handover {
  /** The server samples from the weights in that folder from now on; gives the name to ask it for. */
  give(folder: string, label: string, signal: AbortSignal): Promise<string>;
  /** Whether it has them still; one that does not answer has not. */
  holds(label: string): Promise<boolean>;
  /** Nothing will be sampled from these any more. */
  forget(label: string): Promise<void>;
}

export interface HandoverOptions {
  /** Up to and including /v1. */
  readonly url: string;
  /** The server's name of the model. */
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Milliseconds to wait for a server that is away. */
  readonly patience: number;
}

/** How the labels of weights begin that a run of ours gave away. */
export const ourLabels = 'agoge-';

export function reloading({ url, model, ...options }: HandoverOptions): Handover {
  const call = caller(url.replace(/\/v1$/, ''), options);
  const mode = 'start vLLM 0.32 or later with VLLM_SERVER_DEV_MODE=1';
  return {
    async give(folder, label, signal) {
      const method = { method: 'reload_weights', kwargs: { weights_path: folder } };
      refuse(await call.patiently('/collective_rpc', method, signal), `read the weights in ${folder}`, mode);
      // Keys and values of the old weights would be taken for those of the new ones.
      refuse(await call.patiently('/reset_prefix_cache', {}, signal), 'empty its prefix cache', mode);
      refuse(await call.patiently('/update_weight_version', { new_version: label }, signal), 'label the weights', mode);
      return model;
    },
    async holds(label) {
      const answer = await call.once('/weight_info').catch(() => undefined);
      return labelled.safeParse(jsonOf(answer)).data?.weight_version === label;
    },
    forget: () => Promise.resolve(),
  };
}

export function adapting({ url, ...options }: HandoverOptions): Handover {
  const call = caller(url, options);
  const root = caller(url.replace(/\/v1$/, ''), options);
  return {
    async give(folder, label, signal) {
      // A server without the development mode has no such route, and the weights that it was started with.
      const below = labelled.safeParse(jsonOf(await root.once('/weight_info').catch(() => undefined))).data?.weight_version;
      if (below?.startsWith(ourLabels))
        throw new AgogeError(
          'TRAIN_SAMPLER',
          `${url} has the weights that another run gave it, and adapters belong on those it starts with: start it again`,
        );
      const answer = await call.patiently('/load_lora_adapter', { lora_name: label, lora_path: folder }, signal);
      const remedy = 'start vLLM with --enable-lora, a --max-lora-rank that is enough and VLLM_ALLOW_RUNTIME_LORA_UPDATING=True';
      if (!/already been loaded/.test(answer.text)) refuse(answer, `load the adapters in ${folder}`, remedy);
      return label;
    },
    async holds(label) {
      const answer = await call.once('/models').catch(() => undefined);
      return served.safeParse(jsonOf(answer)).data?.data.some(({ id }) => id === label) ?? false;
    },
    async forget(label) {
      // One that it no longer has is forgotten already.
      await call.once('/unload_lora_adapter', { lora_name: label }).catch(() => undefined);
    },
  };
}

const labelled = z.object({ weight_version: z.string() });
const served = z.object({ data: z.array(z.object({ id: z.string() })) });

interface Caller {
  /** With a body it is a POST. */
  once(route: string, body?: object, signal?: AbortSignal): Promise<Asked>;
  /** Again, as long as the server is away. */
  patiently(route: string, body: object, signal: AbortSignal): Promise<Asked>;
}

/** Milliseconds for one call (weights of a large model take minutes to read), and between two tries. */
const callLimit = 900_000;
const pause = 1000;

function caller(base: string, { apiKey, patience }: Pick<HandoverOptions, 'apiKey' | 'patience'>): Caller {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const once: Caller['once'] = async (route, body, owner) => {
    using limit = deadline(callLimit, owner);
    const request = { headers, signal: limit.signal };
    return await ask(`${base}${route}`, body ? { ...request, method: 'POST', body: JSON.stringify(body) } : request);
  };
  const patiently: Caller['patiently'] = async (route, body, signal) => {
    for (const from = performance.now(); ;) {
      try {
        const answer = await once(route, body, signal);
        if (answer.status !== 503) return answer;
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof AgogeError) throw thrown;
      }
      if (performance.now() - from > patience)
        throw new AgogeError('TRAIN_SAMPLER', `${base} does not answer: start it again, then resume the run`);
      await sleep(pause, signal);
    }
  };
  return { once, patiently };
}

function refuse({ ok, status, text }: Asked, what: string, remedy: string): void {
  if (ok) return;
  throw new AgogeError(
    'TRAIN_SAMPLER',
    `the server of engine.sampler could not ${what} (${status}: ${text.slice(0, 300)}): ${remedy}`,
  );
}

function jsonOf(answer: Asked | undefined): unknown {
  try {
    return answer?.ok ? JSON.parse(answer.text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * vLLM for real, on the CPU with models/base: what it samples, how it reads templates, tools and stops, a server that is killed in the middle
 * of an evaluation, and training runs that sample there. 6 GB to install and minutes to start, so CI does not run it: npm run test:vllm.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { readWords } from '../../src/engine/embedded/models/load.ts';
import type { Sample, SampleRequest } from '../../src/engine/engine.ts';
import { TokenEndpoint } from '../../src/policy/endpoint/token-endpoint.ts';
import { createRenderer } from '../../src/policy/renderer.ts';
import { agoge as agogeIn, episodesOf, repliesOf } from './commands.ts';
import { base, Vllm, vllmEnvironment } from './vllm-server.ts';

const { venv, problem } = vllmEnvironment();
if (problem !== undefined) console.log(`skipped: ${problem}`);
const folder = mkdtempSync(join(tmpdir(), 'agoge-vllm-test-'));

const agoge = (...args: string[]): Promise<string> => agogeIn(folder, ...args);
const goals = ['craft stick', 'craft oak planks', 'get 2 oak logs', 'craft a torch', 'craft bread'];

describe.skipIf(problem !== undefined)('vLLM', () => {
  let [server, engine, endpoint]: [Vllm?, EmbeddedEngine?, TokenEndpoint?] = [];
  const parts = (): { server: Vllm; engine: EmbeddedEngine; endpoint: TokenEndpoint } => {
    if (!server || !engine || !endpoint) throw new Error('not open');
    return { server, engine, endpoint };
  };
  beforeAll(async () => {
    server = await Vllm.start(venv, '--no-enable-prefix-caching');
    engine = await EmbeddedEngine.open({ model: base, threads: 1 });
    endpoint = await TokenEndpoint.open({ baseUrl: server.url, model: 'base', words: await readWords(base) });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const requests = (more: Partial<SampleRequest>): SampleRequest[] => {
    const { tokenizer, chatTemplate } = parts().engine.model;
    const renderer = createRenderer(tokenizer, { template: chatTemplate });
    return goals.map((goal, at) => ({
      prompt: renderer.open([{ role: 'user', text: `Goal: ${goal}.` }]).flatMap((ids) => [...ids]),
      maxTokens: 24,
      seed: at,
      stopTokens: renderer.stopTokens,
      ...more,
    }));
  };
  /** The largest difference of a sample's log-probabilities from those of the embedded engine for the same tokens. */
  const apart = async ({ tokens, logprobs }: Sample, { prompt }: SampleRequest): Promise<number> => {
    const whole = [...prompt, ...tokens];
    const mask = new Uint8Array(whole.length).fill(1, prompt.length);
    const [row] = await parts().engine.forward([{ tokens: whole, mask }]);
    return Math.max(...Array.from(row?.scores ?? [NaN], (score, at) => Math.abs(score - (logprobs[at] ?? NaN))));
  };

  it('greedy: the tokens of the embedded engine, with its log-probabilities', async () => {
    for (const request of requests({ temperature: 0 })) {
      const [here, there] = [await parts().engine.sample(request), await parts().endpoint.sample(request)];
      expect([...there.tokens]).toEqual([...here.tokens]);
      expect(there.stop).toBe(here.stop);
      expect(await apart(there, request)).toBeLessThan(1e-3);
    }
  });

  it('sampled: log-probabilities are those of the embedded engine, and a seed gives the same again', async () => {
    const asked = requests({ temperature: 1, maxTokens: 40 });
    const samples = await Promise.all(asked.map((request) => parts().endpoint.sample(request)));
    for (const [at, request] of asked.entries()) {
      const [first, again] = [samples[at], await parts().endpoint.sample(request)];
      expect([...again.tokens]).toEqual([...(first?.tokens ?? [])]);
      expect(await apart(again, request)).toBeLessThan(1e-3);
    }
    expect(new Set(samples.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(1);
  });

  it('chat templates: its ids are ours, of the model’s own template and of one with a system role', async () => {
    const { tokenizer, chatTemplate } = parts().engine.model;
    const other =
      '{% for m in messages %}[{{ m.role }}] {{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}';
    const said = ['Goal: craft stick.', 'get 1 oak log', 'Got 1 oak log.'];
    for (const template of [chatTemplate, other]) {
      const roles = ['user', 'assistant', 'user'] as const;
      const messages = said.map((text, at) => ({ role: roles[at] ?? 'user', text }));
      const ours = createRenderer(tokenizer, { template }).open(messages);
      const there = (await parts().server.post('/tokenize', {
        model: 'base',
        messages: messages.map(({ role, text }) => ({ role, content: text })),
        chat_template: template,
        add_generation_prompt: true,
        add_special_tokens: false,
      })) as { tokens: number[] };
      expect(ours.flatMap((ids) => [...ids])).toEqual(there.tokens);
    }
  });

  it('stops: a text ends a reply at the same token, and is cut from it', async () => {
    const [request] = requests({ temperature: 0 });
    if (!request) throw new Error('no request');
    const { engine: here, endpoint: there } = parts();
    const text = here.model.tokenizer.decode((await here.sample(request)).tokens);
    const word = text.split(/\s+/)[1] ?? '';
    const stopped = { ...request, stopStrings: [word] };
    const [mine, other] = [await here.sample(stopped), await there.sample(stopped)];
    expect([[...other.tokens], other.stop]).toEqual([[...mine.tokens], 'string']);
    expect(other.tokens.length).toBeLessThan((await here.sample(request)).tokens.length);
  });

  it('tools: every reply over the chat API is a call that the environment takes', async () => {
    const out = join(folder, 'tools');
    const small = ['--tasks', '0-2', '--max-turns', '3', '--max-tokens', '64', '--temperature', '1', '--out', out];
    await agoge('eval', 'maze', '--policy', `openai:base@${parts().server.url}`, '--format', 'tools', ...small);
    const turns = episodesOf(out).flatMap((episode) => episode.turns);
    expect(turns).toHaveLength(9);
    for (const { action } of turns) expect(action).toMatch(/^move (up|down|left|right)$/);
  });

  /** What the server without a prefix cache sampled for a long prompt, twice over. */
  const long = (): SampleRequest[] =>
    requests({ temperature: 1, maxTokens: 16 }).map((request) => ({
      ...request,
      prompt: Array.from({ length: 400 }, (_, at) => request.prompt[at % request.prompt.length] ?? NaN),
    }));
  const twice = async (): Promise<number[][]> => {
    const rows: number[][] = [];
    for (const request of [...long(), ...long()]) rows.push([...(await parts().endpoint.sample(request)).tokens]);
    return rows;
  };
  let uncached: number[][] = [];
  it('without its prefix cache it computes every prompt, and a seed gives the same again', async () => {
    uncached = await twice();
    expect(uncached.slice(0, goals.length)).toEqual(uncached.slice(goals.length));
    expect(await parts().server.counter('vllm:prefix_cache_hits_total')).toBe(0);
  });

  it('an evaluation goes on when the server is killed and started anew, with the replies of the embedded engine', async () => {
    const { server: there } = parts();
    const common = ['--tasks', '0-19', '--temperature', '0', '--max-turns', '6', '--json'];
    await agoge('eval', 'textcraft', '-p', 'base', ...common, '--out', join(folder, 'here'));
    const asked = ['-p', `openai:base@${there.url}`, '--tokenizer', base, '--format', 'direct', '--concurrency', '2'];
    const before = await there.counter('vllm:request_success_total');
    const seen = { ended: false };
    const patient = ['--out', join(folder, 'there'), '--reply-timeout', '1800'];
    const going = agoge('eval', 'textcraft', ...asked, ...common, ...patient).finally(() => (seen.ended = true));
    going.catch(() => undefined); // it is awaited below, after the server is back
    while (!seen.ended && (await there.counter('vllm:request_success_total')) < before + 5)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await there.kill();
    expect(seen.ended).toBe(false);
    await there.up(); // with its prefix cache, as it is by default
    expect((JSON.parse(await going) as Results).scores[0]).toMatchObject({ scored: 20, failures: {} });
    const [mine, others] = ['here', 'there'].map((name) => repliesOf(join(folder, name)));
    expect(others).toEqual(mine);
    expect(await there.counter('vllm:request_success_total')).toBeGreaterThan(0); // some of it was played by the new one
  });

  it('prefix cache: a prompt that it knows is not computed again, and gives what it gave without', async () => {
    const before = await parts().server.counter('vllm:prefix_cache_hits_total');
    expect(await twice()).toEqual(uncached);
    expect(await parts().server.counter('vllm:prefix_cache_hits_total')).toBeGreaterThan(before + 200 * goals.length);
    for (const request of long()) expect(await apart(await parts().endpoint.sample(request), request)).toBeLessThan(1e-3);
  });

  it.each([
    ['adapters', ['engine.lora.rank=4']],
    ['all weights', []],
    ['sampling ahead', ['rollout.staleness=1', 'algorithm.correction.weights=token']],
  ])('a training run samples there: %s', async (name, more) => {
    const run = name.replaceAll(' ', '-');
    const sampler = [`engine.sampler.url=${parts().server.url}`, 'engine.sampler.model=base'];
    // Advantages over the whole batch: groups of so few would often all be alike, and nothing would be learned.
    const small = ['steps=3', 'rollout.groups=6', 'rollout.samples=2', 'algorithm.name=reinforce++'];
    const alone = ['evaluate.at_start=false', 'evaluate.every=0', 'evaluate.at_end=false', 'rollout.filter=false'];
    await agoge('train', 'textcraft-grpo', `run=${run}`, ...small, ...alone, ...sampler, ...more);
    const lines = readFileSync(join(folder, 'outputs', run, 'metrics/training_metrics.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const steps = lines.map((line) => (JSON.parse(line) as { data: Record<string, number> }).data);
    expect(steps).toHaveLength(3);
    const learned = steps.filter((step) => (step['actor/grad_norm'] ?? NaN) > 0);
    expect(learned.length).toBeGreaterThan(1); // so that weights were handed over that are not the first ones
    if (name !== 'sampling ahead') {
      // What was sampled there has the trainer's own probabilities, after each update again.
      for (const step of learned) expect(step['training/rollout_probs_diff_max']).toBeLessThan(1e-3);
      expect(steps.map((step) => step['train/staleness'])).toEqual([0, 0, 0]);
      return;
    }
    // Ahead of it, those of the version before, and the difference is weighed.
    const stale = learned.filter((step) => step['train/staleness'] === 1);
    expect(stale.length).toBeGreaterThan(0);
    for (const step of stale) {
      expect(step['training/rollout_probs_diff_max']).toBeGreaterThan(1e-3);
      expect(step['rollout_corr/rollout_is_max']).toBeGreaterThan(1.01);
      expect(step['rollout_corr/rollout_is_min']).toBeLessThan(0.99);
    }
  });
});

interface Results {
  readonly scores: {
    readonly scored: number;
    readonly failures: object;
  }[];
}

/**
 * vLLM for real, on the CPU with models/base: what it samples, how it reads templates, tools and stops, a server that is killed in the middle
 * of an evaluation, and training runs that sample there. 6 GB to install and minutes to start, so CI does not run it: npm run test:vllm.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { readWords } from '../../src/engine/embedded/models/load.ts';
import type { Sample, SampleRequest } from '../../src/engine/engine.ts';
import { TokenEndpoint } from '../../src/policy/endpoint/token-endpoint.ts';
import { createRenderer } from '../../src/policy/renderer.ts';
import { base, Vllm, vllmEnvironment } from './vllm-server.ts';

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { venv, problem } = vllmEnvironment();
if (problem !== undefined) console.log(`skipped: ${problem}`);
const folder = mkdtempSync(join(tmpdir(), 'agoge-vllm-test-'));

/** A command of ours, to its end; what it printed. */
async function agoge(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder });
  const closed = once(child, 'close');
  let [out, said] = ['', ''];
  child.stderr.on('data', (part) => (said += String(part)));
  for await (const part of child.stdout) out += String(part);
  await closed;
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${said}`);
  return out;
}

const goals = ['craft stick', 'craft oak planks', 'get 2 oak logs', 'craft a torch', 'craft bread'];

describe.skipIf(problem !== undefined)('vLLM', () => {
  let [server, engine, endpoint]: [Vllm?, EmbeddedEngine?, TokenEndpoint?] = [];
  const parts = (): { server: Vllm; engine: EmbeddedEngine; endpoint: TokenEndpoint } => {
    if (!server || !engine || !endpoint) throw new Error('not open');
    return { server, engine, endpoint };
  };
  beforeAll(async () => {
    server = await Vllm.start(venv);
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

  it('prefix cache: a prompt that it knows is not computed again, and gives the same', async () => {
    const [short] = requests({ temperature: 1, maxTokens: 8 });
    if (!short) throw new Error('no request');
    const request = { ...short, prompt: Array.from({ length: 400 }, (_, at) => short.prompt[at % short.prompt.length] ?? NaN) };
    const first = await parts().endpoint.sample(request);
    const before = await parts().server.counter('vllm:prefix_cache_hits_total');
    const again = await parts().endpoint.sample(request);
    expect(await parts().server.counter('vllm:prefix_cache_hits_total')).toBeGreaterThan(before + 200);
    expect([...again.tokens]).toEqual([...first.tokens]);
    expect(await apart(again, request)).toBeLessThan(1e-3);
  });

  it('tools: the chat API answers over several turns', async () => {
    const policy = `openai:base@${parts().server.url}`;
    const out = join(folder, 'tools');
    const asked = [
      '--policy',
      policy,
      '--format',
      'tools',
      '--tasks',
      '0-2',
      '--max-turns',
      '3',
      '--max-tokens',
      '64',
      '--out',
      out,
    ];
    const said = JSON.parse(await agoge('eval', 'textcraft', ...asked, '--json')) as Results;
    expect(said.scores[0]).toMatchObject({ scored: 3, failures: {} });
  });

  it('an evaluation goes on when the server is killed and started anew, with the replies of the embedded engine', async () => {
    const { server: there } = parts();
    const common = ['--tasks', '0-19', '--temperature', '0', '--max-turns', '6', '--json'];
    const here = JSON.parse(await agoge('eval', 'textcraft', '-p', 'base', ...common, '--out', join(folder, 'here'))) as Results;
    const asked = ['-p', `openai:base@${there.url}`, '--tokenizer', base, '--format', 'direct', '--concurrency', '2'];
    const before = await there.counter('vllm:request_success_total');
    const going = agoge('eval', 'textcraft', ...asked, ...common, '--out', join(folder, 'there'), '--reply-timeout', '1800');
    while ((await there.counter('vllm:request_success_total')) < before + 5)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await there.kill();
    await there.up();
    const score = (JSON.parse(await going) as Results).scores[0];
    expect(score).toMatchObject({ scored: 20, failures: {} });
    expect(score?.perTask).toEqual(here.scores[0]?.perTask);
    expect(await there.counter('vllm:request_success_total')).toBeGreaterThan(0); // some of it was played by the new one
  });

  it.each([
    ['all weights', []],
    ['adapters', ['engine.lora.rank=4']],
    ['sampling ahead', ['rollout.staleness=1']],
  ])('a training run samples there: %s', async (name, more) => {
    const run = name.replaceAll(' ', '-');
    const sampler = [`engine.sampler.url=${parts().server.url}`, 'engine.sampler.model=base'];
    const small = ['steps=3', 'rollout.groups=2', 'rollout.samples=2', 'agent.max_turns=4', 'agent.tokens_per_turn=16'];
    const alone = ['evaluate.at_start=false', 'evaluate.every=0', 'evaluate.at_end=false', 'rollout.filter=false'];
    await agoge('train', 'textcraft-grpo', `run=${run}`, ...small, ...alone, ...sampler, ...more);
    const lines = readFileSync(join(folder, 'outputs', run, 'metrics/training_metrics.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const steps = lines.map((line) => (JSON.parse(line) as { data: Record<string, number> }).data);
    expect(steps).toHaveLength(3);
    // What was sampled there has the trainer's own probabilities, after each update again; ahead of it, those of a version before.
    const ahead = name === 'sampling ahead';
    for (const step of steps) {
      if (!ahead) expect(step['training/rollout_probs_diff_max']).toBeLessThan(1e-3);
      expect(step['train/staleness']).toBeLessThanOrEqual(ahead ? 1 : 0);
    }
  });
});

interface Results {
  readonly scores: {
    readonly scored: number;
    readonly failures: object;
    readonly perTask: unknown;
  }[];
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ToyEnvironment } from '../../../tests/fixtures/toy-environment.ts';
import { createFormat } from '../../agent/formats/index.ts';
import { EpisodePool, type EpisodeJob, type Played } from '../../agent/pool.ts';
import { providers } from './endpoint-answers.fixture.ts';
import { EndpointPolicy, type EndpointOptions } from './endpoint.ts';

interface ChatRequest {
  readonly messages: { readonly role: string; readonly content: string | null; readonly tool_call_id?: string }[];
  readonly tools?: unknown[];
  readonly seed: number;
}
type Handle = (request: ChatRequest, response: ServerResponse, count: number) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A chat endpoint outside our control: answers as the handler says. */
async function endpoint(handle: Handle, { port = 0, owner = 'somebody' } = {}): Promise<string> {
  let count = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ data: [{ id: 'm', owned_by: owner }] }));
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => handle(JSON.parse(body) as ChatRequest, response, count++));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const answer = (response: ServerResponse, content: string): void => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      choices: [{ message: { content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    }),
  );
};
const status = (response: ServerResponse, code: number, headers: Record<string, string> = {}): void => {
  response.writeHead(code, headers);
  response.end('no');
};

const policy = (baseUrl: string, extra: Partial<EndpointOptions> = {}): EndpointPolicy =>
  new EndpointPolicy({ id: 'openai:m', model: 'm', baseUrl, backoff: 1, timeout: 20_000, retries: 3, ...extra });

const jobs = (subject: EndpointPolicy, count: number, format = 'react'): EpisodeJob[] =>
  Array.from({ length: count }, (_, index) => ({
    environment: new ToyEnvironment(),
    task: { env: 'toy', split: 'test', index },
    policy: subject,
    format: createFormat(format),
    limits: { turns: 10, tokensPerTurn: 32, replyDeadline: 60_000 },
    seed: index,
  }));

async function play(subject: EndpointPolicy, count: number, format?: string): Promise<Played[]> {
  const played: Played[] = [];
  for await (const one of new EpisodePool({ retries: 0 }).run(jobs(subject, count, format), 'given')) played.push(one);
  return played;
}

describe('EndpointPolicy', () => {
  it('plays through a chat endpoint and counts what it used', async () => {
    const subject = policy(await endpoint((_, response) => answer(response, 'Action: add 3')), {
      prices: { input: 1, output: 10 },
    });
    const played = await play(subject, 7);
    expect(played.every(({ trajectory }) => trajectory.outcome.kind === 'finished')).toBe(true);
    const requests = played.reduce((sum, { trajectory }) => sum + trajectory.turns.length, 0);
    expect(subject.usage()).toMatchObject({ requests, inputTokens: 10 * requests, outputTokens: 2 * requests, retries: 0 });
    expect(subject.usage().cost).toBeCloseTo((requests * (10 + 20)) / 1e6, 12);
  });

  it('survives 429 with Retry-After, 500, broken JSON, an early close and empty choices', async () => {
    const url = await endpoint((_, response, count) => {
      if (count === 0) status(response, 429, { 'retry-after': '0.01' });
      else if (count === 1) status(response, 503);
      else if (count === 2) response.end('{"choices": [');
      else if (count === 3) response.destroy();
      else if (count === 4) response.end('{"choices": []}');
      else answer(response, 'Action: add 3');
    });
    const subject = policy(url, { retries: 5 });
    const [played] = await play(subject, 1);
    expect(played?.trajectory.outcome).toMatchObject({ kind: 'finished', success: true });
    expect(subject.usage().retries).toBe(5);
  });

  it('several servers share the requests; what one that dies had in hand is asked elsewhere, at once', async () => {
    let [alive, here, there] = [true, 0, 0];
    const dying = await endpoint((_, response, count) => {
      here++;
      if (count >= 10) alive = false;
      if (alive) answer(response, 'Action: add 3');
      else response.destroy();
    });
    const living = await endpoint((_, response) => {
      there++;
      answer(response, 'Action: add 3');
    });
    // Waiting for the dead one would take a minute.
    const subject = policy(`${dying},${living}`, { retries: 2, backoff: 60_000 });
    const played = await play(subject, 40);
    expect(played.every(({ trajectory }) => trajectory.outcome.kind === 'finished')).toBe(true);
    const requests = played.reduce((sum, { trajectory }) => sum + trajectory.turns.length, 0);
    expect(here + there).toBe(requests + subject.usage().retries);
    expect([here > 10, there > 10, subject.usage().retries > 0]).toEqual([true, true, true]);
  });

  it('waits for a server that is being started anew, as long as it is patient, and not where nobody ever was', async () => {
    const say = (_: unknown, response: ServerResponse): void => answer(response, 'Action: add 3');
    const url = await endpoint(say);
    const [patient, hasty] = [policy(url, { retries: 1 }), policy(url, { retries: 1, patience: 0 })];
    const kinds = async (subject: EndpointPolicy): Promise<string[]> =>
      (await play(subject, 2)).map(({ trajectory }) => trajectory.outcome.kind);
    expect([...(await kinds(patient)), ...(await kinds(hasty))]).not.toContain('failed');
    for (const close of closers.splice(0)) close();
    expect(await kinds(hasty)).toEqual(['failed', 'failed']);
    expect(await kinds(policy(url, { retries: 1 }))).toEqual(['failed', 'failed']);
    const waiting = kinds(patient);
    await new Promise((resolve) => setTimeout(resolve, 100)); // many times what two tries take
    await endpoint(say, { port: Number(new URL(url).port) });
    expect(await waiting).toEqual(['finished', 'finished']);
  });

  it.each([
    ['always 429', (response: ServerResponse) => status(response, 429), 'policy'],
    ['always 500', (response: ServerResponse) => status(response, 500), 'policy'],
    ['never JSON', (response: ServerResponse) => response.end('<html>'), 'policy'],
    ['always empty', (response: ServerResponse) => response.end('{"choices": []}'), 'policy'],
    ['without a word', (response: ServerResponse) => response.end('{"choices": [{"message": {"content": null}}]}'), 'policy'],
    ['closes early', (response: ServerResponse) => response.destroy(), 'policy'],
    ['hangs', () => undefined, 'policy'],
  ] as const)('%s: episodes fail by type, none becomes a zero, and it ends', async (_, hostile, by) => {
    const subject = policy(await endpoint((_request, response) => void hostile(response)), { retries: 1, timeout: 500 });
    for (const { trajectory } of await play(subject, 5)) {
      const code = expect.stringMatching(/^POLICY_ENDPOINT(_REFUSED)?$/) as string;
      expect(trajectory.outcome).toMatchObject({ kind: 'failed', by, error: { code } });
    }
  });

  it('does not repeat what will not change, and says what to do', async () => {
    const subject = policy(await endpoint((_, response) => status(response, 401)));
    const pool = new EpisodePool({ concurrency: 4, backoff: 1 });
    const all = async (): Promise<void> => {
      for await (const _ of pool.run(jobs(subject, 200)));
    };
    await expect(all()).rejects.toMatchObject({
      code: 'POLICY_UNAUTHORIZED',
      message: expect.stringContaining('OPENAI_API_KEY') as string,
    });
    expect(subject.usage().requests).toBeLessThanOrEqual(4);
    await expect(all()).rejects.toMatchObject({ code: 'POLICY_UNAUTHORIZED' });
    expect(subject.usage().requests).toBeLessThanOrEqual(4);
  });

  it('never waits less than it would have, whatever Retry-After says', async () => {
    const times: number[] = [];
    const url = await endpoint((_, response, count) => {
      times.push(performance.now());
      if (count < 2) status(response, 429, { 'retry-after': count === 0 ? '-1' : '0' });
      else answer(response, 'Action: add 3');
    });
    await play(policy(url, { backoff: 100 }), 1);
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThan(40);
    expect(third - second).toBeGreaterThan(90);
  });

  it('cuts off an answer without end', async () => {
    let sent = 0;
    const url = await endpoint((_, response) => {
      const chunk = Buffer.alloc(1 << 16, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const [played] = await play(policy(url, { maxAnswer: 1 << 20 }), 1);
    expect(played?.trajectory.outcome).toMatchObject({
      error: { code: 'POLICY_ENDPOINT', message: expect.stringContaining('larger than 1048576 bytes') as string },
    });
    expect(sent).toBeLessThan(64 << 20);
  });

  it('asks no more at once than allowed', async () => {
    let now = 0;
    let most = 0;
    const url = await endpoint((_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        answer(response, 'Action: add 3');
      }, 5);
    });
    await play(policy(url, { concurrency: 3 }), 20);
    expect(most).toBe(3);
  });

  it("uses the endpoint's own tool channel", async () => {
    const seen: ChatRequest[] = [];
    const url = await endpoint((request, response) => {
      seen.push(request);
      const call = { id: `c${seen.length}`, type: 'function', function: { name: 'add', arguments: '{"count": "3"}' } };
      response.end(
        JSON.stringify({ choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] }),
      );
    });
    const [played] = (await play(policy(url), 7, 'tools')).slice(6);
    expect(played?.trajectory.outcome).toMatchObject({ kind: 'finished', success: true });
    expect(played?.trajectory.turns[0]?.action).toBe('add 3');
    const last = seen.filter(({ messages }) => messages.length > 4).at(-1);
    expect(last?.tools).toHaveLength(2);
    expect(last?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(last?.messages[3]?.tool_call_id).toMatch(/^c\d+$/);
  });

  it('ends at once when the episode is cancelled', async () => {
    const controller = new AbortController();
    const subject = policy(await endpoint(() => setTimeout(() => controller.abort(new Error('enough')), 5)), { timeout: 60_000 });
    const pool = new EpisodePool({ signal: controller.signal });
    for await (const { trajectory } of pool.run(jobs(subject, 3))) {
      expect(trajectory.outcome).toMatchObject({ kind: 'failed', by: 'cancelled' });
    }
  });
});

describe.each(providers)('the shapes of $name', ({ good, text, reasoning, usage, limited, noSeed, unknownModel }) => {
  const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

  it('are read: text, reasoning, tokens', async () => {
    const subject = policy(await endpoint((_, response) => json(response, 200, good)));
    const [played] = await play(subject, 1);
    expect(played?.trajectory.turns[0]?.reply).toBe(text);
    const said = played?.trajectory.segments.find(({ role }) => role === 'assistant');
    expect(said && 'reasoning' in said ? said.reasoning : undefined).toBe(reasoning);
    const { requests } = subject.usage();
    expect(subject.usage()).toMatchObject({ inputTokens: requests * usage.input, outputTokens: requests * usage.output });
  });

  it.skipIf(!limited)('wait as long as is asked for, without using up tries', async () => {
    let times = 0;
    const began = Date.now();
    const url = await endpoint((_, response) => {
      if (times++ < 6) json(response, 429, limited?.body, { ...limited?.headers });
      else json(response, 200, good);
    });
    const subject = policy(url, { retries: 0 });
    const [played] = await play(subject, 1);
    expect(played?.trajectory.outcome.kind).toBe('finished');
    expect(subject.usage().retries).toBe(6);
    expect(Date.now() - began).toBeGreaterThanOrEqual(6 * (limited?.wait ?? 0) - 20);
  });

  it('lose the seed where it is refused, once', async () => {
    const seeds: boolean[] = [];
    const url = await endpoint((request, response) => {
      seeds.push('seed' in request);
      if (noSeed && 'seed' in request) json(response, noSeed.status, noSeed.body);
      else json(response, 200, good);
    });
    const subject = policy(url, { concurrency: 1 });
    for (const { trajectory } of await play(subject, 4)) expect(trajectory.outcome.kind).toBe('finished');
    expect(seeds.filter(Boolean)).toHaveLength(noSeed ? 1 : seeds.length);
    expect(subject.usage().leftOut).toEqual(noSeed ? ['seed'] : undefined);
  });

  it('of an unknown model are asked for once, and their reason is told', async () => {
    const subject = policy(await endpoint((_, response) => json(response, unknownModel.status, unknownModel.body)), {
      concurrency: 1,
    });
    const playing = async (): Promise<void> => {
      for await (const _ of new EpisodePool({ retries: 2, concurrency: 1 }).run(jobs(subject, 3), 'given'));
    };
    await expect(playing()).rejects.toMatchObject({
      code: 'POLICY_UNKNOWN_MODEL',
      message: expect.stringMatching(unknownModel.says) as string,
    });
    expect(subject.usage().requests).toBe(1);
  });
});

describe('sampling', () => {
  const whole = { top_p: 1, min_p: 0 };
  it.each([
    ['me', { ...whole, top_k: 0, repeat_penalty: 1 }],
    ['llamacpp', { ...whole, top_k: 0, repeat_penalty: 1 }],
    ['vllm', { ...whole, top_k: -1, repetition_penalty: 1 }],
    ['sglang', { ...whole, top_k: -1, repetition_penalty: 1 }],
    ['openai', {}],
  ])('a server of %s is told all of it in its own words, so that none of its defaults comes through', async (owner, said) => {
    const asked: object[] = [];
    const url = await endpoint(
      ({ messages: _, seed: __, ...rest }, response) => {
        asked.push(rest);
        answer(response, 'Action: add 3');
      },
      { owner },
    );
    await play(policy(url), 1);
    expect(asked[0]).toEqual({ model: 'm', max_tokens: 32, temperature: 1, stop: ['\nObservation:'], ...said });
  });

  it('what is neutral and not known there is left out, and said', async () => {
    const refusing = ['repetition_penalty', 'min_p'];
    const url = await endpoint(
      (request, response) => {
        const field = refusing.find((name) => name in request);
        if (field === undefined) answer(response, 'Action: add 3');
        else {
          response.writeHead(422);
          response.end(JSON.stringify({ detail: [{ loc: ['body', field], msg: 'Extra inputs are not permitted' }] }));
        }
      },
      { owner: 'vllm' },
    );
    const subject = policy(url);
    const [played] = await play(subject, 1);
    expect(played?.trajectory.outcome.kind).toBe('finished');
    expect(subject.usage().leftOut).toEqual(refusing);
  });

  it('what is known there and refused is an error: left out it would have a default', async () => {
    const url = await endpoint(
      (_, response) => {
        response.writeHead(422);
        response.end('{"detail": [{"loc": ["body", "top_k"], "msg": "Input should be greater than 0"}]}');
      },
      { owner: 'vllm' },
    );
    const [played] = await play(policy(url), 1);
    expect(played?.trajectory.outcome).toMatchObject({ kind: 'failed', error: { code: 'POLICY_ENDPOINT_REFUSED' } });
  });
});

describe('cost', () => {
  it('ends the asking when the budget is spent', async () => {
    const url = await endpoint((_, response) => answer(response, 'Action: look'));
    const subject = policy(url, { prices: { input: 1000, output: 0 }, budget: 0.05, concurrency: 1 });
    const [played] = await play(subject, 1);
    expect(subject.usage()).toMatchObject({ requests: 5, cost: 0.05 });
    expect(played?.trajectory.outcome).toMatchObject({ kind: 'failed', error: { code: 'POLICY_BUDGET' } });
    expect(() => policy(url, { budget: 1 })).toThrow(/--price/);
  });

  it('other names of the same limit are tried', async () => {
    const url = await endpoint((request, response) => {
      if (!('max_tokens' in request)) {
        answer(response, 'Action: add 3');
        return;
      }
      response.writeHead(400);
      response.end(
        '{"error":{"message":"Unsupported parameter: \'max_tokens\' is not supported with this model. Use \'max_completion_tokens\' instead."}}',
      );
    });
    const [played] = await play(policy(url), 1);
    expect(played?.trajectory.outcome.kind).toBe('finished');
  });
});

/**
 * What the Tinker client costs this process: samples against a server in another process that answers at once with what it is asked
 * for. 1,024 requests are under way all the time; processor time of this process per sample, and its memory as it goes on.
 *
 *   npx tsx bench/servers/tinker.ts [samples]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { readWords } from '../../src/engine/embedded/models/load.ts';
import { TinkerEngine } from '../../src/engine/tinker/client/engine.ts';
import { inProject } from '../root.ts';

const prompt = Array.from({ length: 400 }, (_, i) => i + 1);
const reply = Array.from({ length: 40 }, (_, i) => i + 100);

if (process.send) serve();
else await measure(Number(process.argv[2] ?? 50_000));

/** The other process: as little server as a client accepts. */
function serve(): void {
  const sample = JSON.stringify({ sequences: [{ stop_reason: 'length', tokens: reply, logprobs: reply.map(() => -1) }] });
  const answers: Readonly<Record<string, string>> = {
    'client/config': '{}',
    get_server_capabilities: '{"supported_models":[{"model_name":"base"}]}',
    create_session: '{"session_id":"s"}',
    create_model: '{"request_id":"model"}',
    save_weights_for_sampler: '{"request_id":"sampler"}',
    asample: '{"request_id":"sample"}',
    forward: '{"request_id":"forward"}',
  };
  const futures: Readonly<Record<string, string>> = {
    model: '{"model_id":"m"}',
    sampler: '{"sampling_session_id":"p"}',
    forward: '{"loss_fn_outputs":[{"logprobs":{"data":[-1,-1],"dtype":"float32"}}]}',
    sample,
  };
  const server = createServer((request, response) => {
    const route = (request.url ?? '').replace('/api/v1/', '');
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (route !== 'retrieve_future') return response.end(answers[route] ?? '{}');
      const { request_id: id } = JSON.parse(Buffer.concat(parts).toString()) as { request_id: string };
      return response.end(futures[id] ?? '{}');
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(samples: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv });
  const [port] = (await once(child, 'message')) as [number];
  const words = await readWords(inProject('models/base'));
  const engine = await TinkerEngine.open({ url: `http://127.0.0.1:${port}`, key: 'tml-none', baseModel: 'base', words });
  const request = { prompt, maxTokens: 40, seed: 1 };
  let left = samples;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await engine.sample(request);
  };
  await Promise.all(Array.from({ length: 1024 }, () => engine.sample(request))); // connections and compiled code
  const memory: number[] = [];
  const watch = setInterval(() => memory.push(process.memoryUsage().rss / 2 ** 20), 250);
  const [from, began] = [process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: 1024 }, lane));
  const used = process.cpuUsage(from);
  clearInterval(watch);
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  console.log(
    `${samples} samples, 1,024 under way: ${((used.user + used.system) / 1000 / samples).toFixed(3)} ms of processor time each (two requests),`,
  );
  console.log(
    `${(samples / ((performance.now() - began) / 1000)).toFixed(0)} samples/s; memory ${mean(memory.slice(0, quarter)).toFixed(0)} MB in the first quarter, ${mean(memory.slice(-quarter)).toFixed(0)} MB in the last`,
  );
  await engine[Symbol.asyncDispose]();
  child.kill();
}

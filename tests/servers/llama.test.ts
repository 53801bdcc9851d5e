/**
 * llama.cpp's server (llama-cpp-python) over a GGUF file that the embedded engine reads too, both in float32: ids, log-probabilities, and
 * stops, and an evaluation over the chat API. It is compiled when it is first installed, so CI does not run it: npm run test:llama.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import type { Sample } from '../../src/engine/engine.ts';
import { environmentOf } from '../peers/python.ts';
import { fetchSmolLm2, smolLm2 } from '../peers/engine/smollm2.ts';
import { agoge, repliesOf } from './commands.ts';
import { freePort, ServerProcess } from './server-process.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-llama-test-'));
const model = join(folder, 'smollm2.gguf');

/** The interpreter with llama.cpp, and the model in float32; or why they cannot be had. */
function prepared(): { readonly python: string; readonly problem?: string } {
  const { venv, problem } = environmentOf(join(here, 'llama-requirements.txt'));
  const python = join(venv, 'bin/python');
  const failed = problem ?? fetchSmolLm2(python);
  if (failed !== undefined) return { python, problem: failed };
  const { status } = spawnSync(python, [join(here, 'gguf_float32.py'), smolLm2, model], { stdio: 'inherit' });
  return status === 0 ? { python } : { python, problem: 'the model could not be written in float32' };
}

const { python, problem } = prepared();
if (problem !== undefined) console.log(`skipped: ${problem}`);

describe.skipIf(problem !== undefined)('llama-cpp-python', () => {
  let [server, engine]: [ServerProcess?, EmbeddedEngine?] = [];
  const parts = (): { server: ServerProcess; engine: EmbeddedEngine } => {
    if (!server || !engine) throw new Error('not open');
    return { server, engine };
  };
  beforeAll(async () => {
    engine = await EmbeddedEngine.open({ model, context: 2048, threads: 1 });
    server = new ServerProcess(await freePort(), '/v1/models');
    const serving = ['--model', model, '--model_alias', 'smollm2', '--host', '127.0.0.1', '--port', String(server.port)];
    // Keys and values in float32 (0) as well; log-probabilities are told where all logits are kept. Two threads wait for each other on
    // cores that others use.
    const numbers = [
      '--n_ctx',
      '2048',
      '--n_threads',
      '1',
      '--n_threads_batch',
      '1',
      '--type_k',
      '0',
      '--type_v',
      '0',
      '--logits_all',
      'true',
    ];
    await server.launch(python, ['-m', 'llama_cpp.server', ...serving, ...numbers]);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('its ids are ours, and so are the texts that it makes of them', async () => {
    const { engine: mine, server: other } = parts();
    const texts = ['Goal: craft 2 oak planks.', "It's   naïve\n\n日本語 🙂 12345", '<|im_start|>user\nHi<|im_end|>\n'];
    for (const input of texts) {
      const { tokens } = (await other.post('/extras/tokenize', { input })) as { tokens: number[] };
      expect(mine.model.tokenizer.encode(input)).toEqual(tokens);
      if (input.includes('<|')) continue; // it writes nothing for control tokens
      const { text } = (await other.post('/extras/detokenize', { tokens })) as { text: string };
      expect(text).toBe(mine.model.tokenizer.decode(tokens));
    }
  });

  const prompts = ['The capital of France is', 'To craft a stick in Minecraft you need', 'One, two, three,'];
  /** The embedded engine's likeliest reply. */
  const ours = (text: string, stopStrings: string[] = []): Promise<Sample> => {
    const { tokenizer } = parts().engine.model;
    const stops = { stopTokens: tokenizer.endOfTurn, stopStrings };
    return parts().engine.sample({ prompt: tokenizer.encode(text), maxTokens: 24, temperature: 0, seed: 0, ...stops });
  };
  const theirs = async (prompt: string, more: object): Promise<Completion['choices'][number]> => {
    const asked = { model: 'smollm2', prompt, max_tokens: 24, temperature: 0, logprobs: 1, ...more };
    const [choice] = ((await parts().server.post('/v1/completions', asked)) as Completion).choices;
    if (!choice) throw new Error('no choice');
    return choice;
  };

  it('greedy: the text of the embedded engine, with its log-probabilities; by its own default, another text', async () => {
    const { tokenizer } = parts().engine.model;
    let [worst, others] = [0, 0];
    for (const prompt of prompts) {
      const [here, there] = [await ours(prompt), await theirs(prompt, { repeat_penalty: 1 })];
      const tokens = here.tokens.filter((id) => !tokenizer.endOfTurn.includes(id)); // it tells nothing of the token that ends a reply
      const text = tokenizer.decode(tokens);
      expect(there.text).toBe(text);
      expect(there.logprobs.token_logprobs).toHaveLength(tokens.length);
      for (const [at, logprob] of there.logprobs.token_logprobs.entries())
        worst = Math.max(worst, Math.abs(logprob - (here.rawLogprobs[at] ?? NaN)));
      if ((await theirs(prompt, {})).text !== text) others++;
    }
    console.log(`largest difference of a log-probability: ${worst.toExponential(1)}; other texts by default: ${others}`);
    expect(worst).toBeLessThan(1e-3);
    expect(others).toBeGreaterThan(0);
  });

  it('stops: the text ends where that of the embedded engine ends', async () => {
    const { tokenizer } = parts().engine.model;
    for (const [prompt, stop] of [
      ['The capital of France is', '.'],
      ['One, two, three,', ' six'],
    ] as const) {
      const [here, there] = [await ours(prompt, [stop]), await theirs(prompt, { repeat_penalty: 1, stop: [stop] })];
      expect([here.stop, there.finish_reason]).toEqual(['string', 'stop']);
      expect(there.text).toBe(tokenizer.decode(here.tokens).split(stop)[0]);
    }
  });

  it('an evaluation over its chat API has the replies of one in this process, though nothing is said of penalties', async () => {
    const small = ['--tasks', '0-2', '--temperature', '0', '--max-turns', '2', '--max-tokens', '24', '--format', 'react'];
    const url = `openai:smollm2@${parts().server.url}`;
    await agoge(folder, 'eval', 'textcraft', '-p', `gguf:${model}`, ...small, '--out', join(folder, 'here'));
    // One at a time: it answers no two at once, and what waits too long is asked again.
    const alone = ['--concurrency', '1', '--reply-timeout', '1800'];
    await agoge(folder, 'eval', 'textcraft', '-p', url, ...small, ...alone, '--out', join(folder, 'there'));
    expect(repliesOf(join(folder, 'there'))).toEqual(repliesOf(join(folder, 'here')));
  });

  it('with ids it is refused at once: it takes texts', async () => {
    const url = `openai:smollm2@${parts().server.url}`;
    const asked = agoge(folder, 'eval', 'textcraft', '-p', url, '--tokenizer', 'base', '--tasks', '0', '--format', 'react');
    await expect(asked).rejects.toThrow(/llama-cpp-python, which takes prompts as texts and tells no ids: leave --tokenizer out/);
  });
});

interface Completion {
  readonly choices: readonly {
    readonly text: string;
    readonly finish_reason: string;
    readonly logprobs: { readonly token_logprobs: readonly number[] };
  }[];
}

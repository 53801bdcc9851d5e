/**
 * Loops of tools as other SDKs run them, against `agoge serve --model`: a policy is trained here to call three tools in turn (nothing
 * forces a call), and each client's own loop plays it. The clients are installed here and not by `npm ci`.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as aiSdk5 from 'ai';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { aiSdk, langChain, openAiTools, type Client, type LangChain } from '../loops/clients.ts';
import { errandOf, type Errand } from '../loops/errand.ts';
import { installedPackages } from '../npm.ts';
import { environmentOf, peersMissing, python } from '../python.ts';

const here = fileURLToPath(new URL('../loops', import.meta.url));
const cli = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-loops-'));
const agent = join(here, 'errand-agent.ts');
const packages = installedPackages('loops');
const agents = installedPackages('agents');
const litellm = environmentOf(join(here, 'requirements.txt'));
if (packages === undefined) console.log('skipped: no package registry gives the OpenAI SDK and the AI SDK 6');
if (agents === undefined) console.log('skipped: no package registry gives LangChain.js');
for (const missing of [peersMissing(), litellm.problem]) if (missing !== undefined) console.log(`skipped: ${missing}`);

interface Played {
  readonly answer: string;
  readonly called: readonly (readonly [tool: string, argument: string])[];
}

let server: ChildProcess | undefined;
let baseURL = '';
const errands: Errand[] = Array.from({ length: 6 }, (_, index) => errandOf(Random.of(7, 'tool loops', index)));

// Enough to learn the three calls. All is seeded, so the same policy comes out each time.
const recipe = {
  run: 'errand',
  seed: 1,
  policy: 'base',
  data: {
    source: 'experts',
    experts: [{ env: agent, split: 'train' }],
    curriculum: { levels: 1 },
    max_turns: 5,
  },
  batch_tokens: 1536,
  optimizer: { lr: 2e-3, warmup: 10, embedding_rate: 4 },
  steps: 80,
  evaluate: { every: 0, at_end: false },
};

beforeAll(async () => {
  const file = join(folder, 'errand.yaml');
  writeFileSync(file, JSON.stringify(recipe));
  const trained = spawnSync(process.execPath, [cli, 'sft', file, '--no-view'], { cwd: folder, encoding: 'utf8' });
  expect(trained.status, trained.stdout + trained.stderr).toBe(0);
  const serving = spawn(
    process.execPath,
    [cli, 'serve', '--model', 'run:outputs/errand', '--name', 'errands', '--json', '--port', '0'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  server = serving;
  const [line] = (await once(serving.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  baseURL = url.endsWith('/v1') ? url : `${url}/v1`;
});
afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function played(client: Client): Promise<Played[]> {
  const all: Played[] = [];
  for (const errand of errands) {
    const called: [string, string][] = [];
    const answer = await client(errand, (tool, given) => {
      const [argument = ''] = Object.values(given as Record<string, string>);
      called.push([tool, argument]);
      return errand.facts[tool]?.[argument] ?? 'unknown';
    });
    all.push({ answer, called });
  }
  return all;
}

function playedByPython(interpreter: string, client: string): Played[] {
  const input = JSON.stringify({ baseURL, model: 'errands', errands });
  const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' };
  const script = join(here, 'clients.py');
  const { status, stdout, stderr } = spawnSync(interpreter, [script, client], { input, encoding: 'utf8', env });
  expect(status, stderr.slice(-3000)).toBe(0);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Played[];
}

/** Most errands are done by their three calls in turn; a policy of seconds may miss one. */
function expectDone(all: readonly Played[]): void {
  const done = errands.filter((errand, at) => {
    const { answer, called } = all[at] ?? { answer: '', called: [] };
    return answer === errand.answer && JSON.stringify(called) === JSON.stringify(errand.calls);
  });
  expect(all).toHaveLength(errands.length);
  expect(done.length, JSON.stringify(all)).toBeGreaterThanOrEqual(errands.length - 2);
}

/** A package of those installed here. */
async function packageOf(name: string, place = packages): Promise<unknown> {
  const from = createRequire(join(place ?? '', 'package.json'));
  return import(pathToFileURL(from.resolve(name)).href);
}

describe('a policy trained to call three tools, unforced, in the loop of', () => {
  it.each([false, true])('the AI SDK 5 (streamed: %s)', async (stream) => {
    expectDone(await played(aiSdk(aiSdk5, createOpenAICompatible, baseURL, 'errands', stream)));
  });

  it.skipIf(packages === undefined).each([false, true])('the AI SDK 6 (streamed: %s)', async (stream) => {
    const sdk = (await packageOf('ai')) as typeof aiSdk5;
    const provider = (await packageOf('@ai-sdk/openai-compatible')) as { createOpenAICompatible: typeof createOpenAICompatible };
    expectDone(await played(aiSdk(sdk, provider.createOpenAICompatible, baseURL, 'errands', stream)));
  });

  it.skipIf(packages === undefined).each([false, true])('OpenAI for Node, runTools (streamed: %s)', async (stream) => {
    const { OpenAI } = (await packageOf('openai')) as typeof import('openai');
    expectDone(await played(openAiTools(OpenAI, baseURL, 'errands', stream)));
  });

  // Whole replies only: streamed, it asks the net for a table to count tokens with, and waits where there is none.
  it.skipIf(agents === undefined)('LangChain.js', async () => {
    const parts = [await packageOf('langchain', agents), await packageOf('@langchain/openai', agents)] as [object, object];
    expectDone(await played(langChain({ ...parts[0], ...parts[1] } as LangChain, baseURL, 'errands')));
  });

  it.skipIf(peersMissing() !== undefined).each(['responses', 'completions'])('OpenAI for Python, %s', (client) => {
    expectDone(playedByPython(python, client));
  });

  it.skipIf(litellm.problem !== undefined)('LiteLLM', () => {
    expectDone(playedByPython(join(litellm.venv, 'bin/python'), 'litellm'));
  });
});

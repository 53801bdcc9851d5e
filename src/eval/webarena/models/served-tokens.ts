/**
 * How long a page is for a model behind an address: by OpenAI's own encodings (the npm package js-tiktoken, where it is installed), else
 * by the server itself, which vLLM, SGLang and llama.cpp can be asked (`/tokenize`, `/detokenize`).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ask } from '../../../core/ask.ts';
import { deadline } from '../../../core/deadline.ts';
import { AgogeError } from '../../../core/error.ts';
import type { PageCutter } from './model.ts';

/** Which of OpenAI's encodings a model has, by how its name begins; the first that fits. */
const ENCODINGS: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|chatgpt-4o|o[134](-|$))/, 'o200k_base'],
  [/^(gpt-4|gpt-3\.5|gpt-35-turbo|davinci-002|babbage-002)/, 'cl100k_base'],
  [/^(text-davinci-00[23]|code-)/, 'p50k_base'],
  [/^(text-)?(davinci|curie|babbage|ada)/, 'r50k_base'],
];

export interface ServedModel {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
}

/** `folder` is where packages are looked for first. Throws CONFIG_WEBARENA where nobody can count. */
export async function servedCutter(served: ServedModel, folder = process.cwd()): Promise<PageCutter> {
  const encoding = ENCODINGS.find(([name]) => name.test(served.model))?.[1];
  if (encoding !== undefined) {
    const cutter = await encodedCutter(encoding, folder);
    if (cutter) return cutter;
  }
  const own = new URL(served.baseUrl).hostname !== 'api.openai.com';
  const cutter = own ? askedCutter(served) : undefined;
  // Asked once now: better than at the first page.
  if (cutter && (await Promise.resolve(cutter('a page', 1)).catch(() => undefined)) !== undefined) return cutter;
  const install = encoding === undefined ? '' : 'install its tokens (npm install js-tiktoken), ';
  throw new AgogeError(
    'CONFIG_WEBARENA',
    `pages are cut to --max-obs-length tokens of ${served.model}, and nobody here can count them: ${install}name its tokenizer (--tokenizer <folder or hub name>), or show whole pages (--max-obs-length 0)`,
  );
}

interface Encoder {
  encode(text: string, allowed?: readonly string[], disallowed?: readonly string[]): readonly number[];
  decode(tokens: readonly number[]): string;
}

/** From the folder or from where we are installed; undefined where it is at neither. */
async function encodedCutter(encoding: string, folder: string): Promise<PageCutter | undefined> {
  for (const from of [join(folder, 'x'), import.meta.url]) {
    try {
      const load = async (name: string): Promise<Record<string, unknown>> =>
        (await import(pathToFileURL(createRequire(from).resolve(`js-tiktoken/${name}`)).href)) as Record<string, unknown>;
      const [{ Tiktoken }, ranks] = await Promise.all([load('lite'), load(`ranks/${encoding}`)]);
      const encoder = new (Tiktoken as new (ranks: unknown) => Encoder)(ranks['default']);
      return (page, tokens) => encoder.decode(encoder.encode(page, [], []).slice(0, tokens));
    } catch {
      // Not there: the next place, or another way to count.
    }
  }
  return undefined;
}

const counted = z.object({ tokens: z.array(z.int()) });
const words = z.union([
  z.object({ prompt: z.string() }).transform(({ prompt }) => prompt),
  z.object({ content: z.string() }).transform(({ content }) => content),
  z.object({ text: z.string() }).transform(({ text }) => text),
]);

function askedCutter({ model, baseUrl, apiKey }: ServedModel): PageCutter {
  const root = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const post = async (path: string, body: object): Promise<unknown> => {
    using limit = deadline(30_000);
    const { ok, status, text } = await ask(`${root}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ model, ...body }),
      signal: limit.signal,
    });
    if (ok) return JSON.parse(text) as unknown;
    throw new AgogeError('POLICY_ENDPOINT', `${root}/${path} answers with status ${status}: name the model's --tokenizer instead`);
  };
  return async (page, most) => {
    // The names of vLLM and SGLang, and those of llama.cpp; each ignores the other's.
    const plain = { prompt: page, content: page, add_special_tokens: false, add_special: false };
    const { tokens } = counted.parse(await post('tokenize', plain));
    if (tokens.length <= most) return page;
    return words.parse(await post('detokenize', { tokens: tokens.slice(0, most) }));
  };
}

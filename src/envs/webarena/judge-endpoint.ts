/** A judge behind an OpenAI-compatible endpoint, asked as the original asks its own: temperature 0, at most 768 tokens. */
import * as z from 'zod';
import { ask } from '../../core/ask.ts';
import { AgogeError } from '../../core/error.ts';
import type { Judge } from './evaluators/judge.ts';

const answer = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });
const PATIENCE = 120_000;
const TRIES = 3;

/** `openai:<model>[@<base URL>]`; the key is OPENAI_API_KEY. */
export function endpointJudge(spec: string): Judge {
  const [, model, base = 'https://api.openai.com/v1'] = /^openai:(.+?)(?:@(https?:\/\/.+))?$/.exec(spec) ?? [];
  if (model === undefined)
    throw new AgogeError('ENV_BAD_SETTING', `webarena.judge is "${spec}": write openai:<model>[@<base URL>]`);
  const url = `${base.replace(/\/+$/, '')}/chat/completions`;
  return {
    ask: async ({ system, user }) => {
      const body = {
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        temperature: 0,
        max_tokens: 768,
        top_p: 1,
      };
      for (let attempt = 1; ; attempt++) {
        try {
          return await askOnce(url, body);
        } catch (thrown) {
          if (attempt >= TRIES) {
            throw AgogeError.from(
              thrown,
              'ENV_WEBARENA_NO_JUDGE',
              `the judge ${spec} does not answer; check webarena.judge and OPENAI_API_KEY`,
            );
          }
        }
      }
    },
  };
}

async function askOnce(url: string, body: object): Promise<string> {
  const key = process.env['OPENAI_API_KEY'];
  const { status, ok, text } = await ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!ok) throw new Error(`status ${status}`);
  return answer.parse(JSON.parse(text)).choices[0]?.message.content ?? '';
}

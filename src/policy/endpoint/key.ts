/** The key that an endpoint wants: `OPENAI_API_KEY`. */
import { AgogeError } from '../../core/error.ts';
import { baseUrls } from './addresses.ts';

/** OpenAI itself answers nobody without a key: said before anything is played. Servers of one's own often want none. */
export function requireKey(baseUrl: string): void {
  const key = process.env['OPENAI_API_KEY'];
  if (key !== undefined && key !== '') return;
  if (!baseUrls(baseUrl).some((url) => new URL(url).hostname === 'api.openai.com')) return;
  throw new AgogeError(
    'POLICY_NO_KEY',
    `${baseUrl} wants a key, and OPENAI_API_KEY is not set: export OPENAI_API_KEY=…, or name a server of your own (openai:<model>@http://127.0.0.1:8000/v1)`,
  );
}

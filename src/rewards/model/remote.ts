/**
 * A reward model behind an address, asked as verl asks its router: vLLM's `/classify`, SGLang's `/v1/embeddings` where the address says so.
 * With a tokenizer's name the text is written here by its chat template; without one messages are sent and the server writes it.
 * What may go better another time is asked again, with growing pauses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ask } from '../../core/ask.ts';
import { AgogeError } from '../../core/error.ts';
import { examineTemplate, plainTemplate } from '../../policy/chat-template.ts';
import type { Message } from '../../policy/conversation.ts';

/** verl's number of tries. */
const tries = 16;
const longestPause = 8000;
const patience = 120_000;
const atOnce = 16;

const classified = z.object({ data: z.array(z.object({ probs: z.array(z.number()).min(1) })).min(1) });
const embedded = z.object({ data: z.array(z.object({ embedding: z.array(z.number()).min(1) })).min(1) });

type Write = (messages: readonly Message[]) => string;

export class RemoteRewardModel implements AsyncDisposable {
  private readonly url: string;
  private model: Promise<string> | undefined;

  private constructor(
    private readonly address: string,
    private readonly write: Write | undefined,
  ) {
    const bare = address.replace(/\/+$/, '');
    this.url = /\/(classify|embeddings)$/.test(bare) ? bare : `${bare.replace(/\/v1$/, '')}/classify`;
  }

  static async open(address: string, tokenizer?: string): Promise<RemoteRewardModel> {
    if (tokenizer === undefined) return new RemoteRewardModel(address, undefined);
    const { readWords } = await import('../../engine/embedded/models/load.ts');
    const { tokenizer: words, chatTemplate } = await readWords(tokenizer);
    const { bosToken, eosToken } = words;
    const { render } = examineTemplate(chatTemplate ?? plainTemplate, { bosToken, eosToken });
    return new RemoteRewardModel(address, (messages) => {
      const text = render(messages, false);
      // The server's tokenizer writes the beginning of a sequence itself.
      return bosToken !== undefined && text.startsWith(bosToken) ? text.slice(bosToken.length) : text;
    });
  }

  async score(conversations: readonly (readonly Message[])[]): Promise<readonly number[]> {
    const scores: number[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < conversations.length) {
        const at = next++;
        scores[at] = await this.one(conversations[at] ?? []);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, conversations.length) }, worker));
    return scores;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  private async one(messages: readonly Message[]): Promise<number> {
    const asked = this.write
      ? { input: this.write(messages) }
      : { messages: messages.map(({ role, text }) => ({ role, content: text })) };
    // Raw numbers, not probabilities; the second spelling is that of older servers.
    const body = { model: await (this.model ??= this.served()), ...asked, use_activation: false, activation: false };
    const answer = await this.ask(JSON.stringify(body));
    const read = this.url.endsWith('/embeddings')
      ? embedded.safeParse(answer).data?.data.at(-1)?.embedding.at(-1)
      : classified.safeParse(answer).data?.data.at(-1)?.probs.at(-1);
    if (read !== undefined) return read;
    throw this.wrong(`answered ${JSON.stringify(answer).slice(0, 120)}`, 'give the address of a classify endpoint');
  }

  /** The name of the model that the server has; `default` where it does not say. */
  private async served(): Promise<string> {
    const list = await ask(new URL('/v1/models', this.url), { headers: headers(), signal: AbortSignal.timeout(10_000) })
      .then(({ ok, text }) => (ok ? (JSON.parse(text) as unknown) : undefined))
      .catch(() => undefined);
    return z.object({ data: z.array(z.object({ id: z.string() })).min(1) }).safeParse(list).data?.data[0]?.id ?? 'default';
  }

  private async ask(body: string): Promise<unknown> {
    let last = '';
    for (let attempt = 0; attempt < tries; attempt++) {
      if (attempt > 0) await sleep(Math.min(longestPause, 250 * 2 ** attempt));
      try {
        const signal = AbortSignal.timeout(patience);
        const { ok, status, text } = await ask(this.url, { method: 'POST', headers: headers(), body, signal });
        if (ok) return JSON.parse(text) as unknown;
        last = `${status} ${text.slice(0, 200)}`;
        if (status < 500 && status !== 429 && status !== 408) throw this.wrong(`refused the request (${last})`, 'see its log');
      } catch (thrown) {
        if (thrown instanceof AgogeError) throw thrown;
        last = thrown instanceof Error ? thrown.message : String(thrown);
      }
    }
    throw this.wrong(`did not answer ${tries} times (${last})`, 'start it, or correct the address');
  }

  private wrong(what: string, remedy: string): AgogeError {
    return new AgogeError('REWARD_REMOTE', `the reward model at ${this.address} ${what}: ${remedy}`);
  }
}

/** A server with accounts takes its key from AGOGE_REWARD_KEY. */
function headers(): Record<string, string> {
  const key = process.env['AGOGE_REWARD_KEY'];
  return { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
}

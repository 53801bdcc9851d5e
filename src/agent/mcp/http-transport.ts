/** An MCP server behind an address ("streamable HTTP"): a POST for each message, answered by JSON or by a stream of events. */
import { AgogeError } from '../../core/error.ts';
import type { McpServer, Transport } from './transport.ts';
import { rpcMessage, type RpcMessage } from './messages.ts';

type HttpServer = Extract<McpServer, { readonly url: string }>;

export function openHttp({ url, headers = {} }: HttpServer): Transport {
  const named: Record<string, string> = {};
  const post = async (message: RpcMessage, signal: AbortSignal): Promise<Response> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers, ...named },
      body: JSON.stringify(message),
      signal,
    });
    const session = response.headers.get('mcp-session-id');
    if (session !== null) named['mcp-session-id'] = session;
    if (response.ok) return response;
    const said = (await response.text()).slice(0, 300);
    throw new AgogeError('ENV_MCP', `${url} answers ${response.status} (${said}): check the address`);
  };
  return {
    agreed: (version) => {
      named['mcp-protocol-version'] = version;
    },
    async request(message, signal) {
      const response = await post(message, signal);
      const stream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      const texts = stream ? eventsOf(response) : [await response.text()];
      for await (const text of texts) {
        const answer = rpcMessage.safeParse(JSON.parse(text));
        if (answer.success && answer.data.id === message.id && answer.data.method === undefined) return answer.data;
      }
      throw new AgogeError('ENV_MCP', `${url} ended its answer without a result: ask again`);
    },
    async notify(message, signal) {
      await (await post(message, signal)).body?.cancel();
    },
    async [Symbol.asyncDispose]() {
      if (named['mcp-session-id'] === undefined) return;
      // A server need not know how to end a session, and may be gone.
      await fetch(url, { method: 'DELETE', headers: { ...headers, ...named }, signal: AbortSignal.timeout(2000) }).then(
        (response) => response.body?.cancel(),
        () => undefined,
      );
    },
  };
}

/** The data of each server-sent event. */
async function* eventsOf(response: Response): AsyncGenerator<string, void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
      if (data.length > 0) yield data.join('\n');
    }
  }
}

/** A client of an MCP server's tools: a process that is spoken to in lines, or an address. Every request has a deadline. */
import { z } from 'zod';
import { deadline } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import { protocolVersions, toolPage, toolResult, type McpTool } from './messages.ts';
import { openHttp } from './http-transport.ts';
import { openProcess } from './process-transport.ts';
import type { McpServer } from './transport.ts';

export interface McpClient extends AsyncDisposable {
  readonly tools: readonly McpTool[];
  /** What the tool said, as a text; also where it says that something went wrong. */
  call(name: string, given: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<string>;
}

const hello = z.looseObject({ protocolVersion: z.string() });

/** Connects and lists the tools. `timeout` is for one request, in milliseconds. */
export async function openMcp(server: McpServer, timeout = 60_000, signal?: AbortSignal): Promise<McpClient> {
  const name = 'url' in server ? server.url : [server.command, ...(server.args ?? [])].join(' ');
  const transport = 'url' in server ? openHttp(server) : openProcess(server);
  let id = 0;
  const request = async (
    method: string,
    params: Record<string, unknown>,
    owner?: AbortSignal,
  ): Promise<Record<string, unknown>> => {
    using limit = deadline(timeout, owner);
    const answer = await transport
      .request({ jsonrpc: '2.0', id: ++id, method, params }, limit.signal)
      .catch((thrown: unknown) => {
        const late = limit.signal.aborted && owner?.aborted !== true;
        const what = late ? `did not answer ${method} in ${timeout / 1000} s` : 'cannot be asked';
        throw AgogeError.from(thrown, 'ENV_MCP', `the MCP server ${name} ${what}; check that it runs`);
      });
    if (answer.result) return answer.result;
    throw new AgogeError(
      'ENV_MCP',
      `the MCP server ${name} refuses ${method} (${answer.error?.message ?? 'no answer'}): check its tools`,
    );
  };
  try {
    const clientInfo = { name: 'agoge', version: '0' };
    const params = { protocolVersion: protocolVersions[0], capabilities: {}, clientInfo };
    const { protocolVersion } = hello.parse(await request('initialize', params, signal));
    transport.agreed?.(protocolVersion);
    await transport.notify({ jsonrpc: '2.0', method: 'notifications/initialized' }, AbortSignal.timeout(timeout));
    const tools: McpTool[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = toolPage.parse(await request('tools/list', cursor === undefined ? {} : { cursor }, signal));
      tools.push(...page.tools);
      cursor = page.nextCursor;
    }
    return {
      tools,
      async call(tool, given, owner) {
        const { content } = toolResult.parse(await request('tools/call', { name: tool, arguments: given }, owner));
        return content.map(({ type, text }) => text ?? `[${type}]`).join('\n');
      },
      [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await transport[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** The Model Context Protocol's messages, as far as tools need them: JSON-RPC 2.0, `initialize`, `tools/list`, `tools/call`, `ping`. */
import { z } from 'zod';

/** Newest first; a server answers in the client's version where it knows it. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

const id = z.union([z.string(), z.number()]);
const params = z.record(z.string(), z.unknown()).optional();

/** A request has an id, a notification has none, an answer has a result or an error. */
export const rpcMessage = z.object({
  jsonrpc: z.literal('2.0'),
  id: id.nullish(),
  method: z.string().optional(),
  params,
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

export type RpcMessage = z.infer<typeof rpcMessage>;

/** A tool as servers list it. */
const mcpTool = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});

export type McpTool = z.infer<typeof mcpTool>;

export const toolPage = z.object({ tools: z.array(mcpTool), nextCursor: z.string().optional() });

export const toolResult = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

export type ToolResult = z.input<typeof toolResult>;

export function answer(to: RpcMessage, result: object): object {
  return { jsonrpc: '2.0', id: to.id, result };
}

export function refusal(to: RpcMessage['id'], code: number, message: string): object {
  return { jsonrpc: '2.0', id: to ?? null, error: { code, message } };
}

/** Where an MCP server is, and how messages get there. */
import type { RpcMessage } from './messages.ts';

/** Where a server is: a command that is started, or the address of one that runs. */
export type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      /** Beside PATH and HOME; nothing else of this process is given on. */
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** How messages get there. A request is answered, a notification is not. */
export interface Transport extends AsyncDisposable {
  request(message: RpcMessage & { readonly id: number }, signal: AbortSignal): Promise<RpcMessage>;
  notify(message: RpcMessage, signal: AbortSignal): Promise<void>;
  /** Told once both sides have agreed on it. */
  agreed?(version: string): void;
}

// The SDK's own client against `agoge mcp`: over standard input and output, or at an address.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [, , cli, url] = process.argv;
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp', 'textcraft'], stderr: 'ignore' });
const client = new Client({ name: 'peer', version: '1' });
await client.connect(transport);
const { tools } = await client.listTools();
const started = await client.callTool({ name: 'start_task', arguments: { split: 'test', index: 0 } });
const looked = await client.callTool({ name: 'inventory', arguments: {} });
await client.ping();
await client.close();
console.log(
  JSON.stringify({ tools: tools.map(({ name }) => name), started: started.content[0].text, looked: looked.structuredContent }),
);

/** Talks to a peer in Python (babyai-peer.py, alfworld-peer.py): one JSON request a line, one answer a line, in one process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Peer {
  ask(request: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export function startPeer(python: string, script = 'babyai-peer.py', args: readonly string[] = []): Peer {
  const child = spawn(python, [fileURLToPath(new URL(script, import.meta.url)), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (request) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const answer: IteratorResult<string, unknown> = await answers.next();
      if (answer.done === true) throw new Error('the Python peer ended; its error is printed above');
      return JSON.parse(answer.value) as unknown;
    },
    close: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

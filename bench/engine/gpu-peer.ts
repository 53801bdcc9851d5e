/** PyTorch and transformers beside ours: bench/engine/gpu-peer.py as a child process, one request and one answer at a time. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inProject } from '../root.ts';

export type PeerAnswer = Readonly<Record<string, number | string | readonly number[]>>;

export interface GpuPeer extends Disposable {
  /** Throws what the peer could not do. */
  ask(request: object): Promise<PeerAnswer>;
}

/** The interpreter: `--python`, else AGOGE_PYTHON, else python3. */
export function peerPython(given: string | undefined): string {
  return given ?? process.env['AGOGE_PYTHON'] ?? 'python3';
}

export function openGpuPeer(python: string): GpuPeer {
  const child = spawn(python, [peerScript()], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, HF_HUB_OFFLINE: '1', TRANSFORMERS_VERBOSITY: 'error' },
  });
  const ended = new Promise<never>((_, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the peer (${python}) ended with status ${code}`)));
  });
  ended.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const line = await Promise.race([lines.next(), ended]);
      const answer = JSON.parse(String(line.value)) as PeerAnswer;
      if (answer['error'] !== undefined) throw new Error(String(answer['error']));
      return answer;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** Beside this file, beside the file that it was bundled into, or in the checkout. */
function peerScript(): string {
  const places = [fileURLToPath(new URL('gpu-peer.py', import.meta.url)), inProject('bench/engine/gpu-peer.py')];
  const found = places.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`gpu-peer.py is not beside the bench (${places.join(', ')})`);
  return found;
}

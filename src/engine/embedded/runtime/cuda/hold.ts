/**
 * One run to a card: a file per card names the process that uses it. Batches are cut by free memory, so two runs on one card would
 * change each other's sums, and either may end for lack of memory. Runs that say how much they take (engine.card_memory) share a card with
 * each other, and AGOGE_SHARE_CARD=1 allows anything.
 */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgogeError } from '../../../../core/error.ts';
import type { Card } from './card.ts';

/**
 * Takes the card for this process; throws ENGINE_GPU_BUSY where another one that lives has it. Leaving the process frees it as well. Who
 * `shares` keeps out of a card that is taken and takes none.
 */
export function holdCard(
  { index, identity }: Pick<Card, 'index' | 'identity'>,
  folder = join(tmpdir(), 'agoge-cards'),
  shares = false,
): Disposable {
  if (process.env['AGOGE_SHARE_CARD'] === '1') return { [Symbol.dispose]: () => undefined };
  const path = join(folder, `${identity.replaceAll(/[^\w-]/g, '_')}.pid`);
  mkdirSync(folder, { recursive: true, mode: 0o777 });
  const held = { [Symbol.dispose]: () => rmSync(path, { force: true }) };
  for (;;) {
    if (shares && holderOf(path) === undefined) return { [Symbol.dispose]: () => undefined };
    if (!shares && claim(path)) return held;
    const holder = holderOf(path);
    if (holder === process.pid) return held;
    if (holder !== undefined && lives(holder)) {
      throw new AgogeError(
        'ENGINE_GPU_BUSY',
        `process ${holder} already runs on card ${index}: wait for it, choose another card with CUDA_VISIBLE_DEVICES, or share it: set engine.card_memory for both`,
      );
    }
    rmSync(path, { force: true });
  }
}

/** The file appears whole or not at all, and only where there is none. */
function claim(path: string): boolean {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
    throw thrown;
  } finally {
    rmSync(own, { force: true });
  }
}

function holderOf(path: string): number | undefined {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    return Number.isInteger(holder) && holder > 0 ? holder : undefined;
  } catch {
    return undefined;
  }
}

function lives(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

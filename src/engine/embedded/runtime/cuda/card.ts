/** The cards of this machine, as the driver's own program says (nvidia-smi), and what holds their memory. */
import { spawnSync } from 'node:child_process';
import { AgogeError } from '../../../../core/error.ts';

export interface Card {
  readonly index: number;
  readonly identity: string;
  readonly name: string;
  /** Such as "580.95.05". */
  readonly driver: string;
  /** Compute capability, such as 9.0. */
  readonly capability: number;
  readonly total: number;
  readonly free: number;
  readonly holders: readonly Holder[];
}

/** A process that holds memory of a card. */
export interface Holder {
  readonly process: number;
  readonly name: string;
  readonly bytes: number;
}

const cardColumns = 'index,uuid,name,driver_version,compute_cap,memory.total,memory.free';
const holderColumns = 'gpu_uuid,pid,process_name,used_memory';

/** All cards; none where there is no driver. Throws ENGINE_NO_CARD where the driver is there and does not answer. */
export function cardsHere(): Card[] {
  const listed = ask(`--query-gpu=${cardColumns}`);
  if (listed === undefined) return [];
  const holders = ask(`--query-compute-apps=${holderColumns}`) ?? [];
  return listed.map(([index = '', identity = '', name = '', driver = '', capability = '', total = '', free = '']) => ({
    index: Number(index),
    identity,
    name,
    driver,
    capability: Number(capability),
    total: mebibytes(total),
    free: mebibytes(free),
    holders: holders
      .filter(([card]) => card === identity)
      .map(([, process = '', program = '', used = '']) => ({ process: Number(process), name: program, bytes: mebibytes(used) })),
  }));
}

/** The card that the engine takes: the first of CUDA_VISIBLE_DEVICES, else the first. */
export function chosenCard(cards: readonly Card[], visible = process.env['CUDA_VISIBLE_DEVICES']): Card | undefined {
  if (visible === undefined) return cards[0];
  const first = visible.split(',')[0]?.trim() ?? '';
  return cards.find(({ index, identity }) => first !== '' && (String(index) === first || identity.startsWith(first)));
}

function ask(query: string): string[][] | undefined {
  const { status, stdout, stderr, error } = spawnSync('nvidia-smi', [query, '--format=csv,noheader,nounits'], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  if (error && 'code' in error && error.code === 'ENOENT') return undefined;
  if (status !== 0) {
    const said = [stdout, stderr, error?.message ?? ''].join(' ').trim().split('\n')[0] ?? '';
    throw new AgogeError(
      'ENGINE_NO_CARD',
      `nvidia-smi fails (${said}): load the driver (restart the machine after an update), give --device host, or leave engine.device out`,
    );
  }
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()));
}

/** "[N/A]" and the like count as nothing. */
function mebibytes(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) ? value * 2 ** 20 : 0;
}

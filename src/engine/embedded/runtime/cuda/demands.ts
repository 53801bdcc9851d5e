/** What the engine asks of a card, each with one sentence where it is not met. Pure functions of what card.ts and find.ts found. */
import { AgogeError } from '../../../../core/error.ts';
import { amount } from '../../memory.ts';
import type { Card } from './card.ts';
import type { CudaRuntime } from './find.ts';
import { isMpsServer } from './mps.ts';

/** How the engine computes on a card. */
export type CardNumbers = 'bfloat16' | 'float32' | 'tf32';

/** The oldest driver for each CUDA, and the oldest card its libraries have code for. */
const oldest: Readonly<Record<number, { readonly driver: number; readonly capability: number }>> = {
  12: { driver: 525, capability: 5 },
  13: { driver: 580, capability: 7.5 },
};
const bfloat16Capability = 8;

/** What is not met, most important first; nothing where the card will do. */
export function unmetDemands(card: Card | undefined, runtime: Pick<CudaRuntime, 'cuda'>, numbers: CardNumbers): AgogeError[] {
  if (!card) {
    return [
      new AgogeError(
        'ENGINE_NO_CARD',
        'there is no NVIDIA card here (nvidia-smi names none, or CUDA_VISIBLE_DEVICES hides them): give --device host, leave engine.device out, or run on a machine with a card',
      ),
    ];
  }
  const { driver = 0, capability = 0 } = oldest[runtime.cuda] ?? {};
  const found: AgogeError[] = [];
  if (Number.parseInt(card.driver, 10) < driver) {
    found.push(
      new AgogeError(
        'ENGINE_GPU_DRIVER',
        `the driver ${card.driver} of card ${card.index} is too old for CUDA ${runtime.cuda}: install driver ${driver} or newer`,
      ),
    );
  }
  if (card.capability < capability) {
    found.push(
      new AgogeError(
        'ENGINE_GPU_CARD',
        `card ${card.index} (${card.name}, compute capability ${card.capability}) is too old for CUDA ${runtime.cuda}, which asks for ${capability}: use another card, give --device host, or leave engine.device out`,
      ),
    );
  }
  if (numbers === 'bfloat16' && card.capability < bfloat16Capability) {
    found.push(
      new AgogeError(
        'ENGINE_GPU_NUMBERS',
        `card ${card.index} (${card.name}, compute capability ${card.capability}) does not compute in bfloat16: set engine.numbers=float32`,
      ),
    );
  }
  return found;
}

/** Memory that others hold, in a sentence; undefined where nobody does. What runs under MPS was meant to share the card. */
export function heldByOthers({ index, total, free, holders }: Card): string | undefined {
  const others = holders.filter(({ process: id, name }) => id !== process.pid && !isMpsServer(name));
  if (others.length === 0) return undefined;
  const list = others.map((holder) => `process ${holder.process} (${holder.name}) ${amount(holder.bytes)}`).join(', ');
  return `${amount(free)} of ${amount(total)} are free on card ${index}; ${list}: end it, or choose another card with CUDA_VISIBLE_DEVICES`;
}

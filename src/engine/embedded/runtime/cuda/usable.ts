/** The card that a run would take, or the sentence that says what keeps it from being used. */
import { existsSync } from 'node:fs';
import { cardsHere, chosenCard, type Card } from './card.ts';
import { unmetDemands } from './demands.ts';
import { findCudaRuntime } from './find.ts';

/** Nothing where a container has the driver and not nvidia-smi: then CUDA itself decides. Nothing is loaded. */
export function usableCard(): Card | undefined {
  const card = chosenCard(cardsHere());
  if (!card && ['/dev/nvidiactl', '/dev/nvidia0', '/dev/dxg'].some((path) => existsSync(path))) return undefined;
  const [lack] = unmetDemands(card, card ? findCudaRuntime() : { cuda: 13 }, 'float32');
  if (lack) throw lack;
  return card;
}

/** Where the runs of a study were made and with what: each says its own, since a study may go on elsewhere. */
import { cpus } from 'node:os';
import { cardsHere, chosenCard } from '../engine/embedded/runtime/cuda/card.ts';
import type { RunInfo } from '../run/layout.ts';

/** Of a run that has just ended here. */
export function madeOn({ device, versions }: Pick<RunInfo, 'device' | 'versions'>, cards = cardsHere): string {
  const [processor] = cpus();
  const card = device?.startsWith('host') === false ? [device.replace(/^cuda/, (name) => nameOfCard(cards) ?? name)] : [];
  const versionTexts = Object.entries(versions).map((pair) => pair.join(' '));
  return [...card, `${cpus().length} × ${processor?.model ?? 'an unknown processor'}`, ...versionTexts].join(', ');
}

/** A driver that does not answer any more costs no result. */
function nameOfCard(cards: typeof cardsHere): string | undefined {
  try {
    return chosenCard(cards())?.name;
  } catch {
    return undefined;
  }
}

/** Of all runs; those of earlier versions do not say it. */
export function madeOnText(runs: readonly (string | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const place of runs.map((one) => one ?? 'a machine that was not written down'))
    counts.set(place, (counts.get(place) ?? 0) + 1);
  if (counts.size === 1) return `Made on ${[...counts.keys()].join('')}.`;
  const places = [...counts].toSorted(([, a], [, b]) => b - a);
  return `Made on ${places.map(([place, n]) => `${place} (${n} ${n === 1 ? 'run' : 'runs'})`).join('; ')}.`;
}

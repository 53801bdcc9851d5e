/** AgentGym's sentences about what is in sight, byte for byte (the double blanks are theirs). */
import type { Thing } from '../world/things.ts';
import type { Seen, Sight } from './sight.ts';

export function describe({ things, barrier }: Sight, carrying: Thing | null): string {
  const counts = new Map<string, number>();
  const sentences = things
    .filter(({ kind }) => kind !== 'wall')
    .map((thing) => `There is a ${thing.name} ${countUp(counts, thing.name)} ${whereabouts(thing)}  `);
  const seen =
    things.length > 0
      ? `In front of you in this room, you can see several objects: ${sentences.join('')}`
      : 'You cannot see any objects within sight.';
  const facing = barrier ? `You are facing a ${barrier.kind} ${barrier.ahead} steps away. ` : '';
  const hand = carrying ? `You are carrying a ${carrying.colour} ${carrying.kind}.` : 'You are not carrying anything.';
  return `${seen}The room has walls around you. ${facing}${hand}`;
}

/** Counts equal names from 1. */
export function countUp(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

/** The goal as AgentGym words it: every "then" and "after you" becomes "and". */
export function goalOf(mission: string): string {
  return mission.replaceAll('then', 'and').replaceAll('after you', 'and');
}

/** The list that the newer text variant adds to each observation. */
export function listOf(actions: Iterable<string>): string {
  return `\nAvailable actions: [${[...actions].map((action) => `"${action}"`).join(', ')}]`;
}

function whereabouts({ ahead, right }: Seen): string {
  if (right === 0) return `right in front of you ${ahead} steps away.`;
  return `${ahead} steps in front of you and ${Math.abs(right)} steps to your ${right > 0 ? 'right' : 'left'}.`;
}

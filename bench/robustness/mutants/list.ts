/** All changes, each with an id that stays the same as long as the change does. */
import { createHash } from 'node:crypto';
import { agent } from './agent.ts';
import type { Change } from './change.ts';
import { data } from './data.ts';
import { evaluation } from './eval.ts';
import { gym } from './gym.ts';
import { rewards } from './rewards.ts';
import { run } from './run.ts';
import { train } from './train.ts';

export interface Mutant extends Change {
  readonly id: string;
  readonly room: string;
}

const rooms: Readonly<Record<string, readonly Change[]>> = { agent, train, run, eval: evaluation, gym, rewards, data };

export const mutants: readonly Mutant[] = Object.entries(rooms).flatMap(([room, changes]) =>
  changes.map((change) => {
    const hash = createHash('sha256').update([change.file, change.from, change.to].join('\0')).digest('hex').slice(0, 6);
    return { ...change, room, id: `${room}-${hash}` };
  }),
);

/** Those of the rooms, ids or `room:12` (from the twelfth on) that were asked for; all of them where nothing was. */
export function chosen(asked: readonly string[]): readonly Mutant[] {
  if (asked.length === 0) return mutants;
  return asked.flatMap((word) => {
    const [name, from = '1'] = word.split(':');
    const found = Object.hasOwn(rooms, name ?? '')
      ? mutants.filter(({ room }) => room === name).slice(Number(from) - 1)
      : mutants.filter(({ id }) => id === name);
    if (found.length === 0)
      throw new Error(`there is no room and no change "${word}": rooms are ${Object.keys(rooms).join(', ')}`);
    return found;
  });
}

/**
 * The same news in fewer words, for small policies: a third of the tokens, and names stand right after what they are about. It
 * says nothing that the full text does not say; the blind expert reads both.
 *
 *   Room: cabinet 4, countertop 2, fridge 1          countertop 1: apple 1, mug 2        took mug 2
 *   Task: heat mug, cabinet                          cabinet 1: closed                   heat mug 2
 */
import type { Aim } from './world/aim.ts';
import { kindOfName, listOf, numberOf } from './names.ts';

/** The first text: how many of each kind of furniture there are, and the task in key words where it is one of the six kinds. */
export function shortOpening(opening: string, aim: Aim | undefined): string {
  const [room = '', task = ''] = opening.split('\nYour task is to: ');
  const names = listOf(/ you see (.*)\.$/.exec(room)?.[1] ?? 'nothing');
  const counts = new Map<string, number>();
  for (const name of names) counts.set(kindOfName(name), Math.max(counts.get(kindOfName(name)) ?? 0, numberOf(name)));
  const furniture = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
  return `Room: ${furniture}\nTask: ${aim ? keyWords(aim) : task}`;
}

/** What came of an action. Texts without a short form stay as they are. */
export function shortTold(told: string): string {
  for (const [pattern, short] of forms) {
    const match = pattern.exec(told);
    if (match) return short(match[1] ?? '', match[2] ?? '');
  }
  return told;
}

/** `cabinet 2, fridge 1` → `cabinet 2`, `cabinet 1`, `fridge 1`. */
export function furnitureOf(counts: string): string[] {
  return counts
    .split(', ')
    .flatMap((name) => Array.from({ length: numberOf(name) }, (_, below) => `${kindOfName(name)} ${numberOf(name) - below}`));
}

function keyWords({ object, count, change, receptacle, lamp }: Aim): string {
  const verb = lamp === undefined ? (count === 2 ? 'two' : (change ?? 'put')) : 'look';
  return `${verb} ${object}, ${receptacle ?? lamp ?? ''}`;
}

const forms: readonly (readonly [RegExp, (first: string, second: string) => string])[] = [
  [/On the ([^,.]*), you see (.*)\.$/, (name, list) => `${name}: ${plain(list)}`],
  [/The ([^.]*) is open\. In it, you see (.*)\.$/, (name, list) => `${name}: ${plain(list)}`],
  [/The ([^.]*) is closed\.$/, (name) => `${name}: closed`],
  [/^You close the (.*)\.$/, (name) => `${name}: closed`],
  [/^You pick up the (.*) from the /, (object) => `took ${object}`],
  [/^You (?:put|move) the (.*) (?:in\/on|to) the /, (object) => `put ${object}`],
  [/^You (clean|heat|cool) the (.*) using the /, (verb, object) => `${verb} ${object}`],
  [/^You turn on the (.*)\.$/, (object) => `on ${object}`],
  [/^Nothing happens\.$/, () => 'nothing happens'],
];

function plain(list: string): string {
  return listOf(list).join(', ') || 'nothing';
}

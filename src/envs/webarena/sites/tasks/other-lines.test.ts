import { expect, test } from 'vitest';
import { Random } from '../../../../core/random/random.ts';
import { webArena } from '../../webarena.ts';
import { places } from '../content/places.ts';
import { otherLine } from './other-lines.ts';

interface Played {
  readonly objective: string;
  readonly page: string;
  readonly answer: string;
  readonly solved: boolean;
}

async function plays(count: number, share: number, otherLines = '0.6'): Promise<readonly Played[]> {
  const environment = await webArena({ text: 'short', sites: 'map,wikipedia', longest: '3', other_lines: otherLines });
  const played: Played[] = [];
  for (let at = 0; at < count; at++) {
    const { episode, expert } = await environment.practice(Random.of(3, 'other-lines', at), share);
    let page = episode.observation;
    for (;;) {
      const action = expert.next(page) ?? '';
      const step = await episode.step(action);
      if (step.done) {
        const [, answer = ''] = /^stop \[(.*)\]$/.exec(action) ?? [];
        played.push({ objective: page.slice(page.lastIndexOf('\n') + 1), page, answer, solved: step.success === true });
        break;
      }
      page = step.observation;
    }
  }
  return played;
}

const all = await plays(240, 1);
const asks = /^What is the (.+) of (.+)\?$/;

test('generated plays ask for many lines of a place, each beside others, and the answer stands in the line that was asked for', () => {
  expect(all.every(({ solved }) => solved)).toBe(true);
  const asked = all.filter(({ objective }) => asks.test(objective) && !objective.startsWith('What is the address of '));
  expect(asked.length).toBeGreaterThan(30);
  expect(new Set(asked.map(({ objective }) => asks.exec(objective)?.[1])).size).toBeGreaterThan(20);
  for (const { page, answer } of asked) {
    const lines = page.split('\n').filter((line) => line.includes(' | '));
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => line.endsWith(` | ${answer}`)).length).toBeGreaterThan(0);
    expect(lines.some((line) => line.startsWith('Phone | '))).toBe(false);
  }
  // Where the asked line stands tells nothing.
  const places = asked.map(({ page, answer }) => page.split('\n').findIndex((line) => line.endsWith(` | ${answer}`)));
  expect(new Set(places).size).toBeGreaterThan(3);
});

test('phone numbers stay unseen: never asked for, never the answer, and no other line is like them', async () => {
  const phones = new Set(places.map(({ phone }) => phone));
  for (const { objective, answer } of [...all, ...(await plays(40, 0))]) {
    expect(objective).not.toMatch(/phone|\bfax\b|\bcall\b/i);
    expect(phones.has(answer)).toBe(false);
    expect(answer).not.toMatch(/^\d{3} \d{4}$/);
  }
});

test('without the setting, and of what shows no place in short, nothing is rewritten', async () => {
  for (const { objective } of await plays(60, 1, '0')) expect(objective).not.toMatch(/^What is the (?!address)/);

  for (const first of ['In which year was Foo built?', 'OBJECTIVE: When is The Anchor open?\nPREVIOUS ACTION: None', ''])
    for (let at = 0; at < 20; at++) expect(otherLine(first, 1, Random.of(at))).toBeUndefined();
});

/**
 * Tasks of the shipped sites made easier, for a curriculum: of every page only a share of the lines is shown besides those that the
 * expert needs, and mostly under other names, so that looking a thing up and copying it is learned before long pages are, and nothing
 * can be learned by heart; where the settings say so, some ask for a line that no site has (other-lines.ts). The play itself is the real one; only what is read and said
 * of it is rewritten.
 */
import type { Random } from '../../../../core/random/random.ts';
import type { Episode, Expert, Step } from '../../../environment.ts';
import { articles } from '../content/articles.ts';
import { people } from '../content/people.ts';
import { kinds, places } from '../content/places.ts';
import { products } from '../content/products.ts';
import { otherLine, type Rewriting } from './other-lines.ts';

/** Of four plays, so many are under other names. */
const RENAMED = 0.75;

const asItIs: Rewriting = { page: (observation) => observation, action: (action) => action };

export interface Practice {
  readonly episode: Episode;
  readonly expert: Expert;
}

export interface PracticeOptions {
  /** Of the lines that are not needed, so many are shown: 0 shows what is needed, 1 whole pages. */
  readonly share: number;
  /** Share of the plays that ask a place's page for a line that no site has. */
  readonly otherLines: number;
  readonly random: Random;
}

export function practicePlay(inner: Episode, solver: Expert, { share, otherLines, random }: PracticeOptions): Practice {
  const rename = random.float() < RENAMED ? renaming(random) : (text: string): string => text;
  const { page, action } = otherLine(inner.observation, otherLines, random.split('other line')) ?? asItIs;
  let played: string | null = null;
  const tell = (observation: string): string => {
    played = solver.next(observation);
    return rename(abridged(page(observation), action(played ?? ''), share, random));
  };
  const episode: Episode = {
    observation: tell(inner.observation),
    get state() {
      return inner.state;
    },
    async step(): Promise<Step> {
      const step = await inner.step(played ?? 'stop []');
      return { ...step, observation: step.done ? step.observation : tell(step.observation) };
    },
    [Symbol.asyncDispose]: async () => inner[Symbol.asyncDispose](),
  };
  return { episode, expert: { next: () => played && rename(action(played)) } };
}

/** The first line (title), the last (objective), what the action needs, and a share of the rest. */
function abridged(observation: string, action: string, share: number, random: Random): string {
  const lines = observation.split('\n');
  const [, said = ''] = /^stop \[(.*)\]$/s.exec(action) ?? [];
  const [, id = ''] = /^\w+ \[(\d+)\]/.exec(action) ?? [];
  const needed = (line: string): boolean =>
    said === ''
      ? line.startsWith(`[${id}] `) || line.includes(` | [${id}] `)
      : line.includes(said) || line.startsWith(`${said} `);
  const kept = lines.filter(
    (line, at) => at === 0 || at === lines.length - 1 || needed(line) || line.includes('] textbox ') || random.float() < share,
  );
  return kept.join('\n');
}

/** Names, kinds, hours, years and other facts change places among their like, and houses their numbers. */
function renaming(random: Random): (text: string) => string {
  const others = new Map<string, string>();
  for (const names of interchangeable()) {
    const fresh = [...new Set(names)].filter((name) => !others.has(name));
    const shuffled = random.shuffle(fresh);
    fresh.forEach((name, at) => others.set(name, shuffled[at] ?? name));
  }
  const known = [...others.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${known.join('|')})(?![A-Za-z0-9])`, 'g');
  const streets = places.map(({ street }) => ` ${street}`);
  // Other short numbers may be those of elements.
  const isOther = (name: string, after: string): boolean =>
    /^\d{1,3}$/.test(name) && !streets.some((street) => after.startsWith(street));
  return (text) =>
    text.replace(pattern, (name, at: number) =>
      isOther(name, text.slice(at + name.length)) ? name : (others.get(name) ?? name),
    );
}

/** Lists of texts that may stand for each other. A text that is in several belongs to the first. */
function interchangeable(): readonly (readonly string[])[] {
  const facts = articles.flatMap((article) => article.facts);
  return [
    articles.map(({ title }) => title),
    places.map(({ name }) => name),
    products.map(({ name }) => name),
    people.map(({ name }) => name),
    places.map(({ street }) => street),
    places.map(({ number }) => String(number)),
    places.map(({ hours }) => hours),
    kinds,
    facts.flatMap(([, value]) => (/^\d{4}$/.test(value) ? [value] : [])),
    ...[...new Set(facts.map(([label]) => label))].map((label) => facts.flatMap(([of, value]) => (of === label ? [value] : []))),
  ];
}

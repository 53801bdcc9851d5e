/** The map: lists of places, the way from one to another, and what a place says. */
import { describe, expect, it } from 'vitest';
import { kinds, places, route, streets, type Place } from '../content/places.ts';
import { everyPage, see } from '../visited.fixture.ts';

const names = (path: string): string[] => everyPage('map', path, (seen) => seen.all('h3')).flat();
const place = (name: string): Place => {
  const found = places.find((one) => one.name === name);
  if (!found) throw new RangeError(`no place ${name}`);
  return found;
};

describe('lists', () => {
  it.each(kinds)('/kind/%s has all places of that kind', (kind) => {
    expect(names(`/kind/${kind}`)).toEqual(places.filter((one) => one.kind === kind).map(({ name }) => name));
  });

  it.each(['pharmacy', 'mill street', 'Lighthouse museum', 'volcano'])(
    'a search for %j looks at name, kind and address',
    (question) => {
      const words = question.toLowerCase().split(' ');
      const fits = places.filter((one) =>
        words.every((word) => `${one.name} ${one.kind} ${one.number} ${one.street}`.toLowerCase().includes(word)),
      );
      const path = `/search?q=${encodeURIComponent(question)}`;
      expect(names(path)).toEqual(fits.map(({ name }) => name));
      expect(see('map', path).all('.line')).toEqual([fits.length === 1 ? '1 place' : `${fits.length} places`]);
    },
  );

  it('what is not on the map is not found', () => {
    for (const path of ['/kind/volcano', '/place/atlantis', '/x']) expect(see('map', path).status).toBe(404);
  });
});

describe('the way', () => {
  const pairs = places.slice(0, 12).flatMap((a, i) => places.slice(i + 1, 12).map((b) => [a, b] as const));

  it('is as long back as there, and never shorter than straight on', () => {
    for (const [a, b] of pairs) {
      const there = route(a, b, 'foot');
      expect(route(b, a, 'foot').metres, `${a.name} to ${b.name}`).toBe(there.metres);
      // Places stand up to four units beside their street.
      const straight = 10 * Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
      expect(there.metres).toBeGreaterThanOrEqual(straight - 81);
    }
  });

  it('is the shortest: no stop on the way makes it shorter', () => {
    for (const [a, b] of pairs.slice(0, 12))
      for (const stop of places.slice(12, 16))
        expect(route(a, b, 'foot').metres).toBeLessThanOrEqual(route(a, stop, 'foot').metres + route(stop, b, 'foot').metres + 2);
  });

  it('begins in the street of one place, ends in that of the other, and turns only where streets meet', () => {
    const touching = (one: string, other: string): boolean => {
      const [a, b] = [one, other].map((name) => streets.find((street) => street.name === name));
      if (!a || !b) return false;
      const steps = (street: typeof a) =>
        Array.from({ length: 201 }, (_, i) =>
          [0, 1].map((axis) => (street.from[axis] ?? NaN) + (((street.to[axis] ?? NaN) - (street.from[axis] ?? NaN)) * i) / 200),
        );
      const points = steps(b);
      return steps(a).some(([x = NaN, y = NaN]) => points.some(([u = NaN, v = NaN]) => Math.hypot(x - u, y - v) < 1.3));
    };
    const turns = new Set<string>();
    for (const [a, b] of pairs) {
      const { streets: along } = route(a, b, 'foot');
      expect([along[0], along.at(-1)]).toEqual([a.street, b.street]);
      along.slice(1).forEach((street, i) => turns.add([along[i] ?? '', street].sort().join(' / ')));
    }
    for (const turn of turns) expect(touching(...(turn.split(' / ') as [string, string])), turn).toBe(true);
  });

  it.each([
    ['foot', 80],
    ['bike', 230],
    ['car', 500],
  ] as const)('by %s it takes a minute for %d metres, at least one', (mode, speed) => {
    for (const [a, b] of pairs) {
      const { metres, minutes } = route(a, b, mode);
      expect(minutes).toBe(Math.max(1, Math.round(metres / speed)));
    }
  });
});

describe('pages', () => {
  const asked = (from: string, to: string, mode = 'bike') =>
    see('map', `/directions?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&mode=${mode}`);

  it('directions are given between names in any case, with distance, time and streets', () => {
    const [a, b] = [place('The Anchor'), place('Town Hall')];
    const way = route(a, b, 'bike');
    const seen = asked(' the anchor', 'TOWN HALL ');
    expect(seen.fact('Distance')).toBe(way.metres < 1000 ? `${way.metres} m` : `${(way.metres / 1000).toFixed(1)} km`);
    expect(seen.fact('Time')).toBe(way.minutes === 1 ? '1 minute' : `${way.minutes} minutes`);
    expect(seen.all('.steps')).toEqual([way.streets.map((street) => `Follow ${street}`).join(' ')]);
    expect(asked('The Anchor', 'Town Hall', 'rocket').fact('Time')).toBe(asked('The Anchor', 'Town Hall', 'foot').fact('Time'));
  });

  it('a name that is not there is said, and no way is shown', () => {
    const seen = asked('Atlantis', 'Town Hall');
    expect(seen.all('.wrong')).toEqual(['There is no place called "Atlantis".']);
    expect(seen.fact('Distance')).toBeUndefined();
    expect(asked('', '').all('.wrong')).toEqual([]);
  });

  it('a place tells its address and hours, and the three nearest on foot', () => {
    const one = place('Harbour Museum');
    const seen = see('map', `/place/${one.id}`);
    expect([seen.fact('Address'), seen.fact('Open')]).toEqual([`${one.number} ${one.street}`, one.hours]);
    const lengths = places
      .filter((other) => other !== one)
      .map((other) => route(one, other, 'foot').metres)
      .sort((a, b) => a - b);
    const shown = seen.links
      .filter((href) => href.startsWith('/place/'))
      .map((href) => route(one, places.find(({ id }) => href.endsWith(`/${id}`)) ?? one, 'foot').metres);
    expect(shown).toEqual(lengths.slice(0, 3));
  });
});

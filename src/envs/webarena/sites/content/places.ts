/** Merrow Bay as a map knows it: streets, and the places that stand on them. One unit is ten metres; the town is 320 by 180. */
import { at } from '../../../../core/at.ts';
import { Random } from '../../../../core/random/random.ts';

export interface Street {
  readonly name: string;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

export interface Place {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly street: string;
  readonly number: number;
  readonly at: readonly [number, number];
  readonly hours: string;
  readonly phone: string;
}

export const streets: readonly Street[] = [
  { name: 'Quay Street', from: [20, 140], to: [200, 140] },
  { name: 'Ferry Road', from: [200, 140], to: [300, 110] },
  { name: 'Mill Street', from: [60, 20], to: [60, 140] },
  { name: 'Tannery Row', from: [60, 100], to: [150, 100] },
  { name: 'Chapel Hill', from: [150, 20], to: [150, 140] },
  { name: 'Orchard Lane', from: [60, 50], to: [240, 50] },
  { name: 'Garden Walk', from: [200, 50], to: [200, 140] },
  { name: 'Lighthouse Road', from: [240, 50], to: [305, 20] },
];

const rows = `
Merrow Bay Library|library|Chapel Hill|10:00-18:00
Lighthouse Museum|museum|Lighthouse Road|11:00-16:00
Harbour Museum|museum|Quay Street|10:00-17:00
The Anchor|pub|Quay Street|16:00-23:00
The Copper Kettle|cafe|Mill Street|08:00-17:00
Conti Roasters|cafe|Tannery Row|07:00-15:00
Orchard Tea Room|cafe|Orchard Lane|09:00-18:00
Pier View Cafe|cafe|Quay Street|09:00-19:00
Fernhill Market|shop|Mill Street|09:00-18:00
Bay Foundry|shop|Tannery Row|08:00-16:00
Chapel Hill Pottery|shop|Chapel Hill|10:00-17:00
Harbour Sail Loft|shop|Ferry Road|08:00-17:00
Ferry Terminal|transport|Ferry Road|05:30-23:00
Central Bus Station|transport|Mill Street|05:00-23:30
Lighthouse Stop|transport|Lighthouse Road|all day
Garden Walk School|school|Garden Walk|08:00-16:00
Merrow Bay College|school|Orchard Lane|08:00-20:00
St Brannoc Chapel|church|Chapel Hill|09:00-18:00
Merrow Bay Hospital|hospital|Orchard Lane|all day
Quay Street Pharmacy|pharmacy|Quay Street|09:00-19:00
Orchard Pharmacy|pharmacy|Orchard Lane|08:30-18:30
Garden Walk Surgery|doctor|Garden Walk|08:00-17:00
North Pier|sight|Quay Street|all day
Mill Pond Park|park|Mill Street|all day
Garden Walk Allotments|park|Garden Walk|all day
Ferry Road Playground|park|Ferry Road|all day
Town Hall|office|Chapel Hill|09:00-16:00
Post Office|office|Mill Street|09:00-17:30
Harbour Hotel|hotel|Quay Street|all day
Orchard Inn|hotel|Orchard Lane|all day
Lighthouse Rooms|hotel|Lighthouse Road|all day
Tannery Row Cinema|cinema|Tannery Row|14:00-23:30
Mill Street Bakery|bakery|Mill Street|06:00-14:00
Ferry Road Bakery|bakery|Ferry Road|06:30-15:00
The Crab Pot|restaurant|Quay Street|12:00-22:00
Fennel and Salt|restaurant|Chapel Hill|17:00-22:30
Noodle Lane|restaurant|Tannery Row|11:30-21:30
Bay Savings Bank|bank|Mill Street|09:00-16:00
Harbour Credit Union|bank|Quay Street|09:30-16:30
`;

export const places: readonly Place[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [name = '', kind = '', streetName = '', hours = ''] = row.split('|');
    const random = Random.of(21, 'place', name);
    const street = streets.find((one) => one.name === streetName);
    if (!street) throw new RangeError(`no street is called ${streetName}`);
    const along = random.between(6, 94) / 100;
    const side = random.below(2) === 0 ? -4 : 4;
    const [[x1, y1], [x2, y2]] = [street.from, street.to];
    const flat = Math.abs(x2 - x1) > Math.abs(y2 - y1);
    const at = [x1 + (x2 - x1) * along + (flat ? 0 : side), y1 + (y2 - y1) * along + (flat ? side : 0)] as const;
    return {
      id: name.toLowerCase().replace(/[^a-z]+/g, '-'),
      name,
      kind,
      street: streetName,
      number: 1 + Math.round(along * 60),
      at: [Math.round(at[0]), Math.round(at[1])] as const,
      hours,
      phone: `555 01${String(random.between(10, 99))}`,
    };
  });

export const kinds: readonly string[] = [...new Set(places.map(({ kind }) => kind))].sort();

export const travelModes = { car: 500, bike: 230, foot: 80 } as const;
export type TravelMode = keyof typeof travelModes;

export interface Route {
  readonly metres: number;
  readonly minutes: number;
  readonly streets: readonly string[];
  readonly path: readonly (readonly [number, number])[];
}

/** The way along the streets: both ends walk to their street, then the shortest way over the corners where streets meet. */
export function route(from: Place, to: Place, mode: TravelMode): Route {
  const corners = new Map<string, { at: readonly [number, number]; streets: Set<string> }>();
  for (const a of streets)
    for (const b of streets) {
      const point = meeting(a, b);
      if (a === b || !point) continue;
      const key = point.join(',');
      const corner = corners.get(key) ?? { at: point, streets: new Set<string>() };
      corner.streets.add(a.name).add(b.name);
      corners.set(key, corner);
    }
  const nodes = [
    { at: foot(from), streets: new Set([from.street]) },
    { at: foot(to), streets: new Set([to.street]) },
    ...corners.values(),
  ];
  const best = nodes.map(() => Infinity);
  const before: number[] = nodes.map(() => -1);
  const left = new Set(nodes.keys());
  best[0] = 0;
  while (left.size > 0) {
    const here = [...left].reduce((a, b) => ((best[b] ?? Infinity) < (best[a] ?? Infinity) ? b : a));
    left.delete(here);
    const node = nodes[here];
    if (!node) continue;
    for (const there of left) {
      const other = nodes[there];
      if (!other || ![...node.streets].some((name) => other.streets.has(name))) continue;
      const length = (best[here] ?? Infinity) + distance(node.at, other.at);
      if (length < (best[there] ?? Infinity) - 1e-9) {
        best[there] = length;
        before[there] = here;
      }
    }
  }
  const steps = [1];
  for (let last = at(before, 1); last !== -1; last = at(before, last)) steps.unshift(last);
  const names: string[] = [];
  for (let step = 1; step < steps.length; step++) {
    const [a, b] = [at(nodes, at(steps, step - 1)), at(nodes, at(steps, step))];
    const name = [...a.streets].find((one) => b.streets.has(one));
    if (name !== undefined && names.at(-1) !== name) names.push(name);
  }
  const metres = Math.round(at(best, 1) * 10);
  return {
    metres,
    minutes: Math.max(1, Math.round(metres / travelModes[mode])),
    streets: names.length > 0 ? names : [from.street],
    path: steps.map((step) => at(nodes, step).at),
  };
}

function distance(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** Where a place meets its street. */
function foot(place: Place): readonly [number, number] {
  const street = streets.find(({ name }) => name === place.street);
  if (!street) return place.at;
  const [x1, y1] = street.from;
  const [dx, dy] = [street.to[0] - x1, street.to[1] - y1];
  const t = ((place.at[0] - x1) * dx + (place.at[1] - y1) * dy) / (dx * dx + dy * dy);
  return [x1 + dx * t, y1 + dy * t];
}

function meeting(a: Street, b: Street): readonly [number, number] | undefined {
  const [d1x, d1y] = [a.to[0] - a.from[0], a.to[1] - a.from[1]];
  const [d2x, d2y] = [b.to[0] - b.from[0], b.to[1] - b.from[1]];
  const cross = d1x * d2y - d1y * d2x;
  if (cross === 0) return undefined;
  const [ex, ey] = [b.from[0] - a.from[0], b.from[1] - a.from[1]];
  const t = (ex * d2y - ey * d2x) / cross;
  const u = (ex * d1y - ey * d1x) / cross;
  if (t < 0 || t > 1 || u < 0 || u > 1) return undefined;
  return [a.from[0] + d1x * t, a.from[1] + d1y * t];
}

/** Places of the weather world: cities with their coordinates, metres above the sea and country, and as many invented ones. */
import { Random } from '../../../core/random/random.ts';
import type { Side } from '../core/kit.ts';

export interface Place {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation: number;
  readonly country: string;
}

const cities: readonly (readonly [string, number, number, number, string])[] = [
  ['New York', 40.71427, -74.00597, 10, 'US'],
  ['Chicago', 41.85003, -87.65005, 179, 'US'],
  ['Denver', 39.73915, -104.9847, 1609, 'US'],
  ['Miami', 25.77427, -80.19366, 25, 'US'],
  ['Seattle', 47.60621, -122.33207, 56, 'US'],
  ['Boston', 42.35843, -71.05977, 38, 'US'],
  ['Houston', 29.76328, -95.36327, 30, 'US'],
  ['Phoenix', 33.44838, -112.07404, 366, 'US'],
  ['Anchorage', 61.21806, -149.90028, 31, 'US'],
  ['Honolulu', 21.30694, -157.85833, 18, 'US'],
  ['Toronto', 43.70011, -79.4163, 175, 'CA'],
  ['Vancouver', 49.24966, -123.11934, 70, 'CA'],
  ['Montreal', 45.50884, -73.58781, 216, 'CA'],
  ['Mexico City', 19.42847, -99.12766, 2240, 'MX'],
  ['Havana', 23.13302, -82.38304, 59, 'CU'],
  ['Bogota', 4.60971, -74.08175, 2582, 'CO'],
  ['Lima', -12.04318, -77.02824, 154, 'PE'],
  ['Santiago', -33.45694, -70.64827, 556, 'CL'],
  ['Buenos Aires', -34.61315, -58.37723, 31, 'AR'],
  ['Rio de Janeiro', -22.90642, -43.18223, 13, 'BR'],
  ['London', 51.50853, -0.12574, 25, 'GB'],
  ['Edinburgh', 55.95206, -3.19648, 76, 'GB'],
  ['Dublin', 53.33306, -6.24889, 17, 'IE'],
  ['Paris', 48.85341, 2.3488, 42, 'FR'],
  ['Madrid', 40.4165, -3.70256, 665, 'ES'],
  ['Lisbon', 38.71667, -9.13333, 45, 'PT'],
  ['Rome', 41.89193, 12.51133, 20, 'IT'],
  ['Berlin', 52.52437, 13.41053, 74, 'DE'],
  ['Munich', 48.13743, 11.57549, 524, 'DE'],
  ['Vienna', 48.20849, 16.37208, 171, 'AT'],
  ['Zurich', 47.36667, 8.55, 429, 'CH'],
  ['Prague', 50.08804, 14.42076, 202, 'CZ'],
  ['Warsaw', 52.22977, 21.01178, 113, 'PL'],
  ['Oslo', 59.91273, 10.74609, 26, 'NO'],
  ['Stockholm', 59.32938, 18.06871, 17, 'SE'],
  ['Helsinki', 60.16952, 24.93545, 26, 'FI'],
  ['Reykjavik', 64.13548, -21.89541, 37, 'IS'],
  ['Athens', 37.98376, 23.72784, 42, 'GR'],
  ['Istanbul', 41.01384, 28.94966, 39, 'TR'],
  ['Moscow', 55.75222, 37.61556, 144, 'RU'],
  ['Cairo', 30.06263, 31.24967, 23, 'EG'],
  ['Nairobi', -1.28333, 36.81667, 1684, 'KE'],
  ['Addis Ababa', 9.02497, 38.74689, 2405, 'ET'],
  ['Cape Town', -33.92584, 18.42322, 25, 'ZA'],
  ['Lagos', 6.45407, 3.39467, 11, 'NG'],
  ['Dubai', 25.07725, 55.30927, 24, 'AE'],
  ['Tehran', 35.69439, 51.42151, 1179, 'IR'],
  ['Delhi', 28.65195, 77.23149, 227, 'IN'],
  ['Mumbai', 19.07283, 72.88261, 14, 'IN'],
  ['Kathmandu', 27.70169, 85.3206, 1337, 'NP'],
  ['Bangkok', 13.75398, 100.50144, 12, 'TH'],
  ['Singapore', 1.28967, 103.85007, 15, 'SG'],
  ['Hanoi', 21.0245, 105.84117, 19, 'VN'],
  ['Beijing', 39.9075, 116.39723, 49, 'CN'],
  ['Shanghai', 31.22222, 121.45806, 12, 'CN'],
  ['Lhasa', 29.65, 91.1, 3651, 'CN'],
  ['Seoul', 37.566, 126.9784, 38, 'KR'],
  ['Tokyo', 35.6895, 139.69171, 44, 'JP'],
  ['Sydney', -33.86785, 151.20732, 58, 'AU'],
  ['Auckland', -36.84853, 174.76349, 26, 'NZ'],
];

const starts = [
  'Ald',
  'Bren',
  'Cor',
  'Dun',
  'Elm',
  'Fen',
  'Gar',
  'Hol',
  'Ives',
  'Kes',
  'Lor',
  'Mar',
  'Nor',
  'Ost',
  'Pel',
  'Quor',
  'Ros',
  'Sten',
  'Tor',
  'Wyn',
];
const ends = ['bridge', 'dale', 'ford', 'haven', 'mere', 'mouth', 'stead', 'wick', 'minster', 'gate'];

const invented: readonly Place[] = starts.flatMap((start, row) =>
  [0, 1, 2].map((turn) => {
    const random = Random.of(29, 'place', row, turn);
    const round = (value: number): number => Math.round(value * 1e5) / 1e5;
    return {
      name: `${start}${ends[(row * 3 + turn * 7) % ends.length] ?? ''}`,
      latitude: round(random.float() * 130 - 60),
      longitude: round(random.float() * 350 - 175),
      elevation: Math.round(2400 * random.float() ** 3) + 2,
      country: random.pick(['US', 'CA', 'GB', 'AU', 'NZ', 'ZA']),
    };
  }),
);

export const places: readonly Place[] = [
  ...cities.map(([name, latitude, longitude, elevation, country]) => ({ name, latitude, longitude, elevation, country })),
  ...invented.filter(({ name }, at) => invented.findIndex((other) => other.name === name) === at),
];

/** The places that questions of a side are about: one in six is kept for tests, one in six for validation. */
export function placesOf(side: Side): readonly Place[] {
  const kept: Readonly<Record<Side, (rest: number) => boolean>> = {
    test: (rest) => rest === 3,
    validation: (rest) => rest === 5,
    train: (rest) => rest !== 3 && rest !== 5,
  };
  return places.filter((_, at) => kept[side](at % 6));
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf } from '../core/calendar.ts';
import { Declined, Inputs, PythonError } from '../core/kit.ts';
import { isDict, isList, parseLiteral, str, type Value } from '../../../core/python/values.ts';
import { geodesic } from './distance.ts';
import { places, placesOf } from './places.ts';
import { dayAt, elevationAt } from './sky.ts';
import { weatherBox, weatherTools } from './tools.ts';

const box = weatherBox(0, { date: '2023-06-15', location: 'Paris' });

const say = (tool: string, input = '{}'): string => {
  try {
    return str(box.call(tool, new Inputs(parseLiteral(input) ?? null)));
  } catch (error) {
    if (error instanceof PythonError || error instanceof Declined) return error.message;
    throw error;
  }
};
const span = (start: string, end: string): string =>
  `{"latitude": 48.9, "longitude": 2.4, "start_date": "${start}", "end_date": "${end}"}`;

describe('dates', () => {
  it.each([
    ['get_historical_temp', '2023-06-15', '2023-06-14', 'Error: start_date should be earlier than current_date'],
    ['get_historical_rain', '2023-06-01', '2023-06-15', 'Error: end_date should be earlier than current_date'],
    ['get_historical_snow', '2023-07-01', '2023-07-02', 'Error: start_date should be earlier than current_date'],
    ['get_historical_air_quality_index', '2023-06-15', '2023-06-15', 'Error: start_date should be earlier than current_date'],
    ['get_temp_forecast', '2023-06-15', '2023-06-16', 'Error: start_date should be later than current_date'],
    ['get_rain_forecast', '2023-06-16', '2023-06-15', 'Error: end_date should be later than current_date'],
    ['get_snow_forecast', '2023-06-01', '2023-06-30', 'Error: start_date should be later than current_date'],
    ['get_historical_temp', '2023-05-01', '2023-04-01', 'End-date must be larger or equals than start-date'],
    ['get_historical_temp', '2023-05-01', '01.06.2023', "time data '01.06.2023' does not match format '%Y-%m-%d'"],
    ['get_historical_temp', '2023-02-30', '2023-03-01', "time data '2023-02-30' does not match format '%Y-%m-%d'"],
    ['get_historical_temp', '2023-01-01', '2023-02-01', 'we support a maximum time span of 30 days'],
    ['get_temp_forecast', '2023-06-16', '2023-07-17', 'we support a maximum time span of 30 days'],
    // A year of two digits is a year of the first century, not of the last.
    ['get_historical_temp', '0099-01-01', '2023-01-01', 'we support a maximum time span of 30 days'],
  ])('%s from %s to %s: %s', (tool, start, end, answer) => expect(say(tool, span(start, end))).toContain(answer));
  it('are as many as were asked for, both ends among them', () => {
    const found = box.call('get_historical_rain', new Inputs(parseLiteral(span('2023-05-01', '2023-05-31')) ?? null));
    const daily = isDict(found) && isDict(found['daily']) ? found['daily'] : {};
    expect(isList(daily['time']) && daily['time'].length).toBe(31);
    expect(isList(daily['rain_sum']) && daily['rain_sum'].length).toBe(31);
  });
  it.each([
    ['20230601', 'int'],
    ['1.5', 'float'],
    ['None', 'None'],
    ['["2023-06-01"]', 'list'],
  ])('%s is no text for strptime', (value, type) => {
    expect(say('get_historical_temp', `{"latitude": 0, "longitude": 0, "start_date": ${value}, "end_date": "2023-06-01"}`)).toBe(
      `strptime() argument 1 must be str, not ${type}`,
    );
  });
  it('of the user are told', () => {
    expect([say('get_user_current_date'), say('get_user_current_location')]).toEqual(['2023-06-15', 'Paris']);
  });
});

describe('the same weather', () => {
  it('is told whether it is asked for as one day or as many', () => {
    const point = '"latitude": 48.9, "longitude": 2.4';
    const many = say('get_historical_temp', span('2023-06-01', '2023-06-03'));
    const one = say('get_historical_temp', span('2023-06-02', '2023-06-02'));
    const now = say('get_current_temp', `{${point}, "current_date": "2023-06-02"}`);
    const max = (text: string): string[] => (/'temperature_2m_max': \[([^\]]*)\]/.exec(text)?.[1] ?? '').split(', ');
    expect(max(many)[1]).toBe(max(one)[0]);
    expect(now).toBe(one);
  });
  it('has its maximum above its mean above its minimum, and rain or snow, everywhere and always', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.integer({ min: -100_000, max: 100_000 }),
        (latitude, longitude, day) => {
          const { max, mean, min, rain, snow, air } = dayAt(3, latitude, longitude, day);
          expect(max > mean && mean > min).toBe(true);
          expect(rain >= 0 && snow >= 0 && rain * snow === 0).toBe(true);
          expect(Number.isInteger(air) && air >= 3 && air <= 98).toBe(true);
          expect(dayAt(3, latitude, longitude, day)).toEqual({ max, mean, min, rain, snow, air });
        },
      ),
      { seed: 1, numRuns: 50 },
    );
  });
  it('has its seasons the other way round in the south', () => {
    const month = (latitude: number, first: number): number =>
      Array.from({ length: 30 }, (_, day) => dayAt(0, latitude, 10, first + day).mean).reduce((sum, mean) => sum + mean, 0) / 30;
    const [january, july] = [19_358, 19_539];
    expect([dateOf(january), dateOf(july)]).toEqual(['2023-01-01', '2023-07-01']);
    expect(month(50, july)).toBeGreaterThan(month(50, january) + 10);
    expect(month(-50, january)).toBeGreaterThan(month(-50, july) + 10);
  });
});

describe('places', () => {
  it.each([
    ['an unknown one', '{"name": "Atlantis"}', "'results'"],
    ['no name', '{"name": ""}', "'results'"],
    ['blanks', '{"name": "  "}', "'results'"],
    ['a number', '{"name": 5}', "'results'"],
  ])('%s is the original’s KeyError', (_, input, message) => expect(say('get_latitude_longitude', input)).toBe(message));
  it('are found by their names in any letters, the best first, three at most', () => {
    expect(say('get_latitude_longitude', '{"name": " pARis "}')).toMatch(/^\{'results': \[\{'name': 'Paris', 'latitude': 48\./);
    const found = parseLiteral(say('get_latitude_longitude', '{"name": "S"}'));
    const results = isDict(found) && isList(found['results']) ? found['results'] : [];
    expect(results.length).toBe(3);
  });
  it('have names that name one place', () => {
    expect(new Set(places.map(({ name }) => name)).size).toBe(places.length);
    for (const { name, latitude, elevation } of places) {
      const { results } = parseLiteral(say('get_latitude_longitude', `{"name": "${name}"}`)) as { results: { name: Value }[] };
      expect(results[0]?.name, name).toBe(name);
      expect(elevationAt(latitude, places.find((place) => place.name === name)?.longitude ?? NaN)).toBe(elevation);
    }
  });
  it('belong to one side each', () => {
    const names = (['train', 'validation', 'test'] as const).flatMap((side) => placesOf(side).map(({ name }) => name));
    expect([...names].sort()).toEqual(places.map(({ name }) => name).sort());
  });
  it.each([
    ['{"latitude": 91, "longitude": 0}', 'Latitude must be in range of -90 to 90°. Given: 91.0.'],
    ['{"latitude": 0, "longitude": -180.5}', 'Longitude must be in range of -180 to 180°. Given: -180.5.'],
    ['{"latitude": "north", "longitude": 0}', "Invalid latitude: 'north'"],
    ['{"latitude": None, "longitude": 0}', 'Invalid latitude: None'],
  ])('%s is refused as open-meteo refuses', (input, reason) => {
    expect(JSON.parse(say('get_elevation', input))).toEqual({ error: true, reason });
  });
  it('take numbers that are texts', () => {
    expect(say('get_elevation', '{"latitude": "48.85", "longitude": " 2.35 "}')).toBe(
      say('get_elevation', '{"latitude": 48.85, "longitude": 2.35}'),
    );
  });
});

describe('levels of air', () => {
  it.each([
    [0, 'good'],
    [20, 'good'],
    [20.5, 'extremely poor'],
    [21, 'extremely poor'],
    [22, 'fair'],
    [40, 'fair'],
    [41, 'extremely poor'],
    [42, 'moderate'],
    [60, 'moderate'],
    [61, 'extremely poor'],
    [62, 'poor'],
    [80, 'poor'],
    [81, 'extremely poor'],
    [82, 'very poor'],
    [100, 'very poor'],
    [101, 'extremely poor'],
    [-1, 'good'],
  ])('%d is %s', (index, level) => expect(say('get_air_quality_level', `{"air_quality_index": ${index}}`)).toBe(level));
  it.each([
    ['"20"', 'str'],
    ['None', 'NoneType'],
    ['[20]', 'list'],
    ['{}', 'dict'],
  ])('%s cannot be compared', (value, type) => {
    expect(say('get_air_quality_level', `{"air_quality_index": ${value}}`)).toBe(
      `'<=' not supported between instances of '${type}' and 'int'`,
    );
  });
});

describe('distances', () => {
  const between = (one: readonly [unknown, unknown], two: readonly [unknown, unknown]): string =>
    say('get_distance', JSON.stringify({ latitude1: one[0], longitude1: one[1], latitude2: two[0], longitude2: two[1] }));
  it.each([
    ['a degree of the equator', [0, 0, 0, 1], 111.319491],
    ['a degree of latitude at the equator', [0, 0, 1, 0], 110.574389],
    ['a quarter of a meridian', [0, 0, 90, 0], 10_001.965729],
    ['pole to pole', [-90, 0, 90, 0], 20_003.931459],
    ['across the date line', [0, 179.5, 0, -179.5], 111.319491],
    ['one point', [12.5, 99, 12.5, 99], 0],
    ['one pole by two meridians', [90, 10, 90, 100], 0],
  ] as const)('%s', (_, [a, b, c, d], kilometres) => expect(geodesic(a, b, c, d)).toBeCloseTo(kilometres, 5));
  it('are the same both ways, never below 0, never beyond half round the earth', () => {
    const latitude = fc.double({ min: -90, max: 90, noNaN: true });
    const longitude = fc.double({ min: -180, max: 180, noNaN: true });
    fc.assert(
      fc.property(latitude, longitude, latitude, longitude, (a, b, c, d) => {
        const there = geodesic(a, b, c, d);
        expect(there >= 0 && there < 20_040).toBe(true);
        expect(Math.abs(there - geodesic(c, d, a, b))).toBeLessThan(1e-4);
      }),
      { seed: 1 },
    );
  });
  it('go on where Vincenty’s formula does not converge', () => {
    const far = geodesic(0.5, 0, -0.5, 179.7);
    expect(far).toBeGreaterThan(19_900);
    expect(far).toBeLessThan(20_040);
  });
  it('read points as geopy does: longitudes go round, texts are numbers, a latitude outside raises', () => {
    expect(Number(between([0, 190], [0, -169]))).toBeCloseTo(111.319491, 5);
    expect(between(['10', '20'], [10, 21])).toBe(between([10, 20], [10, 21]));
    expect(between([null, null], [0, 0])).toBe('0.0');
    expect(between([91, 0], [0, 0])).toBe('Latitude must be in the [-90; 90] range.');
    expect(between(['north', 0], [0, 0])).toBe("could not convert string to float: 'north'");
    expect(between([[1], 0], [0, 0])).toBe("float() argument must be a string or a real number, not 'list'");
  });
});

it('every tool that is offered answers or refuses, whatever it is given', () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(
      fc.constantFrom(
        'latitude',
        'longitude',
        'start_date',
        'end_date',
        'current_date',
        'name',
        'latitude1',
        'air_quality_index',
      ),
      fc.oneof(fc.constantFrom('2023-06-14', '2023-06-16', 'Paris', '', 1e9, -1), fc.jsonValue({ maxDepth: 1 })),
    ),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom(...weatherTools.map(({ name }) => name)), (given, name) => {
      expect(typeof say(name, JSON.stringify(given))).toBe('string');
    }),
    { seed: 1, numRuns: 150 },
  );
});

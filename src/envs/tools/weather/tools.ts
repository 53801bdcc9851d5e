/** The weather tools: names, checks and shapes of answers as in AgentGym, which asks open-meteo.com; here a sky of our own answers. */
import { dateOf, dayNumber } from '../core/calendar.ts';
import { checkTool, Declined, finishTool, PythonError, tool, type Inputs, type Toolbox, type ToolForm } from '../core/kit.ts';
import { float, numberIn, repr, typeName, type Value } from '../../../core/python/values.ts';
import { geodesic } from './distance.ts';
import { places } from './places.ts';
import { dayAt, elevationAt, type Day } from './sky.ts';

const point = { latitude: 'a number', longitude: 'a number' };
const span = { ...point, start_date: 'YYYY-MM-DD', end_date: 'YYYY-MM-DD, at most 30 days later' };
const today = { ...point, current_date: 'YYYY-MM-DD' };

export const weatherTools: readonly ToolForm[] = [
  tool('get_user_current_date', 'The date of today.'),
  tool('get_user_current_location', 'The city where the user is.'),
  tool('get_historical_temp', 'Temperatures of days before today.', span),
  tool('get_historical_rain', 'Rain of days before today, in millimetres.', span),
  tool('get_historical_snow', 'Snowfall of days before today, in centimetres.', span),
  tool('get_snow_forecast', 'Snowfall of days after today, in centimetres.', span),
  tool('get_current_snow', 'Snowfall of today.', today),
  tool('get_current_temp', 'Temperatures of today.', today),
  tool('get_latitude_longitude', 'Where a place is; the best match comes first.', { name: 'name of the place' }),
  tool('get_elevation', 'Metres above the sea.', point),
  tool('get_temp_forecast', 'Temperatures of days after today.', span),
  tool('get_rain_forecast', 'Rain of days after today, in millimetres.', span),
  tool('get_current_rain', 'Rain of today.', today),
  tool('get_distance', 'Kilometres between two points.', {
    latitude1: 'a number',
    longitude1: 'a number',
    latitude2: 'a number',
    longitude2: 'a number',
  }),
  tool('get_historical_air_quality_index', 'Index of air quality on days before today.', span),
  tool('get_current_air_quality_index', 'Index of air quality today.', today),
  tool('get_air_quality_level', 'The level in words that an index of air quality means.', { air_quality_index: 'a number' }),
  checkTool,
  finishTool,
];

type Kind = 'temp' | 'rain' | 'snow' | 'air_quality_index';

const series: Readonly<Record<Kind, readonly (readonly [key: string, unit: string, of: (day: Day) => Value])[]>> = {
  temp: [
    ['temperature_2m_max', '°C', (day) => float(day.max)],
    ['temperature_2m_min', '°C', (day) => float(day.min)],
    ['temperature_2m_mean', '°C', (day) => float(day.mean)],
  ],
  rain: [['rain_sum', 'mm', (day) => float(day.rain)]],
  snow: [['snowfall_sum', 'cm', (day) => float(day.snow)]],
  air_quality_index: [['european_aqi_pm2_5', 'EAQI', (day) => day.air]],
};

const tooLong =
  'Error: Sorry, at present, we support a maximum time span of 30 days between start_date and end_date in a single query. Your input exceeds this range. You can split your current query into multiple sub-queries that meet our criteria.';

/** Where and when the user is. */
export interface Here {
  readonly date: string;
  readonly location: string;
}

export function weatherBox(seed: number, here: Here): Toolbox {
  const daily = (kind: Kind, input: Inputs, from: string, to: string): Value => {
    const [latitude, longitude] = [coordinate(input, 'latitude', 90), coordinate(input, 'longitude', 180)];
    const [first, last] = [day(from), day(to)];
    if (last - first > 30) throw new Declined(tooLong);
    if (last < first) throw new Declined(refusal(`End-date must be larger or equals than start-date`));
    const numbers = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    const days = numbers.map((number) => dayAt(seed, latitude, longitude, number));
    const noon = kind === 'air_quality_index' ? 'T12:00' : '';
    const columns = series[kind];
    return {
      latitude: float(Math.round(latitude * 10) / 10),
      longitude: float(Math.round(longitude * 10) / 10),
      daily_units: { time: 'iso8601', ...Object.fromEntries(columns.map(([key, unit]) => [key, unit])) },
      daily: {
        time: numbers.map((number) => `${dateOf(number)}${noon}`),
        ...Object.fromEntries(columns.map(([key, , of]) => [key, days.map(of)])),
      },
    };
  };
  const past = (kind: Kind, input: Inputs): Value => {
    const dates = [input.date('start_date'), input.date('end_date')] as const;
    for (const [at, name] of (['start_date', 'end_date'] as const).entries())
      if (day(dates[at] ?? '') >= day(here.date)) throw new Declined(`Error: ${name} should be earlier than current_date`);
    return daily(kind, input, ...dates);
  };
  const coming = (kind: Kind, input: Inputs): Value => {
    const dates = [input.date('start_date'), input.date('end_date')] as const;
    for (const [at, name] of (['start_date', 'end_date'] as const).entries())
      if (day(dates[at] ?? '') <= day(here.date)) throw new Declined(`Error: ${name} should be later than current_date`);
    return daily(kind, input, ...dates);
  };
  const now = (kind: Kind, input: Inputs): Value => daily(kind, input, input.date('current_date'), input.date('current_date'));
  const calls: Readonly<Record<string, (input: Inputs) => Value>> = {
    get_user_current_date: () => here.date,
    get_user_current_location: () => here.location,
    get_historical_temp: (input) => past('temp', input),
    get_historical_rain: (input) => past('rain', input),
    get_historical_snow: (input) => past('snow', input),
    get_historical_air_quality_index: (input) => past('air_quality_index', input),
    get_temp_forecast: (input) => coming('temp', input),
    get_rain_forecast: (input) => coming('rain', input),
    get_snow_forecast: (input) => coming('snow', input),
    get_current_temp: (input) => now('temp', input),
    get_current_rain: (input) => now('rain', input),
    get_current_snow: (input) => now('snow', input),
    get_current_air_quality_index: (input) => now('air_quality_index', input),
    get_latitude_longitude: (input) => search(input.get('name')),
    get_elevation: (input) => ({
      elevation: [float(elevationAt(coordinate(input, 'latitude', 90), coordinate(input, 'longitude', 180)))],
    }),
    get_distance: (input) => float(geodesic(...spot(input, 1), ...spot(input, 2))),
    get_air_quality_level: (input) => level(input.get('air_quality_index')),
  };
  return { call: (name, input) => calls[name]?.(input) ?? null };
}

/** Matches by name: the same one first, then those that begin with it; none is the original's KeyError. */
function search(asked: Value): Value {
  const name = typeof asked === 'string' ? asked.trim().toLowerCase() : '';
  const found = name === '' ? [] : places.filter((place) => place.name.toLowerCase().startsWith(name));
  if (found.length === 0) throw new PythonError('KeyError', "'results'");
  const best = [...found].sort((a, b) => a.name.length - b.name.length).slice(0, 3);
  return {
    results: best.map(({ name, latitude, longitude, country }) => ({
      name,
      latitude: float(latitude),
      longitude: float(longitude),
      country_code: country,
    })),
  };
}

/** As in the original, an index just above a bound (21, 41, 61, 81) falls through to the worst level. */
function level(value: Value): Value {
  const index = numberIn(value);
  if (index === undefined)
    throw new PythonError('TypeError', `'<=' not supported between instances of '${typeName(value)}' and 'int'`);
  if (index <= 20) return 'good';
  if (index > 21 && index <= 40) return 'fair';
  if (index > 41 && index <= 60) return 'moderate';
  if (index > 61 && index <= 80) return 'poor';
  if (index > 81 && index <= 100) return 'very poor';
  return 'extremely poor';
}

function coordinate(input: Inputs, name: string, most: number): number {
  const value = input.get(name);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : numberIn(value);
  if (number === undefined || !Number.isFinite(number)) throw new Declined(refusal(`Invalid ${name}: ${repr(value)}`));
  const word = name.startsWith('lat') ? 'Latitude' : 'Longitude';
  if (Math.abs(number) > most)
    throw new Declined(refusal(`${word} must be in range of -${most} to ${most}°. Given: ${repr(float(number))}.`));
  return number;
}

/** A point of a distance, which geopy reads: longitudes go round, and a latitude outside raises. */
function spot(input: Inputs, which: 1 | 2): readonly [latitude: number, longitude: number] {
  const [latitude = NaN, longitude = NaN] = [`latitude${which}`, `longitude${which}`].map((name) => {
    const value = input.get(name);
    const number = typeof value === 'string' ? (value.trim() === '' ? NaN : Number(value)) : (numberIn(value ?? 0) ?? NaN);
    if (Number.isFinite(number)) return number;
    if (typeof value === 'string') throw new PythonError('ValueError', `could not convert string to float: ${repr(value)}`);
    throw new PythonError('TypeError', `float() argument must be a string or a real number, not '${typeName(value)}'`);
  });
  if (Math.abs(latitude) > 90) throw new PythonError('ValueError', 'Latitude must be in the [-90; 90] range.');
  return [latitude, longitude];
}

function refusal(reason: string): string {
  return JSON.stringify({ error: true, reason });
}

function day(date: string): number {
  const number = dayNumber(date);
  if (number === undefined) throw new PythonError('ValueError', `time data ${repr(date)} does not match format '%Y-%m-%d'`);
  return number;
}

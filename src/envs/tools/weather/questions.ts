/** Questions about the weather, from two calls to eight. Numbers are asked for in a form that has one writing. */
import type { Random } from '../../../core/random/random.ts';
import { dateOf, dayNumber } from '../core/calendar.ts';
import type { Question, Side, Use } from '../core/kit.ts';
import { isDict, isList, numberIn, str, type Value } from '../../../core/python/values.ts';
import { highest } from '../core/read.ts';
import { placesOf } from './places.ts';
import { weatherBox } from './tools.ts';

interface Draft {
  readonly category: string;
  readonly goal: string;
  readonly solve: (use: Use) => Value | undefined;
}

const asNumber = 'Please provide the answer as a number';
const round = (value: number, digits: number): number => Number(value.toFixed(digits));

export function askWeather(seed: number, side: Side, random: Random): Question {
  const [home, there, third] = random.shuffle(placesOf(side)).map(({ name }) => name);
  const date = dateOf(random.between(dayNumber('2023-01-15') ?? NaN, dayNumber('2023-12-10') ?? NaN));
  const draft = random.pick(drafts)(random, home ?? '', there ?? '', third ?? '');
  return { ...draft, open: () => weatherBox(seed, { date, location: home ?? '' }) };
}

const drafts: readonly ((random: Random, home: string, there: string, third: string) => Draft)[] = [
  (_random, _home, there) => ({
    category: 'elevation',
    goal: `How many meters above the sea is ${there}? ${asNumber}.`,
    solve: (use) => elevation(use, there),
  }),
  (_random, _home, there) => ({
    category: 'elevation difference',
    goal: `How many meters higher or lower is ${there} than my current location? ${asNumber} without a sign.`,
    solve: (use) => Math.abs(elevation(use, there) - elevation(use, str(use('get_user_current_location')))),
  }),
  (_random, _home, there) => ({
    category: 'distance',
    goal: `How far is ${there} from my current location? Please provide the distance in whole kilometers, rounded, as a number.`,
    solve(use) {
      const [from, to] = [locate(use, str(use('get_user_current_location'))), locate(use, there)];
      const way = { latitude1: from.latitude, longitude1: from.longitude, latitude2: to.latitude, longitude2: to.longitude };
      return Math.round(number(use('get_distance', way)));
    },
  }),
  (_random, _home, there) => ({
    category: 'temperature today',
    goal: `What is the average temperature in ${there} today? ${asNumber}.`,
    solve: (use) => daily(use, 'get_current_temp', there, 0, 0).at('temperature_2m_mean')[0],
  }),
  (random) => {
    const days = random.between(1, 6);
    const when = days === 1 ? 'yesterday' : `${days} days ago`;
    return {
      category: 'temperature past',
      goal: `What was the highest temperature ${when} in my current location? ${asNumber}.`,
      solve: (use) =>
        daily(use, 'get_historical_temp', str(use('get_user_current_location')), -days, -days).at('temperature_2m_max')[0],
    };
  },
  (random, _home, there) => {
    const days = random.between(1, 6);
    const when = days === 1 ? 'tomorrow' : `in ${days} days`;
    return {
      category: 'temperature forecast',
      goal: `What is the lowest temperature forecasted for ${there} ${when}? ${asNumber}.`,
      solve: (use) => daily(use, 'get_temp_forecast', there, days, days).at('temperature_2m_min')[0],
    };
  },
  (random, _home, there) => {
    const days = random.between(3, 7);
    return {
      category: 'rain total',
      goal: `How many millimeters of rain fell in ${there} in total over the past ${days} days, without today? ${asNumber} with one decimal.`,
      solve: (use) => round(sum(daily(use, 'get_historical_rain', there, -days, -1).at('rain_sum')), 1),
    };
  },
  (random, _home, there) => {
    const days = random.between(2, 5);
    return {
      category: 'snow forecast',
      goal: `How many centimeters of snow are forecasted for ${there} in total over the next ${days} days, from tomorrow on? ${asNumber} with one decimal.`,
      solve: (use) => round(sum(daily(use, 'get_snow_forecast', there, 1, days).at('snowfall_sum')), 1),
    };
  },
  (random, _home, there) => {
    const days = random.between(4, 8);
    return {
      category: 'warmest day',
      goal: `On which of the past ${days} days, without today, was the average temperature in ${there} highest? Please answer in the YYYY-MM-DD format.`,
      solve(use) {
        const past = daily(use, 'get_historical_temp', there, -days, -1);
        const means = past.at('temperature_2m_mean');
        return past.times[highest([...means.keys()], (day) => means[day] ?? NaN) ?? -1];
      },
    };
  },
  (random, _home, there) => {
    const days = random.between(3, 7);
    return {
      category: 'wet days',
      goal: `On how many of the next ${days} days, from tomorrow on, is rain forecasted in ${there}? ${asNumber}.`,
      solve: (use) =>
        daily(use, 'get_rain_forecast', there, 1, days)
          .at('rain_sum')
          .filter((rain) => rain > 0).length,
    };
  },
  (_random, _home, there) => ({
    category: 'air quality',
    goal: `How good is the air in ${there} today? Please provide the air quality level as a string.`,
    solve(use) {
      const [index] = daily(use, 'get_current_air_quality_index', there, 0, 0).at('european_aqi_pm2_5');
      return index === undefined ? undefined : use('get_air_quality_level', { air_quality_index: index });
    },
  }),
  (random, home, there, third) => {
    const days = random.between(3, 6);
    const names = random.shuffle([home, there, third]);
    return {
      category: 'rainiest place',
      goal: `Where did the most rain fall over the past ${days} days, without today: ${names.slice(0, 2).join(', ')} or ${names[2] ?? ''}? Please tell me the city name.`,
      solve: (use) => highest(names, (name) => round(sum(daily(use, 'get_historical_rain', name, -days, -1).at('rain_sum')), 1)),
    };
  },
  (random, home, there) => {
    const days = random.between(1, 5);
    return {
      category: 'warmer place',
      goal: `By how many degrees will the average temperature in ${there} in ${days} day${days === 1 ? '' : 's'} differ from that in ${home} on the same day? ${asNumber} with one decimal, without a sign.`,
      solve(use) {
        const [a, b] = [there, home].map(
          (name) => daily(use, 'get_temp_forecast', name, days, days).at('temperature_2m_mean')[0],
        );
        return round(Math.abs((a ?? NaN) - (b ?? NaN)), 1);
      },
    };
  },
];

function number(value: Value | undefined): number {
  return numberIn(value) ?? NaN;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Coordinates as the tools give them. */
function locate(use: Use, name: string): { latitude: number; longitude: number } {
  const found = use('get_latitude_longitude', { name });
  const first = isDict(found) && isList(found['results']) ? found['results'][0] : undefined;
  const value = (key: string): number => (isDict(first) ? number(first[key]) : NaN);
  return { latitude: value('latitude'), longitude: value('longitude') };
}

function elevation(use: Use, name: string): number {
  const found = use('get_elevation', locate(use, name));
  return isDict(found) && isList(found['elevation']) ? number(found['elevation'][0]) : NaN;
}

/** Asks for the days from `first` to `last`, counted from today. */
function daily(
  use: Use,
  tool: string,
  name: string,
  first: number,
  last: number,
): { times: readonly string[]; at(key: string): number[] } {
  const date = str(use('get_user_current_date'));
  const today = dayNumber(date) ?? NaN;
  const dates = first === 0 ? { current_date: date } : { start_date: dateOf(today + first), end_date: dateOf(today + last) };
  const found = use(tool, { ...locate(use, name), ...dates });
  const days = isDict(found) && isDict(found['daily']) ? found['daily'] : {};
  const list = (key: string): readonly Value[] => {
    const values = days[key];
    return isList(values) ? values : [];
  };
  return { times: list('time').map(String), at: (key) => list(key).map(number) };
}

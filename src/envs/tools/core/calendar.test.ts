import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateOf, dayNumber, later } from './calendar.ts';

it.each([
  ['1970-01-01', 0],
  ['1969-12-31', -1],
  ['2023-1-5', 19_362],
  ['2024-02-29', 19_782],
  ['0001-01-01', -719_162],
  ['0099-12-31', -683_004],
  ['9999-12-31', 2_932_896],
])('%s is day %d', (date, day) => expect(dayNumber(date)).toBe(day));

it.each([
  '2023-02-29',
  '1900-02-29',
  '2023-04-31',
  '2023-13-01',
  '2023-00-10',
  '2023-01-00',
  '0000-01-01',
  '2023-01-32',
  '23-01-01',
  '2023/01/01',
  ' 2023-01-01',
  '2023-01-01 ',
  '2023-01-01T00:00',
  '20230101',
  '',
  'today',
])('%s is no day', (date) => expect(dayNumber(date)).toBeUndefined());

it('dates and numbers of days are two names of one thing', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), (day) => dayNumber(dateOf(day)) === day),
    { seed: 1 },
  );
});

it('counts over months and leap years', () => {
  expect([later('2024-02-28', 1), later('2023-02-28', 1), later('2023-12-31', 1), later('2024-03-01', -1)]).toEqual([
    '2024-02-29',
    '2023-03-01',
    '2024-01-01',
    '2024-02-29',
  ]);
});

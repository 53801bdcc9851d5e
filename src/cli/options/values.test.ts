import { describe, expect, it } from 'vitest';
import { oneOf, onOff, prices, real, whole, wholeNumber } from './values.ts';

describe('values of options', () => {
  it('on and off, and nothing like them', () => {
    expect([onOff('on'), onOff('off')]).toEqual([true, false]);
    for (const text of ['', 'On', 'true', '1', ' on']) expect(() => onOff(text)).toThrow('Write on or off.');
  });

  it('one of some words', () => {
    const by = oneOf('words', 'item', 'best');
    expect(by('item')).toBe('item');
    for (const text of ['wrods', '', 'Item', ' item', 'constructor'])
      expect(() => by(text)).toThrow('Choose one of words, item, best.');
  });

  it('numbers within bounds', () => {
    expect([whole(1)('1'), real(0, 1)('1'), real(0)('0'), real()('-2.5')]).toEqual([1, 1, 0, -2.5]);
    for (const text of ['0', '-1', '1.5', '', 'x']) expect(() => whole(1)(text)).toThrow('Give a whole number from 1.');
    expect(() => whole(0, 65_535)('70000')).toThrow('Give a whole number from 0 to 65535.');
    for (const text of ['-0.1', '1.1', '', 'x', 'Infinity', 'NaN'])
      expect(() => real(0, 1)(text)).toThrow('Give a number from 0 to 1.');
    expect(() => real()('')).toThrow('Give a number.');
  });

  it.each<[string, number, number]>([
    ['0.15,0.60', 0.15, 0.6],
    ['0,0', 0, 0],
    [' 1 , 2 ', 1, 2],
    ['1e-1,5', 0.1, 5],
  ])('prices %j', (text, input, output) => expect(prices(text)).toEqual({ input, output }));

  // A price that was forgotten is not a price of nothing.
  it.each(['', '0.15', '0.15,', ',0.60', ',', '1,2,3', '-1,2', 'a,b', 'Infinity,1', 'NaN,1'])('%j are no prices', (text) => {
    expect(() => prices(text)).toThrow('Write two numbers: 0.15,0.60.');
  });

  it.each<[string, number]>([
    ['0', 0],
    ['17', 17],
    [' 17 ', 17],
    ['1e3', 1000],
  ])('the whole number %j', (text, want) => expect(wholeNumber(text, '--seed')).toBe(want));

  it.each(['', ' ', '-1', '1.5', 'x', '1e400', 'NaN', '12abc', '9007199254740993000'])('%j is none', (text) => {
    expect(() => wholeNumber(text, '--seed')).toThrow(/--seed takes a whole number from 0 to/);
  });

  it('has the bound that is asked for', () => {
    expect(wholeNumber('65535', '--port', 65_535)).toBe(65_535);
    expect(() => wholeNumber('65536', '--port', 65_535)).toThrow('--port takes a whole number from 0 to 65535, not "65536"');
  });
});

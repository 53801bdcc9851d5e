import { describe, expect, it } from 'vitest';
import { faultKinds, type Place } from './kinds.ts';
import { parseChaos } from './spec.ts';

const of = (...places: Place[]): string[] => faultKinds.flatMap(({ name, place }) => (places.includes(place) ? [name] : []));

describe('--chaos', () => {
  it.each<[string, number, readonly string[], number]>([
    ['7', 7, faultKinds.map(({ name }) => name), 4],
    ['0', 0, faultKinds.map(({ name }) => name), 4],
    ['7:all', 7, faultKinds.map(({ name }) => name), 4],
    ['7:disk', 7, of('disk'), 4],
    ['7:steps', 7, of('session', 'reply'), 4],
    ['7:servers', 7, of('wire'), 4],
    ['7:kill:2', 7, of('kill'), 2],
    ['7:kill:0', 7, of('kill'), 0],
    ['7:step-fails', 7, ['step-fails'], 4],
    ['7:step-fails,kill-write', 7, ['step-fails', 'kill-write'], 4],
    ['7:disk,disk-full,disk', 7, of('disk'), 4],
    ['12:kill-write,disk:9', 12, ['kill-write', ...of('disk')], 9],
  ])('%s', (text, seed, kinds, starts) => expect(parseChaos(text)).toEqual({ seed, kinds, starts }));

  it.each(['', 'x', '-1', '1.5', ':disk', '7:', '7:disk:', '7:disk:x', '7:disk:1:2', '7 ', '1234567890123456'])(
    '%j is no seed',
    (text) =>
      expect(() => parseChaos(text)).toThrow(
        `"${text}" is no seed: write --chaos 7, --chaos 7:disk or --chaos 7:step-fails,kill-write`,
      ),
  );

  it.each([
    ['7:dsik', 'there is no profile or fault "dsik" (did you mean disk?): see agoge chaos list'],
    ['7:kill-wirte', 'there is no profile or fault "kill-wirte" (did you mean kill-write?): see agoge chaos list'],
    ['7:disk,', 'there is no profile or fault ""'],
    ['7:constructor', 'there is no profile or fault "constructor"'],
    ['7:Disk', 'there is no profile or fault "Disk"'],
  ])('%s is named', (text, said) => expect(() => parseChaos(text)).toThrow(said));
});

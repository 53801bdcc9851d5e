/**
 * Any character of Unicode, for properties: `fc.string({ unit: anyCharacter })`. fast-check's own unit 'binary' gives the same and lists all of
 * them first, which takes every process over a second.
 */
import fc from 'fast-check';

/** Halves of a pair stand alone nowhere. */
const [firstHalf, halves] = [0xd800, 0x800];

export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - halves }).map(
  (place) => String.fromCodePoint(place < firstHalf ? place : place + halves),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('not one character');
    return code < firstHalf ? code : code - halves;
  },
);

/**
 * The Porter stemmer (Porter 1980 with the two later changes of its author, -bli and -logi), as Lucene applies it: words of
 * one or two characters are left alone, and letters outside a to z count as consonants.
 */

/** The stem of a lower-case word. */
export function stem(word: string): string {
  if (word.length < 3) return word;
  let w = plural(word);
  w = pastOrGerund(w);
  if (w.endsWith('y') && hasVowel(w, w.length - 1)) w = w.slice(0, -1) + 'i';
  w = replaceSuffix(w, step2, 0);
  w = replaceSuffix(w, step3, 0);
  w = dropSuffix(w);
  return finalE(w);
}

function isConsonant(w: string, i: number): boolean {
  const c = w[i];
  if (c === 'a' || c === 'e' || c === 'i' || c === 'o' || c === 'u') return false;
  return c === 'y' ? i === 0 || !isConsonant(w, i - 1) : true;
}

/** Porter's m: how many vowel-consonant sequences the first `length` letters hold. */
function measure(w: string, length: number): number {
  let count = 0;
  let vowel = false;
  for (let i = 0; i < length; i++) {
    const consonant = isConsonant(w, i);
    if (consonant && vowel) count++;
    vowel = !consonant;
  }
  return count;
}

function hasVowel(w: string, length: number): boolean {
  for (let i = 0; i < length; i++) if (!isConsonant(w, i)) return true;
  return false;
}

function endsDouble(w: string): boolean {
  const last = w.length - 1;
  return last >= 1 && w[last] === w[last - 1] && isConsonant(w, last);
}

/** Whether the first `length` letters end consonant, vowel, consonant, the last not w, x or y. */
function endsShort(w: string, length: number): boolean {
  const i = length - 1;
  if (i < 2 || !isConsonant(w, i) || isConsonant(w, i - 1) || !isConsonant(w, i - 2)) return false;
  return w[i] !== 'w' && w[i] !== 'x' && w[i] !== 'y';
}

function plural(w: string): string {
  if (!w.endsWith('s')) return w;
  if (w.endsWith('sses') || w.endsWith('ies')) return w.slice(0, -2);
  return w.endsWith('ss') ? w : w.slice(0, -1);
}

function pastOrGerund(w: string): string {
  if (w.endsWith('eed')) return measure(w, w.length - 3) > 0 ? w.slice(0, -1) : w;
  const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0;
  if (cut === 0 || !hasVowel(w, w.length - cut)) return w;
  const rest = w.slice(0, -cut);
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return rest + 'e';
  if (endsDouble(rest)) return /[lsz]$/.test(rest) ? rest : rest.slice(0, -1);
  return measure(rest, rest.length) === 1 && endsShort(rest, rest.length) ? rest + 'e' : rest;
}

type Suffixes = readonly (readonly [suffix: string, replacement: string])[];

// Of suffixes that end alike the one that must win stands first; the first that fits decides, replaced or not.
const step2: Suffixes = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const step3: Suffixes = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

function replaceSuffix(w: string, suffixes: Suffixes, least: number): string {
  for (const [suffix, replacement] of suffixes) {
    if (!w.endsWith(suffix)) continue;
    const kept = w.length - suffix.length;
    return measure(w, kept) > least ? w.slice(0, kept) + replacement : w;
  }
  return w;
}

const step4: Suffixes = [
  ['al', ''],
  ['ance', ''],
  ['ence', ''],
  ['er', ''],
  ['ic', ''],
  ['able', ''],
  ['ible', ''],
  ['ant', ''],
  ['ement', ''],
  ['ment', ''],
  ['ent', ''],
  ['sion', 's'],
  ['tion', 't'],
  ['ou', ''],
  ['ism', ''],
  ['ate', ''],
  ['iti', ''],
  ['ous', ''],
  ['ive', ''],
  ['ize', ''],
];

function dropSuffix(w: string): string {
  for (const [suffix, kept] of step4) {
    if (!w.endsWith(suffix)) continue;
    const length = w.length - suffix.length + kept.length;
    return measure(w, length) > 1 ? w.slice(0, length) : w;
  }
  return w;
}

function finalE(w: string): string {
  let result = w;
  if (w.endsWith('e')) {
    const rest = w.length - 1;
    const m = measure(w, rest);
    if (m > 1 || (m === 1 && !endsShort(w, rest))) result = w.slice(0, -1);
  }
  return result.endsWith('ll') && measure(result, result.length - 1) > 1 ? result.slice(0, -1) : result;
}

/**
 * A catalogue of our own, so that the shop opens without a download: any number of products drawn from a seed, with titles,
 * attributes, options, prices and texts that belong together, and an instruction for each. Product n of a seed is the same
 * in every catalogue of that seed, however large.
 */
import { Random } from '../../../core/random/random.ts';
import { axes, kinds, type Kind } from './kinds.ts';
import type { Option, Product } from './product.ts';

export interface GeneratedOptions {
  readonly size: number;
  readonly seed: number;
}

export function generateProducts({ size, seed }: GeneratedOptions): Product[] {
  const taken = new Set<string>();
  return Array.from({ length: size }, (_, position) => generateProduct(position, seed, taken));
}

function generateProduct(position: number, seed: number, taken: Set<string>): Product {
  const random = Random.of(seed, 'product', position);
  const kind = kinds[position % kinds.length] as Kind;
  const plain = some(random, kind.plain, 1, 3);
  const having = some(random, kind.having, 1, 2);
  const purpose = some(random, kind.purpose, 0, 1);
  const noun = random.pick(kind.nouns);
  const brand = random.pick(brandHeads) + random.pick(brandTails);
  const attributes = random.shuffle([...plain, ...having, ...purpose]);
  const title = [
    `${brand} ${random.pick(series)}${capitals(plain.join(' '))} ${noun}`,
    `with ${capitals(having.join(' and '))}`,
    ...purpose.map((use) => `for ${capitals(use)}`),
  ].join(' ');
  return {
    asin: drawAsin(random, taken),
    title,
    description: `${describe(random, brand, noun, kind)} ${sentence(plain.join(', '))}. Comes with ${having.join(' and ')}.`,
    bullets: bullets(random, plain, having, purpose, noun),
    pricing: drawPricing(random, kind),
    options: drawOptions(random, kind),
    category: kind.department,
    query: kind.query,
    productCategory: kind.path,
    attributes,
    instruction: instruct(random, kind, plain, having, purpose),
    image: '',
  };
}

/** In the original's words: "Find me slim fit, machine wash men's pants with elastic waist for daily wear". */
function instruct(
  random: Random,
  kind: Kind,
  plain: readonly string[],
  having: readonly string[],
  purpose: readonly string[],
): Product['instruction'] {
  const asked = some(random, plain, 1, 2);
  const with_ = some(random, having, 0, having.length);
  const for_ = some(random, purpose, 0, purpose.length);
  const text = [
    `Find me ${asked.join(', ')} ${kind.query}`,
    ...(with_.length > 0 ? [`with ${with_.join(', ')}`] : []),
    ...for_.map((use) => `for ${use}`),
  ].join(' ');
  return { text, attributes: [...asked, ...with_, ...for_] };
}

function bullets(
  random: Random,
  plain: readonly string[],
  having: readonly string[],
  purpose: readonly string[],
  noun: string,
): string[] {
  const lines = [
    ...plain.map((attribute) => `${capitals(attribute)}: ${random.pick(praise)}.`),
    ...having.map((attribute) => `Made with ${attribute} ${random.pick(reasons)}.`),
    ...purpose.map((use) => `A good choice for ${use}.`),
    `${noun} ${random.pick(promises)}.`,
  ];
  return random.shuffle(lines);
}

function describe(random: Random, brand: string, noun: string, kind: Kind): string {
  return `${random.pick(openings)} ${noun} by ${brand}, ${random.pick(middles)} among ${kind.query}.`;
}

/** Mostly one price to the cent, sometimes a range, now and then none, which the shop shows as $100.0. */
function drawPricing(random: Random, { price: [low, high] }: Kind): number[] {
  const dice = random.float();
  if (dice < 0.03) return [100];
  const amount = (): number => Math.floor(low + (high - low) * random.float() ** 1.5) + random.pick([0.99, 0.95, 0.5, 0.49]);
  if (dice > 0.09) return [amount()];
  const first = amount();
  return [first, Math.round((first + 2 + (high - low) * 0.3 * random.float()) * 100) / 100];
}

function drawOptions(random: Random, kind: Kind): Option[] {
  const chosen = kind.axes.filter(() => random.float() < 0.8);
  return chosen.flatMap((axis) => {
    const { name, values } = axes[axis] ?? { name: axis, values: [] };
    const kept = new Set(some(random, values, 2, Math.min(5, values.length)));
    return kept.size > 0 ? [{ name, values: values.filter((value) => kept.has(value)) }] : [];
  });
}

/** Ten characters like the real ones, but of syllables (B0KALOMIRE): people can say them, and small policies can copy them. */
function drawAsin(random: Random, taken: Set<string>): string {
  for (;;) {
    let asin = 'B0';
    while (asin.length < 10) asin += random.pick(CONSONANTS) + random.pick(VOWELS);
    if (taken.has(asin)) continue;
    taken.add(asin);
    return asin;
  }
}

const CONSONANTS = 'BDFGKLMNPRSTV'.split('');
const VOWELS = 'AEIO'.split('');

/** Between `least` and `most` of the items, in their order. */
function some<T>(random: Random, items: readonly T[], least: number, most: number): T[] {
  const count = Math.min(items.length, random.between(least, most));
  const kept = new Set(random.shuffle(items.map((_, i) => i)).slice(0, count));
  return items.filter((_, i) => kept.has(i));
}

function capitals(text: string): string {
  return text.replace(/(^|[\s-])(?!and\b)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const brandHeads = 'Nor Bri Cal Del Fen Gar Hal Kes Lum Mar Oak Pem Quin Ros Sel Tor Ul Ver Wil Yar'.split(' ');
const brandTails = 'vale wick mora dell tide haven crest lind ora stead'.split(' ');
const series = ['', '', '', 'Classic ', 'Everyday ', 'Signature ', 'Essential ', 'Studio '];
const openings = ['A well made', 'The new', 'A simple and sturdy', 'The best selling', 'A thoughtful'];
const middles = ['a favorite', 'a first choice', 'a quiet classic', 'rated highly', 'made to last'];
const praise = ['you notice it from the first day', 'tested by our team', 'no compromise here', 'a small thing that matters'];
const reasons = ['for everyday comfort', 'that keeps its shape', 'picked by our buyers', 'so it serves for years'];
const promises = [
  'ships within two days',
  'can be returned for thirty days',
  'comes in recycled packaging',
  'includes a simple guide',
];

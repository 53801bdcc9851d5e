/** Names for rows: of people, places, works and companies. Never the same twice in a column. */
import type { Random } from '../../../core/random/random.ts';

export type NameKind = 'person' | 'place' | 'title' | 'company';

export function drawName(random: Random, kind: NameKind, taken: Set<string>): string {
  for (let tries = 0; ; tries++) {
    const name = make[kind](random) + (tries < 20 ? '' : ` ${random.pick(ROMAN)}`);
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const FIRST = words(`
Ada Ali Ana Ben Bo Carl Dina Eli Emma Finn Gita Hugo Ida Ivan Jana Joel Kai Lea Lin Mara Max Mia Nils Nora Omar Otto Pia Rosa
Ruth Sam Sara Tariq Tess Uma Vera Viktor Wanda Yara Yusuf Zoe`);
const LAST = words(`
Abbot Baker Berg Blum Castro Chen Conte Cruz Dahl Diaz Egan Fabre Foss Garcia Grant Haas Ito Jensen Kaya Khan Klein Lopez Lund
Mori Moss Nagy Novak Okoro Olsen Park Perez Quist Rao Reyes Rossi Sato Silva Stone Tanaka Vogel Weber Wolf Young Zhou`);
const HEAD = words(`
Al Ash Bel Bran Cal Dor El Fair Glen Hart Kel Lan Mar Nor Oak Pel Quin Rav Sel Tor Ul Ver Wen Yar`);
const TAIL = words(`bay borough dale den field ford gate ham haven hill mere mont port stead ton vale view wick wood worth`);
const QUALITY = words(`
Amber Blue Bright Broken Calm Copper Distant Early Empty Gentle Golden Green Hidden Hollow Iron Last Late Little Lost Noble Open
Pale Quiet Red Royal Silent Silver Slow Small Warm White Wild Young`);
const THING = words(`
Anchor Bell Bridge Candle Cloud Coast Corner Crown Field Fire Forest Garden Harbor Hill Island Lamp Letter Meadow Mirror Moon
Mountain Ocean Path Rain River Road Rose Season Shadow Song Star Stone Storm Summer Tower Tree Valley Wind Window Winter`);
const FIRM = words(`Brothers Circle Company Group House Partners Rovers Sons Union United Works Workshop`);
const ROMAN = words(`II III IV V VI VII VIII IX X XI XII`);

const make: Readonly<Record<NameKind, (random: Random) => string>> = {
  person: (random) => `${random.pick(FIRST)} ${random.pick(LAST)}`,
  place: (random) => random.pick(HEAD) + random.pick(TAIL),
  title: (random) => `${random.pick(QUALITY)} ${random.pick(THING)}`,
  company: (random) => `${random.pick(HEAD)}${random.pick(TAIL)} ${random.pick(FIRM)}`,
};

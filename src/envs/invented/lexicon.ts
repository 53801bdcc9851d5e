/**
 * Words for invented worlds: syllables put together, everyday words, codes and numbers. Every word belongs to training or to
 * validation by its letters alone, so that no name of one side is ever seen on the other.
 */
import type { Random } from '../../core/random/random.ts';

export type Side = 'train' | 'validation';

/** Whose word it is: one in six belongs to validation. */
export function sideOf(word: string): Side {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % 6 === 0 ? 'validation' : 'train';
}

/** Lists are asked again and again: what is whose is worked out once. */
const sorted: Readonly<Record<Side, WeakMap<readonly string[], readonly string[]>>> = {
  train: new WeakMap(),
  validation: new WeakMap(),
};

function wordsOf(side: Side, words: readonly string[]): readonly string[] {
  const known = sorted[side].get(words);
  if (known) return known;
  const ours = words.filter((word) => sideOf(word) === side);
  sorted[side].set(words, ours);
  return ours;
}

export type Style = 'made' | 'thing' | 'pair' | 'code' | 'number' | 'numbered' | 'path' | 'title';
const styles: readonly Style[] = ['made', 'made', 'thing', 'pair', 'pair', 'code', 'number', 'numbered', 'path', 'title'];

/** Draws words of one side. */
export class Lexicon {
  constructor(
    private readonly random: Random,
    readonly side: Side,
  ) {}

  style(): Style {
    return this.random.pick(styles);
  }

  /** One of these words that is on our side; a made-up one where none is. */
  frame(words: readonly string[]): string {
    const ours = wordsOf(this.side, words);
    return ours.length > 0 ? this.random.pick(ours) : this.made();
  }

  /** So many different names of a style. Those of two words share words: they are read to the end or confused. */
  names(count: number, style: Style = this.style()): string[] {
    const heads = Array.from({ length: 2 + (count >> 1) }, () => this.plain());
    const tails = Array.from({ length: 2 + (count >> 1) }, () => this.plain());
    const word = this.frame(nouns);
    const names = new Set<string>();
    // A style may have fewer names than are asked for (numbers end at 60): then words are made up.
    for (let tries = 0; names.size < count; tries++) {
      names.add(tries < 50 * count ? this.name(style, heads, tails, word) : this.made());
    }
    return [...names];
  }

  /** A word of two or three syllables that means nothing. */
  made(): string {
    for (;;) {
      const syllables = 2 + (this.random.float() < 0.2 ? 1 : 0);
      let word = '';
      for (let i = 0; i < syllables; i++) word += this.syllable(i === syllables - 1);
      if (sideOf(word) === this.side) return word;
    }
  }

  private plain(): string {
    return this.random.float() < 0.6 ? this.frame(this.random.pick([qualities, nouns])) : this.made();
  }

  private name(style: Style, heads: readonly string[], tails: readonly string[], word: string): string {
    const { random } = this;
    switch (style) {
      case 'made':
        return this.made();
      case 'thing':
        return random.float() < 0.9 ? this.frame(nouns) : this.made();
      case 'pair':
        return `${random.pick(heads)} ${random.pick(tails)}`;
      case 'code':
        return this.code();
      case 'number':
        return String(10 + random.below(random.pick([90, 990, 9990])));
      case 'numbered':
        return `${word} ${1 + random.below(60)}`;
      case 'path':
        return `${random.pick(heads)}${random.pick(['/', '-', '_', '.'])}${random.pick(tails)}`;
      case 'title':
        return `${capital(random.pick(heads))} ${capital(random.pick(tails))}`;
    }
  }

  private code(): string {
    const { random } = this;
    const letter = (): string => String.fromCharCode(65 + random.below(26));
    for (;;) {
      const digits = String(random.below(random.pick([10, 100, 1000])));
      const code = random.pick([
        () => letter() + digits,
        () => letter() + letter() + digits,
        () => `${letter()}-${digits}`,
        () => letter() + digits + letter(),
      ])();
      if (sideOf(code) === this.side) return code;
    }
  }

  private syllable(last: boolean): string {
    const { random } = this;
    const coda = random.float() < (last ? 0.6 : 0.2) ? random.pick(codas) : '';
    return random.pick(onsets) + random.pick(vowels) + coda;
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const list = (text: string): readonly string[] => text.trim().split(/\s+/);
const onsets = list('b b br c d d dr f g gr h j k k l l m m n n p p pl r r s s sh st t t th tr v v w z');
const vowels = list('a a a e e e i i i o o o u u ai oo');
const codas = list('l l m n n n r r s s t t d k x nd rn st');

const qualities =
  list(`red blue green black white grey brown yellow golden silver copper iron steel brass bronze wooden glass stone
  paper leather cotton silk wool plastic old new small large tiny huge long short round square flat deep cold warm hot dry wet clean dusty
  bright dark heavy light soft hard smooth rough sharp sweet bitter salty fresh quick slow quiet loud open broken spare empty full northern
  southern eastern western upper lower inner outer left right first second third last royal public secret wild calm plain striped`);

const nouns =
  list(`lamp chair table desk shelf box crate barrel basket bag sack bottle jar cup plate bowl spoon fork knife pan kettle
  clock watch radio camera phone screen printer cable battery motor wheel gear bolt nut screw nail hammer saw drill rope chain hook
  ladder bucket brush broom towel pillow blanket carpet curtain mirror picture frame book notebook letter envelope stamp pencil pen ruler
  map ticket coin key lock door window gate wall roof floor stair bridge tower castle house barn shed garage office market shop bakery
  library museum station harbour airport garden park field forest river lake island mountain valley beach desert cave mine farm mill
  apple pear plum cherry lemon orange grape melon berry onion carrot potato tomato bean pea corn rice bread cheese butter milk egg honey
  salt pepper sugar tea coffee juice soup cake pie fish horse cow sheep goat pig dog cat mouse rabbit fox wolf bear deer eagle owl crow
  hat coat shirt scarf glove boot shoe belt ring pin button thread needle drum flute violin guitar bell whistle kite ball doll puzzle card
  engine boat ship train wagon cart bicycle rocket balloon tent torch candle match stove oven fridge valve pipe pump tank filter sensor
  file folder record report invoice order parcel package pallet tray rack bin locker vault drawer cabinet dock bay lane ramp yard`);

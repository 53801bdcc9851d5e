/**
 * Search over sections of pages: whole words and their forms, words that mean the same, headings before text. It imports nothing and
 * touches nothing, so that the server and the page of the static site run the same code.
 */

export interface Section {
  /** Path of its page. */
  readonly path: string;
  /** Title of its page. */
  readonly title: string;
  readonly heading: string;
  /** Of the heading in its page; empty for what stands before the second heading. */
  readonly id: string;
  /** Without markup. */
  readonly text: string;
  readonly chinese: boolean;
  /** How likely its page is what is looked for. */
  readonly weight: number;
}

export interface Hit {
  readonly section: Section;
  /** A piece of its text, in parts: those with `found` are what was looked for. */
  readonly snippet: readonly { readonly text: string; readonly found: boolean }[];
}

const most = 30;
const mostOfOnePage = 3;

/** The sections that hold all of the words, best first; where none does, those with some of them. */
export function searchSections(sections: readonly Section[], query: string): Hit[] {
  const asked = wordsOf(query);
  if (asked.length === 0) return [];
  const ways = [asked, ...synonymsOf(asked)];
  const rated = (list: readonly Section[], words: readonly (readonly string[])[], all: boolean): [Section, number][] =>
    list.flatMap((section): [Section, number][] => {
      const score = Math.max(...words.map((one, i) => rate(section, one, all) * (i === 0 ? 1 : 0.9)));
      return score > 0 ? [[section, score * section.weight]] : [];
    });
  const whole = rated(sections, ways, true);
  const found = whole.length > 0 ? whole : rated(sections, [asked], false);
  const perPage = new Map<string, number>();
  return found
    .sort(([, a], [, b]) => b - a)
    .flatMap(([section]) => {
      const shown = perPage.get(section.path) ?? 0;
      perPage.set(section.path, shown + 1);
      return shown < mostOfOnePage ? [{ section, snippet: snippetOf(section.text, ways.flat()) }] : [];
    })
    .slice(0, most);
}

/** What people ask for, and what the pages call it. Keys and values are words as `wordsOf` makes them, in order. */
const sameMeaning: readonly (readonly [string, readonly string[]])[] = [
  ['custom', ['own']],
  ['early stopping', ['stop patience', 'stop fall', 'patience']],
  ['overfit', ['memorise', 'validation falls', 'held out']],
  ['collapse', ['success fell', 'entropy gone']],
  ['diverge', ['learning rate too high', 'collapsed']],
  ['gpu', ['card', 'cuda']],
  ['oom', ['memory']],
  ['out of memory', ['memory']],
  ['docker', ['containers', 'image']],
  ['kubernetes', ['cluster', 'containers']],
  ['finetune', ['sft', 'imitation']],
  ['fine tuning', ['sft', 'imitation']],
  ['supervised', ['sft']],
  ['dataset', ['data']],
  ['benchmark', ['evaluation', 'results']],
  ['hyperparameter', ['recipe', 'sweep']],
  ['hyperparameters', ['recipe', 'sweep']],
  ['config', ['recipe']],
  ['yaml', ['recipe']],
  ['lr', ['learning rate', 'optimizer lr']],
  ['tensorboard', ['log']],
  ['wandb', ['log']],
  ['weights biases', ['wandb']],
  ['multi gpu', ['cluster', 'card']],
  ['distributed', ['cluster']],
  ['ray', ['cluster', 'verl']],
  ['api key', ['openai_api_key', 'key']],
  ['checkpoint', ['checkpoints', 'resume']],
  ['continue', ['resume']],
  ['crash', ['resume', 'interrupted']],
  ['slow', ['speed', 'threads']],
  ['plugin', ['own', 'package']],
  ['tool use', ['tools', 'function calling']],
  ['llm judge', ['judge']],
  ['seed', ['reproducible', 'same bits']],
  ['windows', ['wsl']],
  ['过拟合', ['验证', '记住']],
  ['早停', ['stop patience', '停止']],
  ['崩溃', ['成功率下降', 'collapse', '回落']],
  ['自定义奖励', ['奖励', '自己的奖励']],
  ['显存', ['内存', 'gpu']],
  ['断点', ['检查点', 'resume']],
  ['微调', ['sft', '模仿']],
];

function synonymsOf(asked: readonly string[]): string[][] {
  const text = ` ${asked.map(stem).join(' ')} `;
  return sameMeaning.flatMap(([phrase, others]) => {
    const stems = ` ${wordsOf(phrase).map(stem).join(' ')} `;
    if (!text.includes(stems)) return [];
    return others.map((other) => wordsOf(text.replace(stems, ` ${other} `)));
  });
}

/** Words in small letters; a run of Chinese is one. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}+|[a-z0-9]+/gu) ?? [];
}

const stems = new Map<string, string>();

/** Forms of a word alike: stops, stopped, stopping. */
function stem(word: string): string {
  let made = stems.get(word);
  if (made === undefined) stems.set(word, (made = stemOf(word)));
  return made;
}

function stemOf(word: string): string {
  if (word.length <= 4 || !/^[a-z]+$/.test(word)) return word.replace(/^([a-z]{3})s$/, '$1');
  return word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|s|e)$/, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}

/** How well a section answers; 0: not at all. */
function rate(section: Section, words: readonly string[], all: boolean): number {
  let sum = 0;
  const text = read(section);
  for (const word of words) {
    const inHeading = matches(word, text.heading);
    const inTitle = matches(word, text.title);
    const inText = matches(word, text.body);
    const length = 1.2 * (0.3 + (0.7 * text.size) / 150);
    const score = 10 * Math.min(1, inHeading) + 6 * Math.min(1, inTitle) + (4 * inText) / (inText + length);
    if (score === 0 && all) return 0;
    sum += score;
  }
  if (words.length > 1) {
    const phrase = ` ${words.map(stem).join(' ')} `;
    if (text.headingLine.includes(phrase)) sum += 12;
    if (text.line.includes(phrase)) sum += 6;
  }
  return sum / words.length;
}

interface Read {
  readonly title: ReadonlyMap<string, number>;
  readonly heading: ReadonlyMap<string, number>;
  readonly body: ReadonlyMap<string, number>;
  readonly headingLine: string;
  readonly line: string;
  readonly size: number;
}

const known = new WeakMap<Section, Read>();

function read(section: Section): Read {
  const before = known.get(section);
  if (before) return before;
  const body = wordsOf(section.text);
  const heading = wordsOf(section.heading);
  const made = {
    title: counted(wordsOf(section.title)),
    heading: counted(heading),
    body: counted(body),
    headingLine: ` ${heading.map(stem).join(' ')} `,
    line: ` ${body.map(stem).join(' ')} `,
    size: body.length,
  };
  known.set(section, made);
  return made;
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** How often a word stands there: as it is, in another form, as the beginning of a longer one (half), within a run of Chinese. */
function matches(word: string, counts: ReadonlyMap<string, number>): number {
  let found = 0;
  for (const [other, count] of counts) {
    if (other === word || isForm(word, other)) found += count;
    else if (begins(word, other)) found += count / 2;
  }
  return found;
}

function isForm(word: string, other: string): boolean {
  return isChinese(word) ? other.includes(word) || pairsWithin(word, other) : stem(word) === stem(other);
}

/** A long run that nobody writes just so is found by its pairs of signs. */
function pairsWithin(word: string, other: string): boolean {
  if (word.length < 4) return false;
  for (let i = 0; i + 2 <= word.length; i += 2) if (!other.includes(word.slice(i, i + 2))) return false;
  return true;
}

function begins(word: string, other: string): boolean {
  return word.length >= 4 && !isChinese(word) && other.startsWith(stem(word));
}

function isChinese(word: string): boolean {
  return /\p{Script=Han}/u.test(word);
}

/** About 200 characters around the first of the words, from the beginning of a word on. */
function snippetOf(text: string, words: readonly string[]): Hit['snippet'] {
  const places: [number, number][] = [];
  for (const match of text.matchAll(/\p{Script=Han}+|[A-Za-z0-9]+/gu)) {
    const other = match[0].toLowerCase();
    if (!words.some((word) => isForm(word, other) || begins(word, other))) continue;
    const han = words.find((word) => isChinese(word) && other.includes(word));
    const inside = han === undefined ? 0 : other.indexOf(han);
    places.push([match.index + inside, match.index + inside + (han?.length ?? match[0].length)]);
  }
  const first = places[0]?.[0] ?? 0;
  const from = first < 90 ? 0 : text.indexOf(' ', first - 80) + 1 || first;
  const until = Math.min(text.length, from + 220);
  const parts: { text: string; found: boolean }[] = [];
  let at = from;
  for (const [start, end] of places) {
    if (start < at || end > until) continue;
    parts.push({ text: text.slice(at, start), found: false }, { text: text.slice(start, end), found: true });
    at = end;
  }
  parts.push({ text: text.slice(at, until), found: false });
  const shown = parts.filter((part) => part.text !== '');
  return [
    ...(from > 0 ? [{ text: '… ', found: false }] : []),
    ...shown,
    ...(until < text.length ? [{ text: ' …', found: false }] : []),
  ];
}

/** docs/reference is what the code gives, and says something about everything; what the sources throw is there in Chinese too. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorSentences, type Said } from '../../scripts/reference/error-sentences.ts';
import { referencePages } from '../../scripts/reference/pages.ts';
import { recipesPage } from '../../scripts/reference/recipes.ts';
import { root } from '../../scripts/reference/source.ts';
import { chineseTexts, inChinese, learnErrors } from '../../src/cli/chinese/catalogue.ts';
import { errorTexts } from '../../src/cli/chinese/errors/errors.ts';

const pages = await referencePages();
const folder = join(root, 'docs/reference');

describe('docs/reference', () => {
  it.each([...pages])('%s is what `npm run reference` writes', (name, text) => {
    expect(readFileSync(join(folder, name), 'utf8') === text, 'run: npm run reference').toBe(true);
  });

  it('has no other pages', () => {
    const there = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
    expect(there.filter((name) => name.endsWith('.md')).sort()).toEqual([...pages.keys()].sort());
  });

  it('says what every recipe key, error and route is for', () => {
    expect(recipesPage().silent).toEqual([]);
    const empty = (name: string): string[] => (pages.get(name) ?? '').split('\n').filter((line) => /\| *–? *\|$/.test(line));
    expect(empty('errors.md')).toEqual([]);
    expect(empty('http.md')).toEqual([]);
  });
});

const findings = 'a place and what is wrong there; the catalogue has it with each thing that can be wrong';
const name = 'a name or a command, which reads the same';
const others = 'of a library, an interface or a game, in its own words';
/** What errors say that stays as it is, and why. */
const untranslated: Readonly<Record<string, string>> = {
  'the MCP server … …; check that it runs': findings,
  '… ……: run it by hand to see why': findings,
  '… …: choose another name…': findings,
  '… …: fetch the game again or leave it out': findings,
  '…… …: repair the record or leave it out': findings,
  '… … not installed': findings,
  '…choose one of …': findings,
  'did you mean "…"? ': findings,
  '… … seed …': name,
  'agoge gpu install': name,
  'agoge … --resume …': name,
  'base, reader, run:<dir>[@step_40|@epoch_15|@latest|@best|@all], hf:<folder or repo>, gguf:<file>, openai:<model>[@<base URL>], replay:<episodes file>, <file.ts> (definePolicy), expert, random, human':
    name,
  "'observation'": others,
  "'available_actions'": others,
  "'goal_position'": others,
  'Agoge gym: …': others,
  'Method Not Allowed': others,
  'Not Found': others,
  'GOLD in PRED': others,
};

describe('errors in Chinese', async () => {
  await learnErrors();
  const place = /…|\{n\}/g;
  const all = errorSentences();
  const said = all.filter((one) => isSentence(one) && !(one.text in untranslated));

  it('are found where they are thrown, and where their parts are made', () => {
    expect(said.filter(({ part }) => !part).length).toBeGreaterThan(850);
    const texts = new Map(said.map((one) => [one.text, one]));
    expect(texts.get('the chat template refused the messages (check their roles and order)')?.caused).toBe(true);
    // By a function of the file, by one that is imported, by a class.
    for (const text of ['it is big-endian', 'names the predicate "…"', 'the result of …'])
      expect(texts.get(text)?.part).toBe(true);
  });

  it('have a translation', () => {
    const known = new Set([...Object.keys(chineseTexts), ...Object.keys(errorTexts)].map((text) => text.replace(place, '…')));
    const missing = said.filter(({ text }) => !known.has(text)).map(({ text, where }) => `${JSON.stringify(text)} (${where})`);
    expect(missing, 'add these to src/cli/chinese/errors/*.ts, with {1}, {2} for the values').toEqual([]);
  });

  it('are told with all of their values', () => {
    const broken = said.flatMap((one) => {
      const values: string[] = [];
      const value = (): string => values[values.push(String(7001 + values.length)) - 1] ?? '';
      const message = one.text.replace(place, value) + (one.caused ? `: ${value()}` : '');
      const told = inChinese(`agoge: ${message} [AREA_WHAT]`);
      return !told.includes(message) && values.every((word) => told.includes(word)) ? [] : [`${message} → ${told}`];
    });
    expect(broken).toEqual([]);
  });

  it('leave out nothing that is no longer said', () => {
    const texts = new Set(all.map(({ text }) => text));
    expect(Object.keys(untranslated).filter((text) => !texts.has(text))).toEqual([]);
  });

  /** Names and values have no words of ours; within a sentence a single word is a name. */
  function isSentence({ text, part }: Said): boolean {
    const words = text
      .replace(place, '1')
      .split(/\s+/)
      .filter((word) => /^\W*[a-z]{2,}\W*$/i.test(word));
    return words.length >= (part ? 2 : 1);
  }
});

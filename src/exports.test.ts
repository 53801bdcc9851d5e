/**
 * An export is there for others: nothing that only tests, or nobody, would miss. What a file uses itself may be exported so that
 * a test can hold it directly.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Exports that the product does not import by their names, and why they stay. */
const argued: Readonly<Record<string, string>> = {
  'src/sandbox/javascript/program.ts start': 'called in the worker by the name of its file',
  'src/sandbox/python/program.ts start': 'called in the worker by the name of its file',
  'src/sandbox/sqlite/program.ts start': 'called in the worker by the name of its file',
  'src/user-modules/file-hooks.ts initialize': "Node's loader calls it",
  'src/user-modules/file-hooks.ts load': "Node's loader calls it",
  'src/engine/embedded/sampling/calibration.ts forgetCalibration': 'tests put back what the process remembers',
  'src/engine/embedded/models/tokenizers/train-tokenizer.ts trainTokenizer':
    'the same as the slow form at once: tests compare them',
  'src/envs/webarena/evaluators/evaluate.ts checkEvaluators':
    "the shipped tasks' evaluators are read by a test, not at every start",
};

const files = ['src', 'web/src', 'scripts', 'tests', 'bench', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules/')),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const isTest = (file: string): boolean => file.startsWith('tests/') || /\.(test|fixture)\.tsx?$/.test(file);

/** File → those that import it, now or later, or start it by its address. */
const importers = new Map<string, Set<string>>();
for (const [file, text] of texts)
  for (const [, to = ''] of text.matchAll(/(?:from|import|import\(|URL\()\s*(?:\/\*[^*]*\*\/\s*)?'(\.[^']+)'/g)) {
    const target = relative(root, resolve(root, dirname(file), to)).replaceAll('\\', '/');
    importers.set(target, (importers.get(target) ?? new Set()).add(file));
  }

interface Exported {
  readonly file: string;
  readonly name: string;
  /** Who names it, itself aside. */
  readonly users: readonly string[];
  readonly usedAtHome: boolean;
}

const exported = [...texts]
  .filter(([file]) => file.startsWith('src/') && !file.startsWith('src/entry/') && !isTest(file) && !file.includes('/templates/'))
  .flatMap(([file, text]) =>
    Array.from(
      text.matchAll(/^export (?:abstract |async )*(?:function\*?|class|const|let) +(\w+)/gm),
      ([, name = '']): Exported => {
        const word = new RegExp(`\\b${name}\\b`, 'g');
        const users = [...(importers.get(file) ?? [])].filter((other) => texts.get(other)?.match(word));
        return { file, name, users, usedAtHome: (text.match(word)?.length ?? 0) > 1 };
      },
    ),
  );
const unused = exported.filter(({ users }) => users.every(isTest));

it('finds exports and those who use them', () => {
  expect(exported.length).toBeGreaterThan(1500);
  expect(unused.length).toBeLessThan(exported.length / 10);
});

it('no export that the product has no use for, but those argued for', () => {
  const dead = unused.filter(({ usedAtHome }) => !usedAtHome).map(({ file, name }) => `${file} ${name}`);
  expect(dead.filter((one) => argued[one] === undefined)).toEqual([]);
  expect(Object.keys(argued).filter((one) => !dead.includes(one))).toEqual([]);
});

it('hardly an export that nobody imports', () => {
  const alone = unused.filter(({ users, usedAtHome }) => usedAtHome && users.length === 0);
  expect(alone.length, alone.map(({ file, name }) => `${file} ${name}`).join('\n')).toBeLessThanOrEqual(3);
});

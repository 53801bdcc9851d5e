/** Small programs over strings with tests, as APPS' rows are: a function is described, its code is the answer, five tests decide. */
import { Random } from '../../../core/random/random.ts';
import type { DataRow } from '../row.ts';

interface Operation {
  readonly says: string;
  readonly code: string;
  readonly apply: (text: string) => string;
}

const operations: readonly Operation[] = [
  { says: 'turns it around', code: 's = s[::-1]', apply: (s) => Array.from(s).reverse().join('') },
  { says: 'writes it in capitals', code: 's = s.upper()', apply: (s) => s.toUpperCase() },
  {
    says: 'removes every vowel (aeiou)',
    code: "s = ''.join(c for c in s if c not in 'aeiou')",
    apply: (s) => s.replace(/[aeiou]/g, ''),
  },
  {
    says: 'writes every letter twice',
    code: "s = ''.join(c + c for c in s)",
    apply: (s) =>
      Array.from(s)
        .map((c) => c + c)
        .join(''),
  },
  { says: 'sorts its letters', code: "s = ''.join(sorted(s))", apply: (s) => Array.from(s).sort().join('') },
  {
    says: 'keeps every second letter, from the first on',
    code: 's = s[::2]',
    apply: (s) =>
      Array.from(s)
        .filter((_, i) => i % 2 === 0)
        .join(''),
  },
  { says: 'moves its first letter to the end', code: 's = s[1:] + s[:1]', apply: (s) => s.slice(1) + s.slice(0, 1) },
];

export function stringsRow(seed: number, split: string, index: number): DataRow {
  const random = Random.of(seed, 'strings', split, index);
  const chosen = random.shuffle(operations).slice(0, 1 + random.below(3));
  const words = Array.from({ length: 5 }, () => word(random));
  const outputs = words.map((text) => chosen.reduce((s, { apply }) => apply(s), text));
  const steps = chosen.map(({ says }) => says).join(', then ');
  const code = ['def transform(s):', ...chosen.map((one) => `    ${one.code}`), '    return s'].join('\n');
  const question =
    `Write a Python function transform(s) that takes a string of small letters and ${steps}. For example, transform("${words[0] ?? ''}") ` +
    `is "${outputs[0] ?? ''}". Answer with one block of code that begins with \`\`\`python.`;
  return {
    dataSource: 'apps',
    prompt: [{ role: 'user', text: question }],
    groundTruth: {
      fn_name: 'transform',
      inputs: words.map((text) => JSON.stringify(text)),
      outputs: outputs.map((text) => JSON.stringify(text)),
    },
    extraInfo: { split, index },
    solution: `\`\`\`python\n${code}\n\`\`\``,
    category: `${chosen.length} operation${chosen.length === 1 ? '' : 's'}`,
  };
}

function word(random: Random): string {
  return Array.from({ length: 3 + random.below(8) }, () => random.pick(Array.from('abcdefghijklmnopqrstuvwxyz'))).join('');
}

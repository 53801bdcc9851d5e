/** A table of text as it is pasted elsewhere: CSV, Markdown, LaTeX (booktabs). The first row is its head. */
import { csv } from '../charts/chart-file.ts';

export type TextTable = readonly (readonly string[])[];

export const tableFormats = {
  CSV: { ending: 'csv', write: csv },
  Markdown: { ending: 'md', write: markdown },
  LaTeX: { ending: 'tex', write: latex },
} as const;

function markdown([head = [], ...rows]: TextTable): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const rule = line(head.map((_, i) => (i === 0 ? '---' : '---:')));
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

function latex([head = [], ...rows]: TextTable): string {
  const line = (cells: readonly string[]): string => `${cells.map(escaped).join(' & ')} \\\\`;
  const columns = `l${'r'.repeat(Math.max(0, head.length - 1))}`;
  const body = [`\\begin{tabular}{${columns}}`, '\\toprule', line(head), '\\midrule', ...rows.map(line), '\\bottomrule'];
  return `${[...body, '\\end{tabular}'].join('\n')}\n`;
}

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '–': '--',
};

function escaped(text: string): string {
  return text.replace(/[\\~^–&%$#_{}]/g, (character) => special[character] ?? `\\${character}`);
}

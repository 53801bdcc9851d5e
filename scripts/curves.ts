/**
 * A figure for the pages from the runs' own metrics: one line per run.
 *   npx tsx scripts/curves.ts docs/figures/x.svg 'title' critic/score/mean outputs/a outputs/b
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [, , out = '', title = '', key = '', ...runs] = process.argv;
const [width, height, left, bottom, top] = [640, 320, 48, 36, 36];
const colours = ['#3572b0', '#c2572b', '#3f8f4f', '#8a5aa8'];

type Point = readonly [step: number, value: number];

function pointsOf(run: string): Point[] {
  const lines = readFileSync(join(run, 'metrics/training_metrics.jsonl'), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .flatMap((line): Point[] => {
      const { step, data } = JSON.parse(line) as { step: number; data: Record<string, number | undefined> };
      const value = data[key];
      return value === undefined ? [] : [[step, value]];
    });
}

const curves = runs.map((run) => ({ name: basename(run), line: pointsOf(run) }));
const last = Math.max(...curves.flatMap(({ line }) => line.map(([step]) => step)));
const x = (step: number): number => left + ((width - left - 16) * (step - 1)) / Math.max(1, last - 1);
const y = (value: number): number => top + (height - top - bottom) * (1 - value);
const text = (at: number, down: number, words: string, anchor = 'middle'): string =>
  `<text x="${at.toFixed(0)}" y="${down.toFixed(0)}" text-anchor="${anchor}">${words}</text>`;

const grid = [0, 0.25, 0.5, 0.75, 1].map(
  (value) => `<path d="M${left} ${y(value)}H${width - 16}" stroke="#8884"/>${text(left - 6, y(value) + 4, String(value), 'end')}`,
);
const drawn = curves.map(({ name, line }, index) => {
  const colour = colours[index % colours.length] ?? '#000';
  const path = line.map(([step, value], at) => `${at === 0 ? 'M' : 'L'}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const legend = `<path d="M${left + 8 + index * 150} 26h18" stroke="${colour}" stroke-width="2"/>${text(left + 32 + index * 150, 30, name, 'start')}`;
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${legend}`;
});
mkdirSync(dirname(out), { recursive: true });
writeFileSync(
  out,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui,sans-serif" font-size="12" fill="#777" role="img"><title>${title}</title>
${text(width / 2, 14, title)}${text(width / 2, height - 6, 'step')}${text(x(1), height - 20, '1')}${text(x(last), height - 20, String(last))}
${[...grid, ...drawn].join('\n')}
</svg>
`,
);

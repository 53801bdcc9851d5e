/** The curves of a study as one SVG: success on validation (dots) and in training (lines) over minutes, a picture for each environment. */
import type { ArmRow, StudyTable } from './gains.ts';
import type { CurvePoint } from './results.ts';

const [width, height, left, bottom, top] = [640, 260, 44, 34, 40] as const;
const colours = ['#3572b0', '#c2572b', '#3f8f4f', '#8a5aa8', '#b08a2e', '#4a9aa8'] as const;

export function curvesSvg({ study, panels }: StudyTable): string {
  const pictures = study.environments.flatMap(({ name }) => {
    const first = panels.find(({ environment }) => environment === name);
    return first ? [{ name, arms: first.arms }] : [];
  });
  const drawn = pictures.map(({ name, arms }, at) => `<g transform="translate(0 ${at * height})">${picture(name, arms)}</g>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${Math.max(1, pictures.length) * height}" font-family="system-ui,sans-serif" font-size="12" fill="#777" role="img">`,
    `<title>${escaped(study.study)}: success over minutes of training</title>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function picture(name: string, arms: readonly ArmRow[]): string {
  const lines = arms.flatMap(({ arm, curves }, index) => curves.map((curve) => ({ arm, index, ...curve })));
  const last = Math.max(
    1e-9,
    ...lines.flatMap(({ validation, training }) => [...validation, ...training].map(([, minutes]) => minutes)),
  );
  const x = (minutes: number): number => left + ((width - left - 16) * minutes) / last;
  const y = (value: number): number => top + (height - top - bottom) * (1 - value);
  const place = ([, minutes, value]: CurvePoint): string => `${x(minutes).toFixed(1)} ${y(value).toFixed(1)}`;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<path d="M${left} ${y(value)}H${width - 16}" stroke="#8884"/>${text(left - 6, y(value) + 4, String(value), 'end')}`,
  );
  const paths = lines.flatMap(({ index, validation, training }) => {
    const colour = colourOf(index);
    const trained =
      training.length === 0
        ? []
        : [`<path d="M${training.map(place).join('L')}" fill="none" stroke="${colour}" stroke-opacity="0.35"/>`];
    const dots = validation.map(
      (point) => `<circle cx="${x(point[1]).toFixed(1)}" cy="${y(point[2]).toFixed(1)}" r="2.5" fill="${colour}"/>`,
    );
    const joined =
      validation.length < 2
        ? []
        : [`<path d="M${validation.map(place).join('L')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`];
    return [...trained, ...joined, ...dots];
  });
  const legend = arms.map(({ arm }, index) => {
    const at = left + 8 + index * 110;
    return `<path d="M${at} 30h16" stroke="${colourOf(index)}" stroke-width="2"/>${text(at + 20, 34, escaped(arm), 'start')}`;
  });
  return [
    text(width / 2, 16, escaped(name)),
    text(width / 2, height - 4, 'minutes of training'),
    text(x(0), height - 18, '0'),
    text(x(last), height - 18, last.toFixed(1), 'end'),
    ...grid,
    ...legend,
    ...paths,
  ].join('\n');
}

function colourOf(index: number): string {
  return colours[index % colours.length] ?? '#000';
}

function text(at: number, down: number, words: string, anchor = 'middle'): string {
  return `<text x="${at.toFixed(0)}" y="${down.toFixed(0)}" text-anchor="${anchor}">${words}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The map as a picture: coast, streets, places and a way between two. It is decoration; everything it shows is told in words beside it. */
import { places, streets, type Place, type Route } from '../content/places.ts';
import { h, type Element } from '../html.ts';

const colours: Readonly<Record<string, string>> = {
  park: '#7fb77e',
  hospital: '#d9534f',
  transport: '#4a76c9',
  hotel: '#8e6bbf',
};

export function drawing({ pins = [], way }: { readonly pins?: readonly Place[]; readonly way?: Route } = {}): Element {
  const line = (points: readonly (readonly [number, number])[]): string =>
    points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
  return h(
    'svg',
    { class: 'map', viewBox: '0 0 320 180', 'aria-hidden': 'true', preserveAspectRatio: 'xMidYMid slice' },
    h('rect', { width: 320, height: 180, fill: '#f3efe6' }),
    h('path', {
      d: 'M0 152 Q60 146 120 152 T215 150 Q250 132 300 124 Q318 100 312 60 Q310 30 318 0 H320 V180 H0 Z',
      fill: '#bcd9ea',
    }),
    h('path', {
      d: 'M0 152 Q60 146 120 152 T215 150 Q250 132 300 124 Q318 100 312 60 Q310 30 318 0',
      fill: 'none',
      stroke: '#9cc3da',
      'stroke-width': 1,
    }),
    h('path', { d: 'M40 0 Q52 40 44 80 T52 150', fill: 'none', stroke: '#bcd9ea', 'stroke-width': 3 }),
    h('ellipse', { cx: 36, cy: 34, rx: 13, ry: 9, fill: '#bcd9ea' }),
    h('rect', { x: 84, y: 62, width: 48, height: 26, rx: 5, fill: '#d5e8cf' }),
    h('rect', { x: 210, y: 70, width: 30, height: 34, rx: 5, fill: '#d5e8cf' }),
    streets.map(({ from, to }) =>
      h('polyline', { points: line([from, to]), stroke: '#d8d0c0', 'stroke-width': 5, 'stroke-linecap': 'round' }),
    ),
    streets.map(({ from, to }) =>
      h('polyline', { points: line([from, to]), stroke: '#fff', 'stroke-width': 3.6, 'stroke-linecap': 'round' }),
    ),
    streets.map(({ name, from: [x1, y1], to: [x2, y2] }) => {
      const angle = Math.round((Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI);
      const [x, y] = [round((x1 + x2) / 2), round((y1 + y2) / 2 + 1.4)];
      return h('text', { x, y, transform: `rotate(${String(angle)} ${x} ${y})` }, name);
    }),
    places.map(({ at: [x, y], kind }) => h('circle', { cx: x, cy: y, r: 1.7, fill: colours[kind] ?? '#b08d57' })),
    way &&
      h('polyline', { points: line(way.path), fill: 'none', stroke: '#2563eb', 'stroke-width': 2.4, 'stroke-linejoin': 'round' }),
    pins.map(({ at: [x, y] }) =>
      h('path', {
        d: `M${String(x)} ${String(y)} l-4 -7 a4.6 4.6 0 1 1 8 0 Z`,
        fill: '#dc2626',
        stroke: '#fff',
        'stroke-width': 0.8,
      }),
    ),
    pins.map(({ name, at: [x, y] }) => h('text', { class: 'label', x, y: y > 120 ? y + 8 : y - 14 }, name)),
  );
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Pictures of products: a simple drawing for each sort of thing, in its category's colours. They say nothing that the text does not. */
import { categories, products, type Product } from '../content/products.ts';
import { h, type Element } from '../html.ts';

/** Drawings on a sheet of 120 by 90, standing on a line at 74. `a` is the main colour, `b` the dark one, `c` the light one. */
type Drawing = (a: string, b: string, c: string) => readonly Element[];

const path = (d: string, fill: string): Element => h('path', { d, fill });
const stroke = (d: string, colour: string, width: number): Element =>
  h('path', { d, fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
const disc = (cx: number, cy: number, r: number, fill: string): Element => h('circle', { cx, cy, r, fill });
const box = (x: number, y: number, width: number, height: number, rx: number, fill: string): Element =>
  h('rect', { x, y, width, height, rx, fill });

const drawings: readonly (readonly [RegExp, Drawing])[] = [
  [
    /Birds|History|Sourdough|Logbook|Knots|Field|Compilers|Poems/,
    (a, b, c) => [
      box(40, 18, 42, 56, 3, b),
      box(43, 18, 39, 52, 2, a),
      box(50, 28, 25, 3, 1, c),
      box(50, 35, 18, 3, 1, c),
      stroke('M46 18V70', b, 1.5),
    ],
  ],
  [
    /Board/,
    (a, b) => [
      box(30, 24, 52, 46, 8, a),
      box(80, 41, 16, 12, 6, a),
      disc(90, 47, 2.5, b),
      stroke('M38 34H72M38 44H64M38 54H72', b, 1),
    ],
  ],
  [
    /Skillet|Pan$/,
    (a, b, c) => [disc(52, 50, 25, b), disc(52, 50, 20, a), box(74, 46, 34, 8, 4, b), stroke('M42 42a14 14 0 0 1 14-6', c, 2.5)],
  ],
  [
    /Towel|Throw|Blanket|Rug|Felt/,
    (a, b, c) => [
      box(34, 22, 52, 50, 3, a),
      box(34, 32, 52, 4, 0, c),
      box(34, 42, 52, 4, 0, c),
      box(34, 52, 52, 4, 0, c),
      stroke('M36 72v5M44 72v5M52 72v5M60 72v5M68 72v5M76 72v5M84 72v5', b, 1.5),
    ],
  ],
  [
    /Bowl|Pot Set/,
    (a, b, c) => [
      path('M28 40H92Q90 74 60 74Q30 74 28 40Z', a),
      h('ellipse', { cx: 60, cy: 40, rx: 32, ry: 7, fill: b }),
      stroke('M38 56q4 10 12 13', c, 2.5),
    ],
  ],
  [
    /Rolling/,
    (a, b) => [
      h('g', { transform: 'rotate(-28 60 48)' }, box(22, 40, 76, 15, 7, a), box(14, 44, 10, 7, 3, b), box(96, 44, 10, 7, 3, b)),
    ],
  ],
  [
    /Coffee|Teapot|Watering/,
    (a, b, c) => [
      path('M38 36H78L84 74H32Z', a),
      stroke('M80 44q18 0 12 16q-3 8-12 8', b, 5),
      path('M36 48L20 34l-4 5 16 24z', b),
      box(44, 28, 28, 8, 4, b),
      stroke('M44 46l-3 18', c, 2.5),
    ],
  ],
  [
    /Knife|Saw|Trowel/,
    (a, b, c) => [
      h(
        'g',
        { transform: 'rotate(-24 60 48)' },
        path('M16 42H76V56H30Q18 54 16 42Z', c),
        stroke('M22 44H74', '#fff', 1.5),
        box(76, 42, 30, 13, 5, a),
        disc(84, 48.5, 1.6, b),
        disc(97, 48.5, 1.6, b),
      ),
    ],
  ],
  [
    /Seed|Stakes|Sachet/,
    (a, b, c) => [
      path('M38 26H82V74H38Z', a),
      path('M38 26L60 38L82 26Z', b),
      stroke('M60 66V50', c, 2.5),
      path('M60 52q-12-2-12-12q12 0 12 12Zm0 0q12-2 12-12q-12 0-12 12Z', c),
    ],
  ],
  [
    /Rucksack/,
    (a, b, c) => [
      path('M40 34q20-20 40 0V74H40Z', a),
      box(46, 50, 28, 18, 4, b),
      stroke('M50 27q10-10 20 0', b, 3),
      stroke('M48 40H72', c, 2.5),
    ],
  ],
  [/Flask|Torch|Candle/, (a, b, c) => [box(48, 28, 24, 46, 5, a), box(51, 18, 18, 10, 3, b), stroke('M54 36V66', c, 3)]],
  [
    /Socks|Jacket/,
    (a, b, c) => [
      path('M44 24H60V52L82 58Q86 74 74 74H56Q44 72 44 60Z', a),
      box(43, 22, 18, 9, 2, b),
      stroke('M47 40H58M47 46H58', c, 2.5),
    ],
  ],
  [
    /Compass|Clock$/,
    (a, b, c) => [
      disc(60, 47, 28, b),
      disc(60, 47, 24, c),
      path('M60 28l5 19h-10z', a),
      path('M60 66l5-19h-10z', b),
      disc(60, 47, 3, b),
    ],
  ],
  [
    /Stove/,
    (a, b, c) => [
      box(34, 56, 52, 16, 4, b),
      box(42, 36, 36, 20, 3, a),
      path('M60 16q12 10 0 18q-10-6 0-18Z', c),
      disc(46, 64, 3, c),
    ],
  ],
  [
    /Lamp/,
    (a, b, c) => [
      path('M44 18H76L86 48H34Z', c),
      stroke('M52 20l-6 26M60 20V46M68 20l6 26', a, 1.5),
      box(57, 48, 6, 18, 0, b),
      box(44, 66, 32, 8, 4, a),
    ],
  ],
  [
    /Rack|Notice/,
    (a, b, c) => [
      box(24, 30, 72, 16, 4, a),
      stroke('M34 46q0 12 8 12M54 46q0 12 8 12M74 46q0 12 8 12', b, 3.5),
      stroke('M30 36H84', c, 1.5),
    ],
  ],
  [
    /Ferry|Jigsaw/,
    (a, b, c) => [
      path('M22 54H98L88 74H34Z', a),
      box(40, 38, 40, 16, 3, c),
      box(48, 26, 8, 12, 1, b),
      disc(50, 46, 2.5, b),
      disc(60, 46, 2.5, b),
      disc(70, 46, 2.5, b),
    ],
  ],
  [/Seal/, (a, b) => [path('M24 72Q28 30 62 34Q84 38 96 62L86 60L92 74Z', a), disc(46, 48, 2.5, b), path('M34 56h6l-3 4z', b)]],
  [/Kite/, (a, b, c) => [path('M60 12L84 40L60 72L36 40Z', a), path('M60 12L60 72L36 40Z', b), stroke('M60 72q8 6 2 12', c, 2)]],
  [
    /Blocks|Marble/,
    (a, b, c) => [box(28, 48, 26, 26, 4, a), box(58, 48, 26, 26, 4, b), box(43, 20, 26, 26, 4, c), disc(56, 33, 6, a)],
  ],
  [
    /Top/,
    (a, b, c) => [path('M30 42H90L60 76Z', a), box(34, 34, 52, 8, 4, b), box(57, 18, 6, 16, 3, b), stroke('M40 50H80', c, 2.5)],
  ],
];

export function picture(one: Product, size: 'small' | 'large' = 'small'): Element {
  const hue = categories.find(({ id }) => id === one.category)?.hue ?? 0;
  const at = products.findIndex(({ id }) => id === one.id);
  const tone = (hue + ((at * 13) % 36) - 18 + 360) % 360;
  const colour = (saturation: number, light: number): string => `hsl(${String(tone)} ${String(saturation)}% ${String(light)}%)`;
  const original = products[at] ?? one;
  const draw = drawings.find(([names]) => names.test(original.name))?.[1] ?? drawings[0]?.[1];
  return h(
    'svg',
    { class: `art ${size}`, viewBox: '-43 0 206 90', 'aria-hidden': 'true', preserveAspectRatio: 'xMidYMid slice' },
    h('rect', { x: -43, width: 206, height: 90, fill: colour(44, 93) }),
    h('circle', { cx: 10 + ((at * 31) % 100), cy: 26, r: 30, fill: colour(50, 88) }),
    h('rect', { x: -43, y: 74, width: 206, height: 16, fill: colour(30, 84) }),
    draw?.(colour(42, 48), colour(38, 30), colour(48, 74)),
  );
}

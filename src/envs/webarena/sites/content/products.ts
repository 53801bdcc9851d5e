/** What the shop sells, and what its customers wrote about it. Prices are in cents. */
import { Random } from '../../../../core/random/random.ts';
import { people } from './people.ts';

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly line: string;
  readonly hue: number;
}

export interface Product {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly category: string;
  readonly price: number;
  readonly stock: number;
  readonly maker: string;
  readonly text: string;
}

export interface Review {
  readonly product: string;
  readonly author: string;
  readonly stars: number;
  readonly title: string;
  readonly text: string;
  readonly date: string;
}

export const categories: readonly Category[] = [
  { id: 'kitchen', name: 'Kitchen', line: 'Pans, boards and knives for every day.', hue: 22 },
  { id: 'garden', name: 'Garden', line: 'Tools and pots that outlast the winter.', hue: 128 },
  { id: 'books', name: 'Books', line: 'New and well loved, from local presses.', hue: 262 },
  { id: 'outdoor', name: 'Outdoor', line: 'For the coast path and the long way home.', hue: 196 },
  { id: 'home', name: 'Home', line: 'Lamps, blankets and quiet corners.', hue: 340 },
  { id: 'toys', name: 'Toys', line: 'Wood, wool and a little clockwork.', hue: 48 },
];

const rows = `
kitchen|Oak Serving Board|3450|12|Tannery Row Works|One piece of oiled oak with a groove for crumbs.
kitchen|Cast Iron Skillet|5900|7|Bay Foundry|Pre-seasoned, 26 centimetres across, good for a hundred years.
kitchen|Copper Milk Pan|6800|3|Bay Foundry|Heats evenly and pours without a drop lost.
kitchen|Linen Tea Towel|1200|40|Garden Walk Looms|Washed linen with a blue stripe and a loop to hang it.
kitchen|Stoneware Mixing Bowl|2750|18|Chapel Hill Pottery|A wide bowl with a lip, glazed in sea grey.
kitchen|Walnut Rolling Pin|2400|9|Tannery Row Works|Tapered, without handles, as bakers like it.
kitchen|Pour Over Coffee Set|4200|15|Conti Roasters|Glass server, steel filter and a measuring spoon.
kitchen|Enamel Teapot|3800|0|Bay Foundry|Holds six cups and survives a fall.
kitchen|Bread Knife|3100|22|Ferry Road Cutlers|A long serrated blade that does not tear the crumb.
garden|Steel Hand Trowel|1650|31|Ferry Road Cutlers|Forged in one piece, with marks for planting depth.
garden|Terracotta Pot Set|2900|14|Chapel Hill Pottery|Three pots with saucers, frost proof.
garden|Folding Pruning Saw|2600|11|Ferry Road Cutlers|Cuts on the pull, locks open and shut.
garden|Seed Box Vegetables|1400|55|Orchard Lane Seeds|Twelve packets: beans, beets, carrots, chard and more.
garden|Seed Box Wildflowers|1300|48|Orchard Lane Seeds|Poppy, cornflower, yarrow and what the bees asked for.
garden|Galvanised Watering Can|3300|8|Bay Foundry|Nine litres, with a brass rose that can be removed.
garden|Wool Plant Felt|900|60|Garden Walk Looms|Keeps roots warm and slugs confused.
garden|Bamboo Garden Stakes|750|80|Orchard Lane Seeds|Twenty stakes, one and a half metres each.
books|Birds of the Merrow Coast|2100|16|Quay Street Press|Two hundred species with sketches by Emil Novak.
books|A Short History of Salt|1850|10|Quay Street Press|How one harbour seasoned half a continent.
books|Sourdough for Sceptics|1950|25|Mill Street Books|Forty loaves and the reasons they fail.
books|The Lighthouse Keeper's Logbook|1600|13|Quay Street Press|Storms, suppers and one proposal, 1881 to 1904.
books|Knots in Twelve Lessons|1250|30|Mill Street Books|With a metre of cord in the cover.
books|Field Notes on Tidal Pools|1700|19|Mill Street Books|What lives between high and low water.
books|Compilers Over Coffee|3600|6|Mill Street Books|A small language, built from scratch in ten mornings.
books|Poems for the Night Ferry|1100|28|Quay Street Press|Forty short poems, waterproof cover.
outdoor|Waxed Canvas Rucksack|9800|5|Harbour Sail Loft|Twenty litres, leather straps, a pocket for maps.
outdoor|Steel Vacuum Flask|3200|34|Bay Foundry|Keeps tea hot for twelve hours. We checked.
outdoor|Wool Hiking Socks|1500|70|Garden Walk Looms|Merino, padded at heel and toe.
outdoor|Compact Rain Jacket|8400|9|Harbour Sail Loft|Packs into its own pocket.
outdoor|Brass Pocket Compass|4100|12|Ferry Road Cutlers|Liquid filled, with a lid that closes softly.
outdoor|Head Torch|2800|26|Bay Foundry|Three hundred lumens and a red light for reading charts.
outdoor|Camp Stove|5600|4|Bay Foundry|Folds flat, boils a litre in four minutes.
outdoor|Picnic Blanket|3900|17|Garden Walk Looms|Wool above, wax below.
home|Paper Lantern Lamp|4500|10|Chapel Hill Pottery|A stoneware foot and a shade of folded paper.
home|Lambswool Throw|7200|8|Garden Walk Looms|Woven on Garden Walk, washed in soft water.
home|Beeswax Candle Pair|1350|45|Quay Street Apiary|Two hand dipped candles that burn for nine hours.
home|Driftwood Coat Rack|5200|6|Tannery Row Works|Five hooks on a board the sea had first.
home|Ceramic Wall Clock|6100|7|Chapel Hill Pottery|Silent movement, numbers by Rosa Delgado.
home|Cork Notice Board|2250|20|Tannery Row Works|Framed in ash, with twelve brass pins.
home|Lavender Sachet|650|90|Garden Walk Looms|For drawers, pillows and parcels.
home|Striped Cotton Rug|4800|0|Garden Walk Looms|Flat woven, reversible, two by one metre.
toys|Wooden Ferry Set|3700|11|Tannery Row Works|A ferry, four cars and a harbour that floats.
toys|Knitted Seal|2300|16|Garden Walk Looms|Knitted by Greta Solberg, stuffed with local wool.
toys|Clockwork Crab|1900|21|Ferry Road Cutlers|Walks sideways for forty seconds.
toys|Marble Run|5400|9|Tannery Row Works|Sixty pieces of beech and twenty marbles.
toys|Kite With Two Lines|2950|13|Harbour Sail Loft|Ripstop sail, flies from a light breeze.
toys|Alphabet Blocks|2650|24|Tannery Row Works|Twenty-six blocks, one letter each, no paint.
toys|Tin Spinning Top|1450|38|Bay Foundry|Hums a fifth when it is fast enough.
toys|Jigsaw of the Old Harbour|2050|27|Quay Street Press|Five hundred pieces after a painting from 1911.
`;

export const products: readonly Product[] = rows
  .trim()
  .split('\n')
  .map((row, at) => {
    const [category = '', name = '', price = '', stock = '', maker = '', text = ''] = row.split('|');
    const sku = `${category.slice(0, 2).toUpperCase()}-${String(101 + at)}`;
    return { id: slug(name), sku, name, category, price: Number(price), stock: Number(stock), maker, text };
  });

const byId = new Map(products.map((product) => [product.id, product]));

export function findProduct(id: string): Product | undefined {
  return byId.get(id);
}

export function product(id: string): Product {
  const found = byId.get(id);
  if (!found) throw new RangeError(`the shop has no ${id}`);
  return found;
}

export function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** Lower case words with hyphens, as addresses carry them. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const opinions: readonly (readonly [number, string, string])[] = [
  [5, 'Exactly right', 'I use it every day and would buy it again tomorrow.'],
  [5, 'A joy', 'Better made than it had to be. My sister wants one now.'],
  [5, 'Worth every cent', 'Arrived early, well packed, and it simply works.'],
  [4, 'Very good', 'Does what it promises. The box was a little dented.'],
  [4, 'Solid', 'A bit heavier than I expected, but I have no regrets.'],
  [4, 'Pleased', 'Good value. The colour is softer than in the picture.'],
  [3, 'Fine', 'It is all right for the price, nothing more.'],
  [3, 'Mixed feelings', 'Nice to look at, but the size is smaller than I thought.'],
  [2, 'Not for me', 'It came late and one corner was scratched.'],
  [2, 'Disappointed', 'After two weeks it already looks tired.'],
  [1, 'Sent it back', 'It broke on the first evening. The refund was quick.'],
];

function writeReviews(): Review[] {
  return products.flatMap((one) => {
    const random = Random.of(21, 'reviews', one.id);
    const kind = random.below(3);
    const pool = kind === 0 ? opinions : kind === 1 ? opinions.slice(0, 7) : opinions.slice(2, 10);
    const texts = random.shuffle(pool).slice(0, random.between(2, 5));
    const authors = random.shuffle(people.slice(1));
    return texts.map(([stars, title, text], at) => ({
      product: one.id,
      author: authors[at]?.id ?? 'tobias',
      stars,
      title,
      text,
      date: date(random.between(0, 170)),
    }));
  });
}

/** The sites' clock stands still on 15 March 2026; days are counted back from it. */
export function date(daysAgo: number): string {
  return new Date(Date.UTC(2026, 2, 15) - daysAgo * 86_400_000).toISOString().slice(0, 10);
}

export const reviews: readonly Review[] = writeReviews();

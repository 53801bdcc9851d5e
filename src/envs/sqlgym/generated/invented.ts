/**
 * Databases put together at random, one for every question: a policy that meets a thousand schemas must read names off the description,
 * where the names of nine databases can be learned by heart. The same seed and number give the same question.
 */
import { Random } from '../../../core/random/random.ts';
import { templates, type Made, type Template } from './templates.ts';
import { makeWorld, type World } from './world.ts';

export const INVENTED = 6000;
export const INVENTED_TEST = 200;

export interface Invented extends Made {
  readonly world: World;
  readonly template: Template;
}

const TABLES = 2;
const ROWS = 24;

/** The question with this number, on a database of its own; templates take turns, and one that finds no columns is passed over. */
export function invent(seed: number, split: 'train' | 'test', number: number): Invented {
  const random = Random.of(seed, 'invented', split, number);
  const fitting = templates.filter(({ category, heldOut }) => category === 'one table' && heldOut !== true);
  for (let next = number; ; next++) {
    const [name = '', ...tables] = random.shuffle([...NOUNS]).slice(0, TABLES + 1);
    const world = makeWorld(name, tables.map((noun) => tableLine(noun, random)).join('\n'), random.below(2 ** 30));
    const template = fitting[next % fitting.length] as Template;
    const made = template.make(world, random);
    if (made) return { ...made, world, template };
  }
}

/** A table with a name, numbers (some of them not always known), categories and perhaps a date, in any order. */
function tableLine(noun: string, random: Random): string {
  const some = (columns: readonly string[], least: number, most: number): string[] =>
    random.shuffle([...columns]).slice(0, random.between(least, most));
  const numbers = some(NUMBERS, 1, 2).map((column) => (random.below(4) === 0 ? `${column}?` : column));
  const columns = [...numbers, ...some(CATEGORIES, 1, 2), ...some(DATES, 0, 1)];
  return `${noun} ${ROWS}: ${[random.pick(LABELS), ...random.shuffle(columns)].join('; ')}`;
}

const lines = (text: string): readonly string[] => text.trim().split('\n');

// No word of SQL among them.
const NOUNS =
  `actor animal apple artist author badge band bank barn basket battle bean bird boat book bottle box bridge brush camera camp
candle canal car cave chain chair chart church client clock cloud club coach coat coin colony contract country county court
cow craft crop cup desk device dish dog door dragon drawing dress drink driver drum duck engine event farm farmer fern film
fish flag flower forest fork friend fruit garden gate gift goat grain guard guest guitar harbor hat hero hill horse house
insect island jacket judge kettle king kitchen knife ladder lake lamp lawyer leaf lemon letter lion machine map market meal
medal meeting mill mine mirror moon motor mountain nest novel nurse office onion orchard organ owner palace panel paper
parade park party pearl pen pepper piano pilot pipe planet plant plate player pocket poem pond pony poster potato prince
printer prize rabbit radio recipe record report restaurant ring river road robot rocket roof rope sailor salad sample sheet
shirt shoe shop singer soldier song spoon star statue stone storm story street student sword tailor tank teacher temple tent
ticket tiger tower town tractor trail train tree truck tunnel village violin visitor wagon wall watch weapon wheel wizard
worker writer`.split(/\s+/);

const LABELS = lines(`
name person
name place
name company
title title
label title`);

const NUMBERS = lines(`
price 2.50..90.00
weight 10..900
height 20..400
length 15..700
width 5..300
depth 1..80
age 1..90
speed 5..250
score 0..100
rating 1..10
cost 20..4000
wage 900..8000
salary 1500..9000
value 100..50000
capacity 10..2000
page_count 20..900
piece_count 1..60
seat_count 10..400
visitor_count 5..5000
hour_count 1..300
floor 0..12
rank 1..50
area 4..900
volume 1..600
distance 3..2000
temperature 1..99
power 20..700
budget 500..90000
profit 10..7000
founding_year 1850..2015
birth_year 1900..2005`);

const CATEGORIES = lines(`
color of red, blue, green, white, black
country of Brazil, Egypt, France, India, Japan, Kenya, Norway
kind of small, large, giant, tiny
state of new, used, broken, lost
region of north, south, east, west
material of wood, steel, glass, paper, stone
shape of round, square, oval, flat
level of basic, silver, gold
status of open, closed, planned
language of Arabic, English, French, Spanish
season of spring, summer, autumn, winter
city of Lyon, Oslo, Porto, Turin, Ghent
style of blues, folk, jazz, metal, pop
role of captain, cook, guard, scout
field of arts, science, sport, trade
grade of junior, senior, chief
taste of sweet, sour, bitter, salty
origin of farm, forest, lake, sea
size of short, medium, long
mood of calm, happy, angry, sad`);

const DATES = lines(`
day date 2015..2024
opening_date date 1950..2015
hiring_date date 2000..2023
birthday date 1950..2010
release_date date 1980..2023
purchase_date date 2005..2024`);

/** The house: every room with its furniture, in the order in which the original makes them. Pictures, books and colours are drawn at random. */
import { Bee } from '../life/bee.ts';
import { food } from '../substances/food.ts';
import { paint } from '../substances/paint.ts';
import { Substance } from '../substances/substance.ts';
import { Agent } from '../things/agent.ts';
import { cup, Sewer } from '../things/containers.ts';
import { randomBook } from '../things/documents.ts';
import { Battery, lightBulb, Switch, Wire } from '../things/electrical.ts';
import * as furniture from '../things/furniture.ts';
import { Cooler, Heater } from '../things/heating.ts';
import { firePit } from '../things/outdoors.ts';
import { Picture } from '../things/picture.ts';
import { Basin, Fountain, Toilet } from '../things/plumbing.ts';
import { Door } from '../things/portal.ts';
import type { Thing, World } from '../things/thing.ts';
import { Axe, Lighter, Shovel, StopWatch, Thermometer } from '../things/tools.ts';
import { byText } from '../language/java-strings.ts';
import { Location, Outside, Room, Universe } from './location.ts';

/** Makes the universe with the house in it, and the agent in a place drawn at random. */
export function makeHouse(world: World): { readonly universe: Universe; readonly agent: Agent } {
  const universe = new Universe(world);
  const sewer = new Sewer(world);
  universe.add(sewer);
  const put = <T extends Thing>(place: T): T => {
    universe.add(place);
    return place;
  };
  const kitchen = put(makeKitchen(world, sewer));
  const livingRoom = put(makeLivingRoom(world));
  const bedroom = put(makeBedroom(world));
  const bathroom = put(makeBathroom(world, sewer));
  const workshop = put(makeWorkshop(world));
  const greenhouse = put(makeGreenhouse(world, sewer));
  const artStudio = put(makeArtStudio(world));
  const hallway = new Room(world, 'hallway');
  hallway.add(new Picture(world));
  put(hallway);
  const outside = put(makeOutside(world));
  const foundry = put(makeFoundry(world, sewer));

  const shovel = new Shovel(world);
  (world.random.nextInt(2) === 1 ? greenhouse : outside).add(shovel);

  const doors: readonly (readonly [Thing, Thing])[] = [
    [kitchen, hallway],
    [livingRoom, hallway],
    [bedroom, hallway],
    [bathroom, kitchen],
    [workshop, hallway],
    [greenhouse, hallway],
    [artStudio, hallway],
    [kitchen, outside],
    [greenhouse, outside],
    [foundry, outside],
  ];
  for (const [from, to] of doors) {
    const door = new Door(world, from, to);
    from.addPortal(door);
    to.addPortal(door);
  }

  const agent = new Agent(world);
  const places = universe.contents.filter((thing) => thing instanceof Location);
  places.sort((a, b) => byText(a.name, b.name) || a.id - b.id);
  places[world.random.nextInt(places.length)]?.add(agent);
  return { universe, agent };
}

function makeBathroom(world: World, sewer: Thing): Room {
  const room = new Room(world, 'bathroom');
  room.add(new Basin(world, 'Sink', sewer));
  room.add(new Toilet(world, sewer));
  room.add(new Basin(world, 'Bathtub', sewer));
  room.add(cup(world, 'GlassCup'));
  room.add(new Picture(world));
  return room;
}

function makeBedroom(world: World): Room {
  const room = new Room(world, 'bedroom');
  room.add(furniture.bed(world));
  room.add(furniture.woodTable(world));
  room.add(furniture.closet(world));
  room.add(new Picture(world));
  if (world.random.nextBoolean()) room.add(randomShelf(world));
  return room;
}

function makeLivingRoom(world: World): Room {
  const room = new Room(world, 'living room');
  room.add(furniture.couch(world));
  room.add(furniture.chair(world));
  const tables = [furniture.woodTable, furniture.steelTable, furniture.desk];
  const table = tables[world.random.nextInt(tables.length)] ?? furniture.woodTable;
  room.add(table(world));
  room.add(new Picture(world));
  if (world.random.nextBoolean()) room.add(randomShelf(world));
  return room;
}

function randomShelf(world: World): Thing {
  const books = world.random.nextInt(4);
  const shelf = furniture.bookShelf(world);
  for (let i = 0; i < books; i++) shelf.add(randomBook(world));
  return shelf;
}

function makeKitchen(world: World, sewer: Thing): Room {
  const room = new Room(world, 'kitchen');
  room.add(new Basin(world, 'Sink', sewer));
  room.add(new Heater(world, 'Stove'));
  const fridge = new Cooler(world, 'Fridge');
  room.add(fridge);
  room.add(new Cooler(world, 'Freezer'));
  room.add(new Heater(world, 'Oven'));

  const cupboard = furniture.cupboard(world);
  room.add(cupboard);
  for (const kind of ['MetalPot', 'TinCup', 'CeramicCup'] as const) cupboard.add(cup(world, kind));

  const counter = furniture.counter(world);
  room.add(counter);
  const bowl = cup(world, 'WoodBowl');
  counter.add(bowl);
  for (const kind of ['Apple', 'Banana', 'Orange', 'Potato'] as const) bowl.add(food(world, kind));

  const juiceCup = cup(world, 'WoodCup');
  juiceCup.add(food(world, 'OrangeJuice'));
  fridge.add(juiceCup);

  room.add(new Thermometer(world));
  room.add(new Picture(world));
  const table = furniture.woodTable(world);
  room.add(table);
  table.add(cup(world, 'GlassCup'));
  room.add(furniture.chair(world));
  room.add(new Lighter(world));
  const jar = cup(world, 'GlassJar');
  jar.add(new Substance(world, 'SodiumChloride'));
  room.add(jar);
  room.add(new Substance(world, 'Soap'));
  room.add(new StopWatch(world));
  return room;
}

function makeWorkshop(world: World): Room {
  const room = new Room(world, 'workshop');
  const table = furniture.woodTable(world);
  room.add(table);
  const lights = world.random.shuffle(['red', 'green', 'blue', 'yellow', 'orange', 'violet']);
  for (const color of lights.slice(0, 3)) table.add(lightBulb(world, color));
  const wires = world.random.shuffle(['red', 'green', 'blue', 'yellow', 'orange', 'black']);
  for (const color of wires.slice(0, 3)) {
    const wire = new Wire(world);
    wire.name = `${color} wire`;
    table.add(wire);
  }
  table.add(new Switch(world));
  table.add(new Battery(world));
  room.add(new Cooler(world, 'UltraColdFreezer'));
  return room;
}

const BEES = 5;

function makeGreenhouse(world: World, sewer: Thing): Room {
  const room = new Room(world, 'greenhouse');
  room.add(cup(world, 'Jug'));
  const hive = furniture.beeHive(world);
  for (let i = 0; i < BEES; i++) hive.add(new Bee(world, `bee ${i}`));
  room.add(hive);
  room.add(new Basin(world, 'Sink', sewer));
  return room;
}

const PRIMARY = ['RedPaint', 'BluePaint', 'YellowPaint'] as const;

function makeArtStudio(world: World): Room {
  const room = new Room(world, 'art studio');
  const table = furniture.woodTable(world);
  room.add(table);
  const vessels = world.random.shuffle([cup(world, 'GlassCup'), cup(world, 'WoodBowl'), cup(world, 'Jug')]);
  const vessel = vessels[0];
  if (vessel !== undefined) table.add(vessel);
  for (const full of paintedCups(world)) room.add(full);
  const cupboard = furniture.cupboard(world);
  room.add(cupboard);
  for (const full of paintedCups(world)) cupboard.add(full);
  cupboard.name = 'large cupboard';
  return room;
}

/** Wooden cups of the three primary colours; all paints are made before the first cup. */
function paintedCups(world: World): readonly Thing[] {
  const paints = PRIMARY.map((kind) => paint(world, kind));
  return paints.map((color) => {
    const full = cup(world, 'WoodCup');
    full.add(color);
    return full;
  });
}

function makeOutside(world: World): Outside {
  const outside = new Outside(world);
  outside.add(firePit(world));
  outside.add(new Substance(world, 'Wood'));
  outside.add(new Axe(world));
  outside.add(new Fountain(world));
  return outside;
}

function makeFoundry(world: World, sewer: Thing): Room {
  const room = new Room(world, 'foundry');
  room.add(new Heater(world, 'BlastFurnace'));
  room.add(new Basin(world, 'Sink', sewer));
  room.add(furniture.steelTable(world));
  return room;
}

/** The original's numbers for kinds of things, as its generated actions carry them: a kind's place in this list. */

const KINDS = [
  'Agent InventoryContainer BookShelf CeramicCup Container Cup FlowerPot GlassCup GlassJar Jug MetalPot PaperCup',
  'PlasticCup SelfWateringFlowerPot Sewer TinCup WoodBowl WoodCup Bed BeeHive Chair Closet Couch Counter Cupboard',
  'Desk Drawer Mattress Pillow Sittable SteelTable WoodTable Axe Bathtub BlastFurnace CoolingSource Device',
  'Freezer Fridge HeatSource HotPlate Lighter Oven Shovel Sink StopWatch Stove Thermometer Toilet',
  'UltraColdFreezer Book BookBeowulf BookFrankenstein BookMobyDick BookOriginOfSpecies BookPrideAndPrejudice',
  'BookSherlockHolmes ColoredPaper Document Paper Recipe Anode Battery Cathode ElectricBuzzer ElectricMotor',
  'ElectricalComponent GasGenerator Generator LightBulb NuclearGenerator PolarizedElectricalComponent',
  'RenewableOutdoorGenerator SolarPanel Switch Terminal UnpolarizedElectricalComponent WindGenerator Wire FirePit',
  'Fountain Ground Hole LivingThing Animal Ant Beaver Bee BlueJay BrownBear Butterfly Chameleon Chipmunk',
  'Crocodile Dove Dragonfly Elephant Frog GiantTortoise Hedgehog Moth Mouse Parrot Rabbit Toad Turtle',
  'WanderingAnimal Wolf AppleTree ApricotTree AvocadoTree BananaTree CherryTree Flower FruitingTree',
  'GrapefruitTree LemonTree OrangeTree PeaPlant PeachTree PearTree Plant Pollen RandomGeneticsPlants',
  'RandomGeneticsPlantsB RandomGeneticsPlantsC RandomGeneticsPlantsD RandomGeneticsPlantsE Soil Tree Location',
  'Outside Room Universe AluminumFoil ForkMetal ForkPlastic InclinedPlane PaperClip Picture Door LiquidDrain',
  'Portal AceticAcid Air Ash Brick Caesium Gallium Ice IronBlock Lead Mercury Rubber Rust SaltWater Soap',
  'SoapyWater Sodium SodiumAcetate SodiumBicarbonate SodiumChloride SteelBlock Substance Sugar SugarWater Tin',
  'Water Wood WoodBlock Almond Apple AppleJuice Apricot Avocado Banana Bread Cashew Cherry Chocolate Dough Flour',
  'Food Fruit FruitSalad Garlic Grapefruit IceCream Jam Lemon Marshmallow MixedNuts Onion Orange OrangeJuice',
  'Peach Peanut Pear Potato Sandwich Smores BluePaint BlueVioletPaint BrownPaint GreenBluePaint GreenPaint',
  'OrangePaint Paint RedOrangePaint RedPaint VioletPaint VioletRedPaint YellowGreenPaint YellowOrangePaint',
  'YellowPaint AnswerBox UnknownSubstanceElectricalConductivity UnknownSubstanceThermal',
]
  .join(' ')
  .split(' ');

const IDS: ReadonlyMap<string, number> = new Map(KINDS.map((kind, id) => [kind, id]));

export function typeId(kind: string): number {
  return IDS.get(kind) ?? KINDS.length;
}

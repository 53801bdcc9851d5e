/** Liquids cannot be picked up: the expert pours them, dunks for them, or carries what holds them. */
import type { Thing } from '../things/thing.ts';
import type { Hand } from './hand.ts';

/** An empty cup, pot or jug that can be carried, the nearest. */
export function emptyCup(hand: Hand): Thing {
  return hand.find(
    (thing) =>
      CUPS.has(thing.kind) && thing.vessel?.isContainer === true && thing.visible.length === 0 && thing.name !== 'seed jar',
  );
}

const CUPS = new Set(['MetalPot', 'GlassCup', 'TinCup', 'CeramicCup', 'PlasticCup', 'PaperCup', 'WoodCup', 'WoodBowl', 'Jug']);

/** Fills a carried cup with water from the fountain outside, and returns the water. */
export function fetchWater(hand: Hand, cup: Thing): Thing {
  hand.pickUp(cup);
  const fountain = hand.find((thing) => thing.kind === 'Fountain');
  hand.reach(fountain);
  hand.waitUntil(() => fountain.contentsOfKind('Water').length > 0);
  hand.do('dunk', cup, 'into', fountain);
  const water = cup.contentsOfKind('Water')[0];
  if (water === undefined) throw new RangeError('the fountain gave no water');
  return water;
}

/** Brings a substance, solid or liquid, into a container. */
export function bring(hand: Hand, substance: Thing, container: Thing): void {
  const holder = substance.container;
  if (substance.material?.state !== 'liquid' || holder === undefined) {
    hand.put(substance, container);
    return;
  }
  let from = holder;
  if (!holder.movable) {
    from = emptyCup(hand);
    hand.pickUp(from);
    hand.reach(holder);
    hand.do('dunk', from, 'into', holder);
  }
  if (!hand.isCarried(from) && (hand.isCarried(container) || hand.placeOf(from) !== hand.placeOf(container))) {
    hand.pickUp(from);
  }
  hand.reach(from);
  hand.reach(container);
  hand.open(container);
  hand.do('pour', substance, 'into', container);
}

/** Which things count: those within reach of a command, and those the original lists for generated actions. */
import type { Thing } from '../things/thing.ts';
import { accessible } from '../things/within.ts';

/** A root, its portals and where they lead, and all that can be reached in it. */
export function reachable(root: Thing, hidden: boolean): ReadonlySet<Thing> {
  const out = new Set<Thing>();
  if (hidden || !root.hidden) out.add(root);
  addPortals(root, out);
  if (hidden || !root.hidden) for (const thing of accessible(root, hidden)) out.add(thing);
  return out;
}

/** Like `reachable`, but through closed lids as well; in the order in which they are met. */
export function collected(root: Thing, hidden: boolean): ReadonlySet<Thing> {
  const out = new Set<Thing>();
  const visit = (thing: Thing): void => {
    if (hidden || !thing.hidden) out.add(thing);
    addPortals(thing, out);
    if (hidden || !thing.hidden) for (const inner of thing.contentsAndPortals) visit(inner);
  };
  visit(root);
  return out;
}

function addPortals(thing: Thing, out: Set<Thing>): void {
  for (const portal of thing.portals) {
    out.add(portal);
    const to = portal.leadsTo(thing);
    if (to !== undefined) out.add(to);
  }
}

/** Walks through what is in a thing: all of it, what one sees, what one can reach. Ordered by identity, nothing twice. */
import { byId } from './order.ts';
import type { Thing } from './thing.ts';

/** Everything inside, however deep, hidden or not. */
export function everythingInside(root: Thing): readonly Thing[] {
  const out: Thing[] = [];
  const visit = (thing: Thing): void => {
    for (const inner of thing.contents) {
      out.push(inner);
      visit(inner);
    }
  };
  visit(root);
  return byId(out);
}

/** Everything inside and the portals there, through closed lids; without `hidden`, hidden things and what they hold are left out. */
export function allWithin(root: Thing, hidden = false, connections = false): readonly Thing[] {
  const out = new Set<Thing>();
  const visit = (thing: Thing): void => {
    for (const portal of thing.portals) {
      if (portal.hidden && !hidden) continue;
      out.add(portal);
      if (connections) {
        out.add(portal.from);
        out.add(portal.to);
      }
    }
    for (const inner of thing.contents) {
      if (inner.hidden && !hidden) continue;
      out.add(inner);
      visit(inner);
    }
  };
  visit(root);
  return byId([...out]);
}

/** What can be reached from here: contents, contents of open containers, and terminals. */
export function accessible(root: Thing, hidden: boolean): readonly Thing[] {
  const out = new Set<Thing>();
  const visit = (thing: Thing): void => {
    for (const inner of thing.contents) {
      if (inner.hidden && !hidden) continue;
      out.add(inner);
      for (const terminal of inner.contactPoints(hidden)) out.add(terminal);
      if (inner.vessel?.isOpen === true) visit(inner);
    }
    for (const portal of thing.portals) if (portal.hidden || hidden) out.add(portal);
  };
  visit(root);
  return byId([...out]);
}

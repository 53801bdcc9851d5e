/** Circuits: whether a part is wired, through others, to a part of some name. */
import { OriginalFault } from '../fault.ts';
import { PolarizedPart } from '../things/electrical.ts';
import type { Terminal, Thing } from '../things/thing.ts';

const LONGEST = 10;

export function isWiredTo(part: Thing, name: string): boolean {
  const start = part instanceof PolarizedPart ? part.anode : part.terminal1;
  return start !== undefined && leadsTo(part, start, name, LONGEST);
}

function leadsTo(part: Thing, entry: Terminal, name: string, steps: number): boolean {
  if (steps <= 0) return false;
  const exit = part.otherTerminal(entry);
  // A switch that is off has no other side; the original stumbles over it.
  if (exit === undefined) throw new OriginalFault('java.util.NoSuchElementException: None.get');
  if (exit.connections.some((terminal) => terminal.part.name === name)) return true;
  return exit.connections.some((terminal) => leadsTo(terminal.part, terminal, name, steps - 1));
}

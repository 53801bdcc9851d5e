/** Lists of things in sentences: ordered by name, then by identity. */
import type { Passage } from './thing.ts';
import type { Thing } from './thing.ts';
import { byText } from '../language/java-strings.ts';

/** `a bowl, a drawer`, or `nothing`. */
export function listed(things: readonly Thing[], place: Thing, detailed = false): string {
  const texts = described(things, place, detailed);
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

/** One thing a line, each after a tab. */
export function lines(things: readonly Thing[], place: Thing, detailed = false): string {
  return tabbed(described(things, place, detailed));
}

/** Doors are ordered by their description; equal ones are listed once. */
export function portalLines(portals: readonly Passage[], place: Thing): string {
  const texts = new Set(portals.flatMap((portal) => portal.describeFrom(false, place) ?? []));
  return tabbed([...texts].sort(byText));
}

function described(things: readonly Thing[], place: Thing, detailed: boolean): string[] {
  const ordered = [...things].sort((a, b) => byText(a.name, b.name) || a.id - b.id);
  return ordered.flatMap((thing) => thing.describeFrom(detailed, place) ?? []);
}

function tabbed(texts: readonly string[]): string {
  return texts.length === 0 ? '\tnothing' : texts.map((text) => `\t${text}\n`).join('');
}

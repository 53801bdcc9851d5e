/**
 * A recipe in the making from a flat configuration: keys are taken one by one, and what the user gave and nobody took is left
 * over by name. Nothing disappears: a key is carried, noted, named as not needed, or named as lost.
 */
import { nearest } from '../../core/nearest.ts';
import { whyUnneeded } from './unneeded.ts';
import type { Composed } from './compose.ts';

export interface Converted {
  readonly kind: 'rl' | 'sft';
  readonly recipe: Readonly<Record<string, unknown>>;
  /** What the user should know: meanings that differ, settings that had no effect there. */
  readonly notes: readonly string[];
  /** Keys that need nothing here, each with its reason. */
  readonly unneeded: readonly { readonly key: string; readonly why: string }[];
  /** Keys that could not be carried over. */
  readonly lost: readonly string[];
}

export class Draft {
  private readonly left: Map<string, unknown>;
  private readonly recipe: Record<string, unknown> = {};
  private readonly notes: string[] = [];
  private readonly lost: string[];

  constructor(private readonly composed: Composed) {
    this.left = new Map(composed.flat);
    this.lost = composed.missing.map((entry) => `${entry}: there is no such file beside this one`);
  }

  /** The value of a key, the user's or the base's; undefined where there is none. */
  take(key: string): unknown {
    const value = this.left.get(key);
    this.left.delete(key);
    if (value === '???') this.lose(key, 'it was to be filled in');
    if (typeof value === 'string' && value.includes('${')) {
      this.lose(key, `${value} refers to something that is not in the file`);
      return undefined;
    }
    return value === null || value === '???' ? undefined : value;
  }

  /** What it is, without taking it: where it decides about another key and is itself not needed. */
  look(key: string): unknown {
    return this.composed.flat.get(key);
  }

  number(key: string): number | undefined {
    const value = this.take(key);
    if (value === undefined) return undefined;
    // Python's 1_000; a variable of a launch script that was not set leaves an empty text.
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value.replace(/(?<=\d)_(?=\d)/g, '')) : value;
    if (typeof read === 'number' && !Number.isNaN(read)) return read;
    this.lose(key, `${JSON.stringify(value)} is not a number`);
    return undefined;
  }

  text(key: string): string | undefined {
    const value = this.take(key);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    this.lose(key, `${JSON.stringify(value)} is not a text`);
    return undefined;
  }

  /** A switch; OmegaConf reads YAML 1.1, where yes and on are true. */
  flag(key: string): boolean | undefined {
    const value = this.take(key);
    if (value === undefined || typeof value === 'boolean') return value;
    if (typeof value === 'string' && /^(yes|on|true)$/i.test(value)) return true;
    if (typeof value === 'string' && /^(no|off|false)$/i.test(value)) return false;
    this.lose(key, `${JSON.stringify(value)} is neither true nor false`);
    return undefined;
  }

  /** Did the user give it, or is it the base's? */
  gave(key: string): boolean {
    return this.composed.given.has(key);
  }

  has(prefix: string): boolean {
    return [...this.composed.flat.keys()].some((key) => key === prefix || key.startsWith(`${prefix}.`));
  }

  carry(from: string, to: string): void {
    const value = this.take(from);
    if (value !== undefined) this.set(to, value);
  }

  set(path: string, value: unknown): void {
    const keys = path.split('.');
    let here = this.recipe;
    for (const key of keys.slice(0, -1)) here = (here[key] ??= {}) as Record<string, unknown>;
    here[keys.at(-1) ?? ''] = value;
  }

  value(path: string): unknown {
    let here: unknown = this.recipe;
    for (const key of path.split('.'))
      here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[key] : undefined;
    return here;
  }

  note(text: string): void {
    this.notes.push(text);
  }

  lose(key: string, why: string): void {
    if (this.gave(key)) this.lost.push(`${key}: ${why}`);
  }

  finish(kind: 'rl' | 'sft', name: string): Converted {
    const rest = [...this.left].filter(([key, value]) => this.gave(key) && value !== null);
    const unneeded = rest.flatMap(([key, value]) => {
      const why = whyUnneeded(key, value);
      return why === undefined ? [] : [{ key, why }];
    });
    const known = new Set(unneeded.map(({ key }) => key));
    const strange = rest.filter(([key]) => !known.has(key));
    return {
      kind,
      recipe: { run: name, ...this.recipe },
      notes: this.notes,
      unneeded,
      lost: [...this.lost, ...strange.map(([key, value]) => `${key}: ${JSON.stringify(value)}${hint(key)}`)],
    };
  }
}

function hint(key: string): string {
  const last = key.split('.').at(-1) ?? key;
  const close = nearest(last, ['temperature', 'max_turns', 'samples', 'groups', 'epochs', 'minibatches', 'entropy']);
  return close === undefined ? '' : ` (${close} here?)`;
}

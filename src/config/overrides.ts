/**
 * Dotted overrides as in Hydra: `rollout.groups=16`, lists `agent.max_turns=[6,13,20]`, `key=null`, `tasks.0.split=test`,
 * `+key=value` and `++key=value` (the same here: the schema decides what exists), `~key` removes. Values are read by `value.ts`.
 */
import { AgogeError } from '../core/error.ts';
import { readValue } from './value.ts';

export function applyOverrides(config: unknown, overrides: readonly string[]): unknown {
  let result: unknown = structuredClone(config) ?? {};
  for (const text of overrides) {
    const match = /^(~|\+{0,2})([^=\s]+?)(?:=(.*))?$/s.exec(text);
    const [, sign, path, value] = match ?? [];
    const keys = path?.split('.') ?? [];
    // A key of the prototype would vanish, an empty one would never be found again.
    if (path === undefined || (sign !== '~' && value === undefined) || keys.includes('') || keys.includes('__proto__')) {
      throw new AgogeError(
        'CONFIG_BAD_OVERRIDE',
        `"${text.slice(0, 200)}" is not an override: write it as key.sub=value, for example rollout.groups=16`,
      );
    }
    result = change(result, keys, sign === '~' ? undefined : parseValue(value ?? '', text), path);
  }
  return result;
}

function parseValue(value: string, text: string): unknown {
  try {
    return readValue(value);
  } catch (thrown) {
    throw new AgogeError(
      'CONFIG_BAD_OVERRIDE',
      `the value of "${text.slice(0, 200)}" cannot be read: quote it, or write lists as [a,b]`,
      {
        cause: thrown,
      },
    );
  }
}

/** `value` undefined removes the key. */
function change(at: unknown, path: readonly string[], value: unknown, whole: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const removes = rest.length === 0 && value === undefined;
  if (Array.isArray(at)) {
    const index = Number(key);
    if (!/^\d+$/.test(key) || index > at.length - (removes ? 1 : 0)) {
      const entries = at.length === 0 ? 'is empty' : `has entries 0 to ${at.length - 1}`;
      throw new AgogeError(
        'CONFIG_BAD_OVERRIDE',
        `${whole}: the list there ${entries}, there is no "${key}": name one that is there`,
      );
    }
    const copy = [...(at as unknown[])];
    if (removes) copy.splice(index, 1);
    else copy[index] = change(copy[index], rest, value, whole);
    return copy;
  }
  const inside: Record<string, unknown> = typeof at === 'object' && at !== null ? { ...at } : {};
  if (removes) return Object.fromEntries(Object.entries(inside).filter(([name]) => name !== key));
  // Removing from a section that is not there leaves none behind.
  if (value === undefined && !Object.hasOwn(inside, key)) return inside;
  inside[key] = change(Object.hasOwn(inside, key) ? inside[key] : undefined, rest, value, whole);
  return inside;
}

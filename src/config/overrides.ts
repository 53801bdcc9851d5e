/**
 * Dotted overrides as in Hydra: `rollout.groups=16`, lists `agent.max_turns=[6,13,20]`, `key=null`, `tasks.0.split=test`,
 * `+key=value` and `++key=value` (the same here: the schema decides what exists), `~key` removes. Values are YAML scalars.
 */
import { parse } from 'yaml';
import { AgogeError } from '../core/error.ts';

export function applyOverrides(config: unknown, overrides: readonly string[]): unknown {
  let result: unknown = structuredClone(config) ?? {};
  for (const text of overrides) {
    const match = /^(~|\+{0,2})([^=\s]+?)(?:=(.*))?$/s.exec(text);
    const [, sign, path, value] = match ?? [];
    if (path === undefined || (sign !== '~' && value === undefined)) {
      throw new AgogeError(
        'CONFIG_BAD_OVERRIDE',
        `"${text.slice(0, 200)}" is not an override: write it as key.sub=value, for example rollout.groups=16`,
      );
    }
    result = change(result, path.split('.'), sign === '~' ? undefined : parseValue(value ?? '', text), path);
  }
  return result;
}

function parseValue(value: string, text: string): unknown {
  try {
    return value === '' ? '' : (parse(value) as unknown);
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

function change(at: unknown, path: readonly string[], value: unknown, whole: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(at)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > at.length) {
      throw new AgogeError('CONFIG_BAD_OVERRIDE', `${whole}: the list there has entries 0 to ${at.length - 1}, not "${key}"`);
    }
    const copy = [...(at as unknown[])];
    copy[index] = change(copy[index], rest, value, whole);
    return copy;
  }
  const inside: Record<string, unknown> = typeof at === 'object' && at !== null ? { ...at } : {};
  if (rest.length === 0 && value === undefined)
    return Object.fromEntries(Object.entries(inside).filter(([name]) => name !== key));
  inside[key] = change(inside[key], rest, value, whole);
  return inside;
}

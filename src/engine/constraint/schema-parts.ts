/** Schemas made of several: parts that must all hold as one, and choices of which exactly one may fit. */
import { isObject, refuse, remarks, type Schema } from './schema-keywords.ts';

/** A schema with `allOf`, written as one; parts that point elsewhere are taken from there. */
export function merged(schema: Schema, resolve: (part: unknown) => unknown, path: string): Schema {
  const { allOf, ...beside } = schema;
  const parts = (Array.isArray(allOf) ? allOf : []) as readonly unknown[];
  return joined([beside, ...parts.map(resolve)], path);
}

/** Several schemas as one: what they say about different things adds up; where they disagree, it is refused. */
export function joined(schemas: readonly unknown[], path: string): Schema {
  const result: Record<string, unknown> = {};
  for (const schema of schemas) {
    if (!isObject(schema)) refuse(path, 'a part of it is no object', 'write it out');
    for (const [keyword, value] of Object.entries(schema)) {
      const before = result[keyword];
      if (keyword === 'properties' && isObject(before) && isObject(value)) result[keyword] = joined([before, value], path);
      else if (keyword === 'required' && Array.isArray(before) && Array.isArray(value))
        result[keyword] = [...new Set([...(before as unknown[]), ...(value as unknown[])])];
      else if (before === undefined || remarks.has(keyword) || JSON.stringify(before) === JSON.stringify(value))
        result[keyword] = value;
      else refuse(path, `its parts disagree about "${keyword}"`, 'write it as one schema');
    }
  }
  return result;
}

/** A value must fit exactly one: sure where types differ, or a property that all have differs in its value. */
export function refuseOverlaps(choices: readonly unknown[], resolve: (schema: unknown) => unknown, path: string): void {
  const schemas = choices.map(resolve);
  const apart = (a: unknown, b: unknown): boolean => {
    if (!isObject(a) || !isObject(b)) return false;
    const [left, right] = [kindsOf(a), kindsOf(b)];
    if (left && right && !left.some((kind) => right.includes(kind))) return true;
    const [mine, other] = [valuesOf(a), valuesOf(b)];
    if (mine && other) return !mine.some((value) => other.includes(value));
    const [inside, outside] = [a['properties'], b['properties']];
    if (!isObject(inside) || !isObject(outside)) return false;
    const needed = (schema: Schema, name: string): boolean =>
      Array.isArray(schema['required']) && schema['required'].includes(name);
    return Object.keys(inside).some((name) => needed(a, name) && needed(b, name) && apart(inside[name], outside[name]));
  };
  for (const [index, one] of schemas.entries())
    for (const other of schemas.slice(index + 1))
      if (!apart(one, other))
        refuse(path, 'a value might fit several choices of "oneOf"', 'use anyOf, or a property with different constants');
}

function kindsOf(schema: Schema): string[] | undefined {
  const { type } = schema;
  if (type === undefined) return valuesOf(schema)?.map((value) => kindOf(JSON.parse(value)));
  const kinds: readonly unknown[] = Array.isArray(type) ? type : [type];
  return kinds.map((kind) => (kind === 'integer' ? 'number' : String(kind)));
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function valuesOf(schema: Schema): string[] | undefined {
  if ('const' in schema) return [JSON.stringify(schema['const'])];
  const { enum: values } = schema;
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

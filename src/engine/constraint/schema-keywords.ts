/** The words of a JSON schema: which are known, what type a schema speaks of, its bounds and counts, and how one is refused. */
import { AgogeError } from '../../core/error.ts';
import type { Bounds } from './numbers.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** They say something to people, or about other things than what is valid. */
export const remarks = new Set(
  '$schema $id $comment $anchor $defs definitions title description default examples deprecated readOnly writeOnly strict nullable discriminator unevaluatedProperties contentEncoding contentMediaType'.split(
    ' ',
  ),
);

export const keywords = new Set(
  '$ref type enum const anyOf oneOf allOf properties required additionalProperties minProperties maxProperties items prefixItems additionalItems minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(
    ' ',
  ),
);

export const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type Type = (typeof types)[number];

export function typesOf(schema: Schema, path: string): Type[] {
  const { type } = schema;
  const asked: readonly unknown[] = type === undefined ? guessed(schema) : Array.isArray(type) ? type : [type];
  const nullable = schema['nullable'] === true && type !== undefined ? ['null'] : [];
  return [...asked, ...nullable].map((one) => {
    const known = types.find((name) => name === one);
    return known ?? refuse(path, `there is no type ${JSON.stringify(one)}`, `use ${types.join(', ')}`);
  });
}

/** A schema without a type that speaks of one: we write values of that one. */
function guessed(schema: Schema): readonly Type[] {
  const speaks = (...names: readonly string[]): boolean => names.some((name) => name in schema);
  if (speaks('properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties')) return ['object'];
  if (speaks('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')) return ['array'];
  if (speaks('minLength', 'maxLength', 'pattern', 'format')) return ['string'];
  if (speaks('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number'];
  return types;
}

export function isOf(value: unknown, type: Type): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

export function boundsOf(schema: Schema, step: 0 | 1): Bounds {
  const number = (name: string): number | undefined => {
    const value = schema[name];
    return typeof value === 'number' ? value : undefined;
  };
  const nudge = (value: number, direction: 1 | -1): number =>
    step === 1
      ? value + direction * (Number.isInteger(value) ? 1 : 0)
      : value + direction * Math.max(Math.abs(value) * 1e-9, 1e-9);
  // Draft 4 says true beside the bound, later drafts give the bound itself.
  const open = (name: string): boolean => schema[name] === true;
  let least = number('minimum') ?? -Infinity;
  let most = number('maximum') ?? Infinity;
  if (open('exclusiveMinimum')) least = nudge(least, 1);
  if (open('exclusiveMaximum')) most = nudge(most, -1);
  const [above, below] = [number('exclusiveMinimum'), number('exclusiveMaximum')];
  if (above !== undefined) least = Math.max(least, nudge(above, 1));
  if (below !== undefined) most = Math.min(most, nudge(below, -1));
  return { least, most };
}

export function refuseSteps(schema: Schema, path: string): void {
  const { multipleOf } = schema;
  if (multipleOf === undefined || (multipleOf === 1 && schema['type'] === 'integer')) return;
  refuse(path, '"multipleOf" is not promised here', 'leave it out or use an enum');
}

export function count(schema: Schema, name: string, otherwise: number, path: string): number {
  const value = schema[name];
  if (value === undefined) return otherwise;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  return refuse(`${path}/${name}`, 'it is no whole number', 'give one of at least 0');
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refuse(path: string, why: string, remedy: string): never {
  throw new AgogeError('ENGINE_BAD_SCHEMA', `the JSON schema cannot be followed at ${path}: ${why}; ${remedy}`);
}

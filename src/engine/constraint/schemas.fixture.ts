/** Random JSON schemas of every kind that replies can be held to, for tests. */
import type { Random } from '../../core/random/random.ts';

type Schema = Record<string, unknown>;

/** A schema from a seed; nested at most `depth` deep. */
export function randomSchema(random: Random, depth = 3): Schema {
  if (random.below(6) === 0) {
    const node = {
      type: 'object',
      properties: { value: scalar(random), next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
    };
    return {
      ...object(random, depth, { $ref: '#/$defs/node' }),
      $defs: { node: { ...node, required: ['value', 'next'], additionalProperties: false } },
    };
  }
  return object(random, depth);
}

function object(random: Random, depth: number, extra?: Schema): Schema {
  const names = ['id', 'name', 'über', 'a "quoted" key', 'items', 'x_y', '数'].slice(0, 1 + random.below(5));
  const properties = Object.fromEntries(names.map((name) => [name, value(random, depth - 1)]));
  if (extra) properties['tree'] = extra;
  const required = Object.keys(properties).filter(() => random.below(3) > 0);
  return { type: 'object', properties, required, additionalProperties: false };
}

function value(random: Random, depth: number): Schema {
  const kind = random.below(depth > 0 ? 9 : 5);
  if (kind < 4) return scalar(random);
  if (kind === 4) return { type: [random.below(2) === 0 ? 'string' : 'integer', 'null'] };
  if (kind === 5) return object(random, depth);
  if (kind === 6) return { anyOf: [scalar(random), object(random, depth - 1)] };
  if (kind === 7) return { type: 'object', additionalProperties: scalar(random) };
  const least = random.below(3);
  return {
    type: 'array',
    items: value(random, depth - 1),
    minItems: least,
    ...(random.below(2) === 0 ? { maxItems: least + random.below(4) } : {}),
  };
}

function scalar(random: Random): Schema {
  switch (random.below(11)) {
    case 0:
      return { type: 'boolean' };
    case 1:
      return { enum: ['red', 'green "light"', 7, null, true].slice(0, 1 + random.below(5)) };
    case 2:
      return { const: random.below(2) === 0 ? 'fixed\nline' : -4 };
    case 3:
      return { type: 'integer', minimum: random.below(200) - 100, maximum: 100 + random.below(10_000) };
    case 4:
      return { type: 'number', minimum: -random.below(50) - 0.5, maximum: 0.25 + random.below(1000) };
    case 5:
      return { type: 'number' };
    case 6:
      return { type: 'string', minLength: random.below(4), maxLength: 4 + random.below(8) };
    case 7:
      return {
        type: 'string',
        pattern: ['^[a-z]{2,5}-\\d+$', '^(yes|no|maybe)$', '^\\w+@\\w+\\.org$', '[A-F]{3}'][random.below(4)],
      };
    case 8:
      return { type: 'string', format: ['date', 'uuid', 'email', 'ipv4', 'date-time'][random.below(5)] };
    case 9:
      return { type: 'integer' };
    default:
      return { type: 'string' };
  }
}

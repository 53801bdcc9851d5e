/**
 * A JSON schema as a language: every text of it parses and is valid. Properties come in the schema's order, optional ones may be left out,
 * one space may follow a colon or a comma. A keyword that is not known here is refused, so that no reply breaks a rule silently.
 */
import { anyCharacter } from './characters.ts';
import type { Expression, Expressions } from './expression.ts';
import { numbers, wholeNumbers } from './numbers.ts';
import { patternStrings } from './pattern.ts';
import {
  boundsOf,
  count,
  isObject,
  isOf,
  keywords,
  refuse,
  refuseSteps,
  remarks,
  types,
  typesOf,
  type Schema,
  type Type,
} from './schema-keywords.ts';
import { joined, merged, refuseOverlaps } from './schema-parts.ts';

/** Formats whose strings are told apart by a pattern; others are remarks, as JSON Schema has it. */
const formats: Readonly<Record<string, string>> = {
  date: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])$',
  time: '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$',
  'date-time': '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  email: '^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*@[A-Za-z0-9]+(-[A-Za-z0-9]+)*(\\.[A-Za-z]{2,6}){1,3}$',
  ipv4: '^((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)$',
  uri: '^https?://[A-Za-z0-9]+([.-][A-Za-z0-9]+)*(/[A-Za-z0-9._~-]*)*$',
};

/** The texts that are valid by a schema. */
export function schemaTexts(expressions: Expressions, schema: unknown): Expression {
  return new SchemaReader(expressions, schema).read();
}

/** Any JSON object: what `json_object` asks for. */
export function objectTexts(expressions: Expressions): Expression {
  return new SchemaReader(expressions, { type: 'object' }).read();
}

/** A value as JSON, one space after colons and commas where the model wants one. */
function valueText(expressions: Expressions, value: unknown): Expression {
  const comma = expressions.sequence(expressions.literal(','), space(expressions));
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => [...(index > 0 ? [comma] : []), valueText(expressions, item)]);
    return expressions.sequence(expressions.literal('['), ...items, expressions.literal(']'));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).flatMap(([key, item], index) => [
      ...(index > 0 ? [comma] : []),
      expressions.literal(JSON.stringify(key)),
      expressions.literal(':'),
      space(expressions),
      valueText(expressions, item),
    ]);
    return expressions.sequence(expressions.literal('{'), ...entries, expressions.literal('}'));
  }
  return expressions.literal(JSON.stringify(value ?? null));
}

function space(expressions: Expressions): Expression {
  return expressions.optional(expressions.literal(' '));
}

class SchemaReader {
  private readonly prefix: string;

  constructor(
    private readonly expressions: Expressions,
    private readonly root: unknown,
  ) {
    this.prefix = `${expressions.size}`;
  }

  read(): Expression {
    const found = this.texts(this.root, '#');
    if (this.expressions.shortest(found) === Infinity) refuse('#', 'no value can satisfy it', 'loosen it');
    return found;
  }

  private texts(schema: unknown, path: string): Expression {
    if (schema === true) return this.anyValue();
    if (schema === false) return this.expressions.nothing;
    if (!isObject(schema)) refuse(path, 'it is neither an object nor true or false', 'give a JSON schema');
    for (const keyword of Object.keys(schema)) {
      if (keywords.has(keyword) || remarks.has(keyword) || keyword.startsWith('x-')) continue;
      refuse(path, `"${keyword}" is not known here`, 'leave it out or say it in another way');
    }
    const { $ref: reference } = schema;
    if (typeof reference === 'string') {
      const alone = Object.keys(schema).every((keyword) => keyword === '$ref' || !keywords.has(keyword));
      return alone ? this.referenced(reference, path) : this.texts(this.resolved(schema, path), path);
    }
    if (Array.isArray(schema['allOf']))
      return this.texts(
        merged(schema, (part) => this.resolved(part, path), path),
        path,
      );
    if ('const' in schema) return this.chosen(schema, [schema['const']], path);
    if (Array.isArray(schema['enum'])) return this.chosen(schema, schema['enum'], path);
    if (schema['anyOf'] !== undefined && schema['oneOf'] !== undefined)
      refuse(path, 'it has both "anyOf" and "oneOf"', 'write one of them');
    const choices = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choices)) return this.oneOf(schema, choices, path);
    return this.expressions.any(...typesOf(schema, path).map((type) => this.typed(type, schema, path)));
  }

  /** By its name, so that a schema may contain itself. */
  private referenced(pointer: string, path: string): Expression {
    if (!pointer.startsWith('#')) refuse(path, `"${pointer}" lies elsewhere`, 'put it under $defs');
    const name = `${this.prefix}${pointer}`;
    if (!this.expressions.isDefined(name)) {
      this.expressions.define(name, this.expressions.nothing); // known from here on: what is inside may point to it
      this.expressions.define(name, this.texts(this.lookUp(pointer, path), pointer));
    }
    return this.expressions.reference(name);
  }

  private lookUp(pointer: string, path: string): unknown {
    let found: unknown = this.root;
    for (const part of pointer.slice(1).split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      const inside: unknown =
        isObject(found) && Object.hasOwn(found, key) ? found[key] : Array.isArray(found) ? found[Number(key)] : undefined;
      if (inside === undefined) refuse(path, `"${pointer}" points to nothing`, 'correct it');
      found = inside;
    }
    if (isObject(found) && found['$ref'] === pointer) refuse(path, `"${pointer}" points to itself`, 'correct it');
    return found;
  }

  private chosen(schema: Schema, values: readonly unknown[], path: string): Expression {
    const other = Object.keys(schema).find((keyword) => keywords.has(keyword) && !['type', 'enum', 'const'].includes(keyword));
    if (other !== undefined) refuse(path, `"${other}" beside given values is not looked at`, 'leave out what does not fit it');
    const allowed = schema['type'] === undefined ? undefined : typesOf(schema, path);
    const fitting = values.filter((value) => !allowed || allowed.some((type) => isOf(value, type)));
    return this.expressions.any(...fitting.map((value) => valueText(this.expressions, value)));
  }

  private oneOf(schema: Schema, choices: readonly unknown[], path: string): Expression {
    const { anyOf: _anyOf, oneOf: exactly, ...beside } = schema;
    const common = Object.keys(beside).some((keyword) => keywords.has(keyword)) ? beside : undefined;
    const whole = choices.map((choice) => (common && isObject(choice) ? joined([common, choice], path) : choice));
    if (exactly !== undefined) refuseOverlaps(whole, (choice) => this.resolved(choice, path), path);
    return this.expressions.any(
      ...whole.map((choice, index) => this.texts(choice, `${path}/${exactly ? 'oneOf' : 'anyOf'}/${index}`)),
    );
  }

  /** What a schema points to, with what it says beside that. */
  private resolved(schema: unknown, path: string): unknown {
    if (!isObject(schema) || typeof schema['$ref'] !== 'string') return schema;
    const { $ref: reference, ...beside } = schema;
    return joined([this.lookUp(reference, path), beside], path);
  }

  private typed(type: Type, schema: Schema, path: string): Expression {
    const { expressions } = this;
    switch (type) {
      case 'null':
        return expressions.literal('null');
      case 'boolean':
        return expressions.any(expressions.literal('true'), expressions.literal('false'));
      case 'integer':
        refuseSteps(schema, path);
        return wholeNumbers(expressions, boundsOf(schema, 1));
      case 'number':
        refuseSteps(schema, path);
        return numbers(expressions, boundsOf(schema, 0));
      case 'string':
        return this.strings(schema, path);
      case 'array':
        return this.arrays(schema, path);
      case 'object':
        return this.objects(schema, path);
    }
  }

  private strings(schema: Schema, path: string): Expression {
    const { expressions } = this;
    const { pattern, format } = schema;
    const [least, most] = [count(schema, 'minLength', 0, path), count(schema, 'maxLength', Infinity, path)];
    const patterns = [pattern, typeof format === 'string' ? formats[format] : undefined].filter((one) => typeof one === 'string');
    const limits =
      least > 0 || most < Infinity || patterns.length === 0 ? [expressions.repeat(anyCharacter(expressions), least, most)] : [];
    const inside = expressions.all(...limits, ...patterns.map((one) => patternStrings(expressions, one)));
    return expressions.sequence(expressions.literal('"'), inside, expressions.literal('"'));
  }

  private arrays(schema: Schema, path: string): Expression {
    const { expressions } = this;
    const [least, asked] = [count(schema, 'minItems', 0, path), count(schema, 'maxItems', Infinity, path)];
    const most = schema['uniqueItems'] === true ? Math.min(asked, 1) : asked;
    if (most < least && asked >= least)
      refuse(path, 'several different items ("uniqueItems") are not promised here', 'leave uniqueItems out');
    const { prefixItems: first, items = true } = schema;
    const given: readonly unknown[] = Array.isArray(first) ? first : Array.isArray(items) ? items : [];
    const rest = Array.isArray(items) ? (schema['additionalItems'] ?? true) : items;
    const item = this.texts(rest, `${path}/items`);
    const heads = given.map((one, index) => this.texts(one, `${path}/prefixItems/${index}`));
    // From the last one backwards: what may follow when so many items are there.
    const comma = expressions.sequence(expressions.literal(','), space(expressions));
    const tail = expressions.repeat(
      expressions.sequence(comma, item),
      Math.max(least - heads.length, 0),
      Math.max(most - heads.length, 0),
    );
    let after = tail;
    for (let index = heads.length - 1; index >= 0; index--) {
      const here =
        index < most
          ? expressions.sequence(index > 0 ? comma : expressions.empty, heads[index] ?? item, after)
          : expressions.nothing;
      after = index >= least ? expressions.optional(here) : here;
    }
    if (heads.length === 0) {
      const more = expressions.sequence(
        item,
        expressions.repeat(expressions.sequence(comma, item), Math.max(least - 1, 0), Math.max(most - 1, 0)),
      );
      after = most < 1 ? expressions.empty : least === 0 ? expressions.optional(more) : more;
    }
    return expressions.sequence(expressions.literal('['), after, expressions.literal(']'));
  }

  private objects(schema: Schema, path: string): Expression {
    const { expressions } = this;
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    const beyond = schema['additionalProperties'] ?? true;
    const names = [...new Set([...Object.keys(properties), ...required.filter((name) => typeof name === 'string')])];
    if (names.length === 0) return this.maps(schema, beyond, path);
    const [least, most] = [count(schema, 'minProperties', 0, path), count(schema, 'maxProperties', Infinity, path)];
    const optional = names.filter((name) => !required.includes(name));
    // More than the required ones are asked for: the first optional ones become so. Fewer than all: the last ones are never there.
    const needed = new Set([...required, ...optional.slice(0, Math.max(0, least - required.length))]);
    const room = Math.max(0, most - needed.size);
    const offered = names.filter((name) => needed.has(name) || optional.filter((one) => !needed.has(one)).indexOf(name) < room);
    if (needed.size > most || names.length < least)
      refuse(path, 'it asks for more or fewer properties than it names', 'name them');
    const member = (name: string): Expression =>
      this.member(
        expressions.literal(JSON.stringify(name)),
        this.texts(Object.hasOwn(properties, name) ? properties[name] : beyond, `${path}/properties/${name}`),
      );
    const comma = expressions.sequence(expressions.literal(','), space(expressions));
    // From the last one backwards, for both cases: something stands before it, or nothing does.
    let [later, first] = [expressions.empty, expressions.empty];
    for (const name of [...offered].reverse()) {
      const here = member(name);
      const [withLater, withFirst] = [expressions.sequence(comma, here, later), expressions.sequence(here, later)];
      first = needed.has(name) ? withFirst : expressions.any(withFirst, first);
      later = needed.has(name) ? withLater : expressions.any(withLater, later);
    }
    return expressions.sequence(expressions.literal('{'), first, expressions.literal('}'));
  }

  /** Objects whose names nobody gave. */
  private maps(schema: Schema, values: unknown, path: string): Expression {
    const { expressions } = this;
    const [least, most] = [count(schema, 'minProperties', 0, path), count(schema, 'maxProperties', Infinity, path)];
    if (least > 1)
      refuse(path, 'several properties without names ("minProperties") are not promised here', 'name them under properties');
    if (values === false || most === 0) return least > 0 ? expressions.nothing : expressions.literal('{}');
    const key = expressions.sequence(
      expressions.literal('"'),
      expressions.repeat(anyCharacter(expressions), 0),
      expressions.literal('"'),
    );
    const member = this.member(key, this.texts(values, `${path}/additionalProperties`));
    const comma = expressions.sequence(expressions.literal(','), space(expressions));
    const members = expressions.sequence(member, expressions.repeat(expressions.sequence(comma, member), 0, most - 1));
    return expressions.sequence(
      expressions.literal('{'),
      least > 0 ? members : expressions.optional(members),
      expressions.literal('}'),
    );
  }

  private member(key: Expression, value: Expression): Expression {
    return this.expressions.sequence(key, this.expressions.literal(':'), space(this.expressions), value);
  }

  private anyValue(): Expression {
    const name = `${this.prefix}any`;
    if (!this.expressions.isDefined(name)) {
      this.expressions.define(name, this.expressions.nothing);
      this.expressions.define(
        name,
        this.expressions.any(...types.filter((type) => type !== 'integer').map((type) => this.typed(type, {}, '#'))),
      );
    }
    return this.expressions.reference(name);
  }
}

/**
 * What a route of AgentGym's dialects takes, checked as FastAPI with pydantic checks it: the same coercions (`"7"` is the
 * integer 7), unknown fields ignored, and failures in the shape of its 422 answer.
 */

/** One complaint of a 422 answer: `{"detail": [Complaint, …]}`. */
export interface Complaint {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export interface Field<T> {
  /** The value as it is trusted inside, or why it is refused. */
  read(value: unknown): { readonly value: T } | { readonly type: string; readonly msg: string };
  /** Given to the handler when the field is absent; a field without one is required. */
  readonly fallback?: { readonly value: T };
  /** For /openapi.json. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type InputOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** An integer as pydantic reads one: integral numbers, numeric strings and booleans count. */
export const integer = (): Field<number> => ({ read: readInteger, schema: { type: 'integer' } });

/** A string; nothing else is turned into one. */
export const text = (): Field<string> => ({
  read: (value) => (typeof value === 'string' ? { value } : { type: 'string_type', msg: 'Input should be a valid string' }),
  schema: { type: 'string' },
});

/** May be absent (then `value`) or null, as Python's `Optional[T] = value`. */
export const optional = <T>(field: Field<T>, value: NoInfer<T> | null): Field<T | null> => ({
  read: (given) => (given === null ? { value: null } : field.read(given)),
  fallback: { value },
  schema: { anyOf: [field.schema, { type: 'null' }], default: value },
});

/** Reads an object with these fields; the complaints are those of FastAPI, in the order of the fields. */
export function readFields<F extends Fields>(
  fields: F,
  given: unknown,
  from: 'body' | 'query',
): { readonly input: InputOf<F> } | { readonly complaints: readonly Complaint[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { complaints: [given === undefined ? missing([from], null) : notAnObject(from, given)] };
  }
  const input: Record<string, unknown> = {};
  const complaints: Complaint[] = [];
  for (const name in fields) {
    const field = fields[name] as Field<unknown>;
    const value = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined;
    if (value === undefined) {
      if (field.fallback) input[name] = field.fallback.value;
      else complaints.push(missing([from, name], from === 'query' ? null : given));
      continue;
    }
    const read = field.read(value);
    if ('value' in read) input[name] = read.value;
    else complaints.push({ type: read.type, loc: [from, name], msg: read.msg, input: value });
  }
  return complaints.length > 0 ? { complaints } : { input: input as InputOf<F> };
}

function missing(loc: Complaint['loc'], input: unknown): Complaint {
  return { type: 'missing', loc, msg: 'Field required', input };
}

function notAnObject(from: string, input: unknown): Complaint {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  return { type: 'model_attributes_type', loc: [from], msg, input };
}

function readInteger(value: unknown): ReturnType<Field<number>['read']> {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return { value };
    if (!Number.isFinite(value)) return { type: 'finite_number', msg: 'Input should be a finite number' };
    return { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' };
  }
  if (typeof value === 'boolean') return { value: value ? 1 : 0 };
  if (typeof value === 'string') {
    const trimmed = value.trim();
    if (/^[+-]?\d+(_\d+)*(\.0+)?$/.test(trimmed)) return { value: Number(trimmed.replaceAll('_', '')) };
    return {
      type: 'int_parsing',
      msg: 'Input should be a valid integer, unable to parse string as an integer',
    };
  }
  return { type: 'int_type', msg: 'Input should be a valid integer' };
}

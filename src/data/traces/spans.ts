/** Spans of OpenTelemetry as JSON: what an OTLP exporter writes (`resourceSpans`), or one span per line as SDKs print them. */
import { fieldsOf, listOf, type Fields } from './logged-call.ts';

export interface Span {
  readonly name: string;
  readonly attributes: Fields;
  /** Nanoseconds, for the order. */
  readonly start: bigint;
}

/** The spans of a record; none where it has none. */
export function spansOf(record: Fields): Span[] {
  const nested = [...listOf(record['resourceSpans']), ...listOf(record['resource_spans'])].flatMap((resource) => {
    const { scopeSpans, scope_spans, instrumentationLibrarySpans } = fieldsOf(resource) ?? {};
    return [...listOf(scopeSpans), ...listOf(scope_spans), ...listOf(instrumentationLibrarySpans)];
  });
  if (nested.length > 0) return nested.flatMap((scope) => listOf(fieldsOf(scope)?.['spans']).flatMap(spanOf));
  if (Array.isArray(record['spans'])) return listOf(record['spans']).flatMap(spanOf);
  return spanOf(record);
}

function spanOf(value: unknown): Span[] {
  const span = fieldsOf(value);
  const attributes = span?.['attributes'];
  const name = span?.['name'];
  if (!span || typeof name !== 'string' || typeof attributes !== 'object' || attributes === null) return [];
  const start = span['startTimeUnixNano'] ?? span['start_time_unix_nano'] ?? span['startTime'] ?? span['start_time'];
  return [
    { name, attributes: Array.isArray(attributes) ? keyed(attributes) : (fieldsOf(attributes) ?? {}), start: nanoseconds(start) },
  ];
}

/** OTLP's list of keys and values. */
function keyed(attributes: readonly unknown[]): Fields {
  return Object.fromEntries(
    attributes.flatMap((one) => {
      const { key, value } = fieldsOf(one) ?? {};
      return typeof key === 'string' ? [[key, plainValue(value)]] : [];
    }),
  );
}

function plainValue(value: unknown): unknown {
  const wrapped = fieldsOf(value);
  if (!wrapped) return value;
  const { arrayValue, kvlistValue } = wrapped;
  if (arrayValue !== undefined) return listOf(fieldsOf(arrayValue)?.['values']).map(plainValue);
  if (kvlistValue !== undefined) return keyed(listOf(fieldsOf(kvlistValue)?.['values']));
  if (wrapped['intValue'] !== undefined) return Number(wrapped['intValue']);
  return wrapped['stringValue'] ?? wrapped['doubleValue'] ?? wrapped['boolValue'];
}

/** Exporters write nanoseconds, microseconds, `[seconds, nanoseconds]` or a date; only the order within a file counts. */
function nanoseconds(start: unknown): bigint {
  if (Array.isArray(start)) return whole(start[0]) * 1_000_000_000n + whole(start[1]);
  if (typeof start === 'string' && /^\d+$/.test(start)) return BigInt(start);
  if (typeof start === 'string') return BigInt(Date.parse(start) || 0) * 1_000_000n;
  return whole(start);
}

function whole(value: unknown): bigint {
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

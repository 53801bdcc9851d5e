/** What a metric is: the one source of the page's words on hover, of the page of all metrics, and of docs/reference/metrics*.md. No I/O. */

export type Unit =
  | 'share'
  | 'count'
  | 'reward'
  | 'nats'
  | 'tokens'
  | 'turns'
  | 'episodes'
  | 'steps'
  | 'seconds'
  | 'minutes'
  | 'milliseconds'
  | 'tokens/s'
  | 'episodes/s'
  | 'GiB'
  | 'number';

export interface MetricText {
  /** What it is. */
  readonly what: string;
  /** What one wants to see. */
  readonly healthy?: string;
  /** What to do where it is otherwise. */
  readonly remedy?: string;
}

export interface Metric {
  /** A part in angle brackets stands for any name; `<of>` for mean, max or min. */
  readonly name: string;
  readonly unit: Unit;
  readonly en: MetricText;
  readonly zh: MetricText;
}

/** What it is, what is healthy, what to do. */
type Words = readonly [what: string, healthy?: string | undefined, remedy?: string | undefined];

export function metric(name: string, unit: Unit, en: Words, zh: Words): Metric {
  return { name, unit, en: textOf(en), zh: textOf(zh) };
}

function textOf([what, healthy, remedy]: Words): MetricText {
  return { what, ...(healthy !== undefined && { healthy }), ...(remedy !== undefined && { remedy }) };
}

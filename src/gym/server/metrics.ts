/** Counters of a gym server in Prometheus' text format. */
import { at } from '../../core/at.ts';
import type { Counts } from './sessions.ts';

const bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

export class Metrics {
  private readonly answers = new Map<number, number>();
  /** Steps played, by environment. */
  readonly steps = new Map<string, number>();
  private readonly buckets = new Float64Array(bounds.length + 1);
  private seconds = 0;

  constructor(
    private readonly capacity: Counts,
    /** Bytes of memory that the server holds. */
    private readonly memory: () => number = () => process.memoryUsage.rss(),
  ) {}

  answered(status: number, seconds: number): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    this.seconds += seconds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? Infinity)) bucket++;
    this.buckets[bucket] = at(this.buckets, bucket) + 1;
  }

  stepped(env: string): void {
    this.steps.set(env, (this.steps.get(env) ?? 0) + 1);
  }

  /** Steps played over all environments. */
  get stepsInAll(): number {
    return [...this.steps.values()].reduce((sum, n) => sum + n, 0);
  }

  text(): string {
    const lines: string[] = [];
    const metric = (name: string, type: string, help: string, samples: readonly (readonly [string, number])[]): void => {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const [labels, value] of samples) lines.push(`${name}${labels} ${value}`);
    };
    const { capacity } = this;
    metric('agoge_sessions_open', 'gauge', 'Sessions open now.', [['', capacity.open]]);
    metric('agoge_sessions_max', 'gauge', 'Sessions that may be open at once.', [['', capacity.max]]);
    metric('agoge_sessions_opened_total', 'counter', 'Sessions opened.', [['', capacity.opened]]);
    metric('agoge_sessions_closed_total', 'counter', 'Sessions closed, by their owner or for being unused.', [
      ['', capacity.closed],
    ]);
    metric('agoge_sessions_reaped_total', 'counter', 'Sessions closed because nobody used them.', [['', capacity.reaped]]);
    metric('agoge_sessions_refused_total', 'counter', 'Requests for a session answered 503.', [['', capacity.refused]]);
    metric('agoge_steps_total', 'counter', 'Actions played.', labelled('env', this.steps));
    metric('agoge_http_answers_total', 'counter', 'HTTP answers by status.', labelled('status', this.answers));
    let below = 0;
    const buckets = [...this.buckets].map((n, i): [string, number] => [`_bucket{le="${bounds[i] ?? '+Inf'}"}`, (below += n)]);
    metric('agoge_http_seconds', 'histogram', 'Seconds from the first byte of a request to the end of its answer.', [
      ...buckets,
      ['_sum', this.seconds],
      ['_count', below],
    ]);
    metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', [['', this.memory()]]);
    return `${lines.join('\n')}\n`;
  }
}

function labelled(label: string, counts: ReadonlyMap<string | number, number>): [string, number][] {
  return [...counts].map(([key, value]) => [`{${label}="${key}"}`, value]);
}

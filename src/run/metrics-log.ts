/**
 * Metrics as JSON lines, appended while the run goes on; a torn last line (the process was killed while writing it) is cut off
 * when the log is opened again. At the end the same as one array, under the name the seeds' guides promise.
 */
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from './files.ts';
import { readInside } from './inside.ts';
import { layout, type EvaluationLine, type MetricsLine } from './layout.ts';

/** Bytes of a log; 100,000 steps have some hundred megabytes. */
const mostBytes = 2 ** 29 - 2 ** 20;

export class MetricsLog {
  constructor(private readonly directory: string) {}

  async append(step: number, data: Readonly<Record<string, number>>): Promise<void> {
    const line: MetricsLine = { step, time: new Date().toISOString(), data };
    await appendLine(join(this.directory, layout.metrics), line);
  }

  async evaluation(line: EvaluationLine): Promise<void> {
    await appendLine(join(this.directory, layout.evaluations), line);
  }

  /** Adds columns to the line of a step that is there: those of an evaluation that was made up for. */
  async amend(step: number, data: Readonly<Record<string, number>>): Promise<void> {
    const lines = await readMetrics(this.directory);
    if (!lines.some((line) => line.step === step)) return;
    const amended = lines.map((line) => (line.step === step ? { ...line, data: { ...line.data, ...data } } : line));
    await writeWhole(join(this.directory, layout.metrics), amended.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  /** Keeps what belongs to steps up to this one: a resumed run writes the others again. */
  async cutAfter(step: number): Promise<void> {
    for (const name of [layout.metrics, layout.evaluations]) {
      const path = join(this.directory, name);
      // Also where the only line is torn: the next one would be written behind its half, and nobody could read either.
      if ((await readInside(this.directory, name, mostBytes)) === undefined) continue;
      const lines = await readLines<{ step: number }>(this.directory, name);
      const kept = lines.filter((line) => line.step <= step).map((line) => `${JSON.stringify(line)}\n`);
      await writeWhole(path, kept.join(''));
    }
  }

  /** Removes the lines of one evaluation: it is played again. */
  async dropEvaluation(step: number): Promise<void> {
    const lines = await readEvaluations(this.directory);
    const kept = lines.filter((line) => line.step !== step);
    if (kept.length === lines.length) return;
    await writeWhole(join(this.directory, layout.evaluations), kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  /** Writes the array beside the lines. */
  async finish(): Promise<void> {
    const lines = await readMetrics(this.directory);
    await writeWhole(
      join(this.directory, layout.metricsArray),
      `[\n${lines.map(({ step, data }) => JSON.stringify({ step, ...data })).join(',\n')}\n]\n`,
    );
  }
}

export function readMetrics(directory: string): Promise<MetricsLine[]> {
  return readLines<MetricsLine>(directory, layout.metrics);
}

export function readEvaluations(directory: string): Promise<EvaluationLine[]> {
  return readLines<EvaluationLine>(directory, layout.evaluations);
}

/** Lines that parse; a torn one is the last and is left out. */
async function readLines<T>(directory: string, name: string): Promise<T[]> {
  const text = (await readInside(directory, name, mostBytes)) ?? '';
  const result: T[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      result.push(JSON.parse(line) as T);
    } catch {
      continue;
    }
  }
  return result;
}

async function appendLine(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${JSON.stringify(value)}\n`);
}

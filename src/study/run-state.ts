/** What the folder of a study's run says: whether it ended, whether someone still writes there, and how it validated. */
import { readFile } from 'node:fs/promises';
import { mean } from '../learn/rows.ts';
import { readEvaluations } from '../run/metrics-log.ts';
import { holderOf } from '../run/ownership.ts';
import { readRunInfo } from '../run/run-info.ts';

/** How a run ended, where it did. */
export async function endedOf(path: string): Promise<{ readonly reason?: string } | undefined> {
  const info = await readRunInfo(path).catch(() => undefined);
  if (info?.status === 'finished') return {};
  return info?.status === 'stopped' ? { ...(info.reason === undefined ? {} : { reason: info.reason }) } : undefined;
}

/** Nothing lies there that a run could go on with. */
export async function beginsAnew(path: string): Promise<boolean> {
  const info = await readRunInfo(path).catch(() => undefined);
  return info === undefined || (info.status === 'failed' && info.step === 0);
}

/** Waits for a process of an earlier start that was left behind and still writes here. */
export async function unheld(folder: string, signal: AbortSignal): Promise<void> {
  while ((await holderOf(folder)) !== undefined) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** What a process that wrote no run said last. */
export async function lastWords(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1) ?? 'it could not be started';
}

/** Success on validation of the checkpoint that the arm hands on. */
export async function validationOf(path: string, checkpoint: 'latest' | 'best'): Promise<number | undefined> {
  const byStep = new Map<number, number[]>();
  const measured = (await readEvaluations(path)).filter(({ n }) => n > 0);
  for (const { step, success } of measured) if (step > 0) byStep.set(step, [...(byStep.get(step) ?? []), success]);
  const means = [...byStep].sort(([a], [b]) => a - b).map(([, values]) => mean(values));
  return checkpoint === 'best' ? (means.length > 0 ? Math.max(...means) : undefined) : means.at(-1);
}

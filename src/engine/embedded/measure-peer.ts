/** PyTorch as the peer of the training bench: a child process (bench/engine/training-peer.py) that trains on the same batch, padded. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Datum } from '../engine.ts';
import type { StepTime, TrainingPeer, TrainingShape } from './measure.ts';

export async function openTrainingPeer(
  python: string,
  script: string,
  { config }: TrainingShape,
  batch: readonly Datum[],
  threads: number,
): Promise<TrainingPeer> {
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request: object): Promise<StepTime> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return JSON.parse(String((await lines.next()).value)) as StepTime;
  };
  const longest = Math.max(...batch.map(({ tokens }) => tokens.length));
  const scored = batch.reduce((sum, { mask }) => sum + mask.filter((flag) => flag === 1).length, 0);
  const rows = (pick: (datum: Datum, i: number) => number): number[][] =>
    batch.map((datum) => Array.from({ length: longest - 1 }, (_, i) => pick(datum, i)));
  const request = {
    step: rows(({ tokens }, i) => tokens[i] ?? 0),
    targets: rows(({ tokens }, i) => tokens[i + 1] ?? 0),
    weights: rows(({ mask }, i) => (mask[i + 1] ?? 0) / scored),
  };
  await ask({ build: { ...config, eps: config.normEpsilon, theta: config.rope.theta }, threads });
  return { step: () => ask(request), [Symbol.dispose]: () => void child.kill() };
}

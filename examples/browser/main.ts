/** The page: a button that lets the base policy play a task of TextCraft, and one that scores it. The work is done in a worker. */
import type { Asked, Told } from './worker.ts';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const ask = (asked: Asked): void => worker.postMessage(asked);

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const log = element<HTMLOListElement>('log');
const status = element('status');

worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data.kind === 'ready') status.textContent = 'ready';
  else if (data.kind === 'over') status.textContent = `reward ${data.reward}`;
  else if (data.kind === 'failed') status.textContent = data.why;
  else if (data.kind === 'scored') {
    const [success, low, high] = [data.success, data.low, data.high].map((one) => one.toFixed(3));
    status.textContent = `success ${success} [${low}, ${high}] of ${data.played} tasks`;
  } else {
    const line = document.createElement('li');
    line.className = data.kind;
    line.textContent = data.text;
    log.append(line);
  }
});

element('play').addEventListener('click', () => {
  log.replaceChildren();
  status.textContent = 'playing';
  ask({ play: element<HTMLInputElement>('number').valueAsNumber });
});
element('evaluate').addEventListener('click', () => {
  log.replaceChildren();
  status.textContent = 'evaluating';
  ask({ evaluate: element<HTMLInputElement>('tasks').valueAsNumber });
});

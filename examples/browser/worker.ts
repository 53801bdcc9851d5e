/**
 * Plays and evaluates in a worker, so that the page stays responsive: it is asked by messages and tells what happens by messages.
 * Nothing leaves the browser.
 */
import { loadEnvironment, wilson } from 'agoge/browser';
import { loadPolicy, playTask } from './play.ts';

/** What the page asks for. */
export type Asked = { readonly play: number } | { readonly evaluate: number };

/** What it is told. */
export type Told =
  | { readonly kind: 'ready' }
  | { readonly kind: 'observation' | 'action'; readonly text: string }
  | { readonly kind: 'over'; readonly reward: number }
  | { readonly kind: 'scored'; readonly played: number; readonly success: number; readonly low: number; readonly high: number }
  | { readonly kind: 'failed'; readonly why: string };

const files: Readonly<Record<string, string>> = {
  'config.json': new URL('../../models/base/config.json', import.meta.url).href,
  'model.safetensors': new URL('../../models/base/model.safetensors', import.meta.url).href,
  'tokenizer.json': new URL('../../models/base/tokenizer.json', import.meta.url).href,
  'tokenizer_config.json': new URL('../../models/base/tokenizer_config.json', import.meta.url).href,
};

const tell = (told: Told): void => postMessage(told);
const parts = Promise.all([
  loadEnvironment('textcraft'),
  loadPolicy(async (name) => (await fetch(files[name] ?? name)).arrayBuffer()),
]);

async function play(index: number): Promise<void> {
  const [textcraft, policy] = await parts;
  const task = { env: 'textcraft', split: 'test', index };
  await using episode = await textcraft.open(task);
  tell({ kind: 'observation', text: episode.observation });
  let reward = 0;
  for await (const turn of playTask(textcraft, task, policy)) {
    tell({ kind: 'action', text: turn.action });
    tell({ kind: 'observation', text: turn.observation });
    reward += turn.reward;
  }
  tell({ kind: 'over', reward });
}

/** The first tasks of the test split, one after the other; the score so far after each. */
async function evaluate(tasks: number): Promise<void> {
  const [textcraft, policy] = await parts;
  let solved = 0;
  for (let index = 0; index < tasks; index++) {
    let reward = 0;
    for await (const turn of playTask(textcraft, { env: 'textcraft', split: 'test', index }, policy)) reward += turn.reward;
    solved += reward >= 1 ? 1 : 0;
    tell({ kind: 'scored', played: index + 1, success: solved / (index + 1), ...wilson(solved, index + 1) });
  }
}

const failed = (error: unknown): void => tell({ kind: 'failed', why: String(error) });
addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  ('play' in data ? play(data.play) : evaluate(data.evaluate)).catch(failed);
});
parts.then(() => tell({ kind: 'ready' }), failed);

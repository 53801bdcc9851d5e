/** The page: a task of TextCraft, and a button that lets the base policy play it. Nothing leaves the browser. */
import { loadEnvironment } from 'agoge/browser';
import { loadPolicy, playTask } from './play.ts';

const files: Readonly<Record<string, string>> = {
  'config.json': new URL('../../models/base/config.json', import.meta.url).href,
  'model.safetensors': new URL('../../models/base/model.safetensors', import.meta.url).href,
  'tokenizer.json': new URL('../../models/base/tokenizer.json', import.meta.url).href,
  'tokenizer_config.json': new URL('../../models/base/tokenizer_config.json', import.meta.url).href,
};

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const number = element<HTMLInputElement>('number');
const log = element<HTMLOListElement>('log');
const status = element('status');

const say = (kind: string, text: string): void => {
  const line = document.createElement('li');
  line.className = kind;
  line.textContent = text;
  log.append(line);
};

const [textcraft, policy] = await Promise.all([
  loadEnvironment('textcraft'),
  loadPolicy(async (name) => (await fetch(files[name] ?? name)).arrayBuffer()),
]);

async function play(): Promise<void> {
  log.replaceChildren();
  const task = { env: 'textcraft', split: 'test', index: number.valueAsNumber };
  say('observation', (await textcraft.open(task)).observation);
  let reward = 0;
  for await (const turn of playTask(textcraft, task, policy)) {
    say('action', turn.action);
    say('observation', turn.observation);
    reward += turn.reward;
    await new Promise((painted) => setTimeout(painted)); // the page is drawn between two turns
  }
  status.textContent = `reward ${reward}`;
}

element('play').addEventListener('click', () => {
  status.textContent = 'playing';
  play().catch((error: unknown) => (status.textContent = String(error)));
});
status.textContent = 'ready';

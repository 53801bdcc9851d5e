/** A thread that plays demonstrations: opens the environments by itself and answers each number with its sequence. */
import { parentPort, workerData } from 'node:worker_threads';
import { Environments } from '../../agent/environments.ts';
import { openPrompting } from '../../agent/prompting.ts';
import { AgogeError } from '../../core/error.ts';
import { ModelTokenizer } from '../../engine/embedded/models/tokenizers/tokenizer.ts';
import { createRenderer } from '../../policy/renderer.ts';
import type { DrawReply, DrawRequest, ThreadSetup } from './demonstration-threads.ts';
import { Demonstrations } from './demonstrations.ts';

const port = parentPort;
if (!port) throw new TypeError('this file is the main file of a worker thread');

async function open({ entries, prompt, tokenizer, chatTemplate, seed, maxTurns }: ThreadSetup): Promise<Demonstrations> {
  const environments = new Environments();
  const decks = await Promise.all(entries.map(async (entry) => ({ entry, environment: await environments.open(entry) })));
  const { format } = await openPrompting(prompt);
  const renderer = createRenderer(new ModelTokenizer(tokenizer), {
    template: chatTemplate,
    thinking: prompt.thinking ?? undefined,
  });
  return new Demonstrations({ decks, format, renderer, seed, maxTurns });
}

const demonstrations = open(workerData as ThreadSetup);
demonstrations.catch(() => undefined); // told to whoever asks for a demonstration
let turn = Promise.resolve();

port.on('message', (request: DrawRequest) => {
  turn = turn.then(async () => {
    port.postMessage(await answer(request));
  });
});

async function answer({ id, number, difficulty, line }: DrawRequest): Promise<DrawReply> {
  try {
    const { datum, generated } = await (await demonstrations).draw(number, difficulty, line);
    return { id, drawn: { datum, generated } };
  } catch (thrown) {
    const { code, message } = AgogeError.from(thrown, 'TRAIN_THREAD', 'a demonstration could not be played');
    return { id, failed: { code, message } };
  }
}

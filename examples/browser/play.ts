/** The policy plays a task: what the environment says goes in as tokens, and the likeliest tokens up to the end of a turn are the action. */
import { Tokenizer } from '@huggingface/tokenizers';
import type { Environment, TaskRef } from 'agoge/browser';
import { Llama, readSafetensors } from './llama.ts';

export interface Policy {
  readonly encode: (text: string) => readonly number[];
  readonly decode: (tokens: number[]) => string;
  /** The network, with an empty memory. */
  readonly fresh: () => Llama;
}

export interface Turn {
  readonly action: string;
  readonly observation: string;
  readonly reward: number;
}

/** A checkpoint in Hugging Face layout, file by file: how each is fetched is the caller's. */
export async function loadPolicy(read: (name: string) => Promise<ArrayBuffer>): Promise<Policy> {
  const json = async (name: string): Promise<object> => JSON.parse(new TextDecoder().decode(await read(name))) as object;
  const config = (await json('config.json')) as ConstructorParameters<typeof Llama>[0];
  const weights = readSafetensors(await read('model.safetensors'));
  const tokenizer = new Tokenizer(await json('tokenizer.json'), await json('tokenizer_config.json'));
  return {
    encode: (text) => tokenizer.encode(text).ids,
    decode: (tokens) => tokenizer.decode(tokens),
    fresh: () => new Llama(config, weights),
  };
}

/** Plays until the task is done or the turns are; each turn is told as it happens. */
export async function* playTask(
  environment: Environment,
  task: TaskRef,
  { encode, decode, fresh }: Policy,
  { turns = 10, tokensPerTurn = 32 } = {},
): AsyncGenerator<Turn> {
  await using episode = await environment.open(task);
  const model = fresh();
  const [end = 0] = encode('<|end|>');
  let observation = episode.observation;
  for (let turn = 0; turn < turns; turn++) {
    // The template of the base policy: what is seen, <|act|>, what is done, <|end|>.
    let scores: Float32Array = new Float32Array();
    for (const token of encode(`${observation}<|act|>`)) scores = model.next(token);
    const reply: number[] = [];
    for (let token = likeliest(scores); token !== end && reply.length < tokensPerTurn; token = likeliest(scores)) {
      reply.push(token);
      scores = model.next(token);
    }
    model.next(end);
    const action = decode(reply).trim();
    const step = await episode.step(action);
    observation = step.observation;
    yield { action, observation, reward: step.reward };
    if (step.done) return;
  }
}

function likeliest(scores: Float32Array): number {
  return scores.reduce((best, score, i) => (score > (scores[best] as number) ? i : best), 0);
}

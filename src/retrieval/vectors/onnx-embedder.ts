/**
 * An embedding model as Hugging Face exports it to ONNX (a folder with model.onnx, tokenizer.json and config.json) on our own runtime:
 * E5, BGE and others of BERT's kind. The mean over the words of the last layer (of BGE the first word), made unit length.
 */
import * as library from '@huggingface/tokenizers';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { Session } from '../../engine/embedded/runtime/session.ts';
import { Tensor } from '../../engine/embedded/runtime/tensor.ts';
import { prefixOf, unit, type Embedder } from './embedder.ts';
import { onnxNames } from './onnx-names.ts';

/** The package's types do not resolve under Node's module rules. */
const { Tokenizer } = library as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => { encode(text: string): { readonly ids: readonly number[] } };
};

const LONGEST = 512;
const QUERY_LONGEST = 256;

export function onnxEmbedder(folder: string): Embedder {
  const path = [join(folder, 'model.onnx'), join(folder, 'onnx/model.onnx')].find((file) => existsSync(file));
  const json = (name: string): Record<string, unknown> => {
    try {
      return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
    } catch (cause) {
      throw missing(folder, name, cause);
    }
  };
  if (path === undefined) throw missing(folder, 'model.onnx');
  const hidden = Number(json('config.json')['hidden_size']);
  const settings = existsSync(join(folder, 'tokenizer_config.json')) ? json('tokenizer_config.json') : {};
  const tokenizer = new Tokenizer(json('tokenizer.json'), settings);
  const model = readFileSync(path);
  const { inputs, outputs } = onnxNames(model);
  const output = outputs[0] ?? 'last_hidden_state';
  const session = Session.compile({ model, inputs, outputs: [output] });
  const name = basename(resolve(folder));
  const first = name.toLowerCase().includes('bge');
  return {
    name,
    batch: 16,
    async embed(texts, kind, signal) {
      const longest = kind === 'query' ? QUERY_LONGEST : LONGEST;
      const ids = texts.map((text) => shortened(tokenizer.encode(prefixOf(name, kind) + text).ids, longest));
      const width = Math.max(...ids.map((row) => row.length));
      const fed = fill(ids, width);
      const states = Tensor.over(new Float32Array(texts.length * width * hidden), [texts.length, width, hidden]);
      const tensors = Object.fromEntries(
        inputs.map((input) => [
          input,
          Tensor.over(fed[input] ?? fed['token_type_ids'] ?? new BigInt64Array(0), [texts.length, width]),
        ]),
      );
      try {
        await session.run(tensors, { [output]: states }, signal);
        return ids.map((row, i) => unit(pooled(states.data as Float32Array, i * width * hidden, first ? 1 : row.length, hidden)));
      } finally {
        for (const tensor of [...Object.values(tensors), states]) tensor[Symbol.dispose]();
      }
    },
    close: () => session[Symbol.dispose](),
  };
}

/** The last token stays: it ends the text. */
function shortened(ids: readonly number[], longest: number): readonly number[] {
  return ids.length <= longest ? ids : [...ids.slice(0, longest - 1), ...ids.slice(-1)];
}

function fill(ids: readonly (readonly number[])[], width: number): Record<string, BigInt64Array> {
  const input_ids = new BigInt64Array(ids.length * width);
  const attention_mask = new BigInt64Array(ids.length * width);
  ids.forEach((row, i) => {
    row.forEach((id, j) => {
      input_ids[i * width + j] = BigInt(id);
      attention_mask[i * width + j] = 1n;
    });
  });
  return { input_ids, attention_mask, token_type_ids: new BigInt64Array(ids.length * width) };
}

function pooled(states: Float32Array, start: number, words: number, hidden: number): Float32Array {
  const sum = new Float32Array(hidden);
  for (let word = 0; word < words; word++) {
    for (let i = 0; i < hidden; i++) sum[i] = (sum[i] as number) + (states[start + word * hidden + i] as number) / words;
  }
  return sum;
}

function missing(folder: string, name: string, cause?: unknown): AgogeError {
  return new AgogeError(
    'SEARCH_NO_EMBEDDINGS',
    `${folder} has no readable ${name}: give a folder with model.onnx, tokenizer.json and config.json`,
    { cause },
  );
}

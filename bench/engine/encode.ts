/**
 * Texts of environments into ids: ours, which looks up words that were seen, beside the library that it stands on, alternating, on the
 * observations of experts' episodes. Every text is new to both in the first round, and the ids must be the same.
 *   npx tsx bench/engine/encode.ts [--policy reader] [--episodes 300] [--rounds 5]
 */
import * as library from '@huggingface/tokenizers';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ModelTokenizer, parseTokenizerJson } from '../../src/engine/embedded/models/tokenizers/tokenizer.ts';
import { spelledOut } from '../../src/engine/embedded/models/tokenizers/pre-tokenizer.ts';
import { openEnvironment } from '../../src/gym/client/connect.ts';
import { inProject } from '../root.ts';

const { values } = parseArgs({
  options: {
    policy: { type: 'string', default: 'reader' },
    episodes: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
  },
});
const { Tokenizer } = library as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => { encode(text: string, options: object): { ids: number[] } };
};
const path = inProject(`models/${values.policy}/tokenizer.json`);
const files = parseTokenizerJson(JSON.parse(readFileSync(path, 'utf8')), path);

async function observations(name: string, episodes: number): Promise<string[]> {
  const environment = await openEnvironment(name);
  const texts: string[] = [];
  for (let index = 0; index < episodes; index++) {
    const task = { env: environment.name, split: 'generated', index };
    const expert = environment.expert?.(task);
    const episode = await environment.open(task);
    texts.push(episode.observation);
    let observation = episode.observation;
    for (let done = false; expert && !done;) {
      const action = expert.next(observation);
      if (action === null) break;
      ({ observation, done } = await episode.step(action));
      texts.push(observation);
    }
  }
  return texts;
}

for (const name of ['babyai', 'textcraft']) {
  const texts = await observations(name, Number(values.episodes));
  const ours = new ModelTokenizer({ tokenizer: files, config: {} });
  const theirs = new Tokenizer({ ...files, pre_tokenizer: spelledOut(files.pre_tokenizer) }, {});
  const timed = (encode: (text: string) => number[]): { micros: number; ids: number[][] } => {
    const begin = process.cpuUsage();
    const ids = texts.map(encode);
    const { user, system } = process.cpuUsage(begin);
    return { micros: (user + system) / texts.length, ids };
  };
  const rounds: { us: number; them: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const us = timed((text) => ours.encode(text));
    const them = timed((text) => theirs.encode(text, { add_special_tokens: false }).ids);
    if (JSON.stringify(us.ids) !== JSON.stringify(them.ids)) throw new Error(`other ids than the library's in ${name}`);
    rounds.push({ us: us.micros, them: them.micros });
  }
  const text = rounds.map(({ us, them }) => `${us.toFixed(1)} and ${them.toFixed(1)} (${(them / us).toFixed(1)})`).join(', ');
  console.log(`${name}: ${texts.length} observations, ours and the library's µs each, and their ratio: ${text}`);
}

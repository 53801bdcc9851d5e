/**
 * A model that has learned nothing yet: a named size, and a tokenizer trained on what it will read. Its chat template is the
 * plainest that marks turns with tokens of their own: observation, <|act|>, action, <|end|>.
 */
import type { EngineConfig } from '../../config/recipe/shared-keys.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { TokenizerFiles } from '../../engine/embedded/models/tokenizers/tokenizer.ts';
import type { Engine } from '../../engine/engine.ts';
import { rulesTemplate, turnTemplate } from '../../policy/chat-template.ts';
import { evaluationConcurrency, placeOf } from './open-parts.ts';

export type FreshConfig = Exclude<SftRecipe['policy'], string>['fresh'];

export interface FreshOptions {
  readonly fresh: FreshConfig;
  readonly engine: EngineConfig;
  readonly seed: number;
  /** Ends the training of the tokenizer. */
  readonly signal?: AbortSignal;
  /** Texts to train the tokenizer on, where one is trained. */
  readonly texts: Iterable<string> | (() => Promise<Iterable<string>>);
  /** For reward models. */
  readonly head?: 'value';
  readonly scoreBias?: false;
}

export async function openFreshModel({ fresh, engine, seed, texts, signal, ...head }: FreshOptions): Promise<Engine> {
  if (engine.lora !== null)
    throw new AgogeError(
      'TRAIN_NO_LORA',
      'adapters beside weights that have learned nothing would learn little: set engine.lora=null, or name a policy',
    );
  const [{ EmbeddedEngine }, { trainTokenizerSlowly }, { ModelTokenizer }, { readTokenizer }, { presetConfig }] =
    await Promise.all([
      import('../../engine/embedded/embedded.ts'),
      import('../../engine/embedded/models/tokenizers/train-tokenizer.ts'),
      import('../../engine/embedded/models/tokenizers/tokenizer.ts'),
      import('../../engine/embedded/models/checkpoint.ts'),
      import('../../engine/embedded/network/config.ts'),
    ]);
  const chatTemplate = fresh.rules ? rulesTemplate : turnTemplate;
  const trained = async (): Promise<TokenizerFiles> =>
    trainTokenizerSlowly(
      {
        texts: typeof texts === 'function' ? await texts() : texts,
        vocabulary: fresh.vocabulary,
        special: ['<|end|>', '<|act|>', ...(fresh.rules ? ['<|rules|>'] : [])],
        eos: '<|end|>',
        chatTemplate,
        ...(fresh.phrases.length > 0 ? { phrases: fresh.phrases } : {}),
      },
      signal,
    );
  const files = fresh.tokenizer === null ? await trained() : await readTokenizer(fresh.tokenizer);
  const tokenizer = new ModelTokenizer(files);
  // A vocabulary that is a multiple of 16 suits the matrix kernels.
  const vocabulary = Math.ceil(tokenizer.size / 16) * 16;
  return EmbeddedEngine.open({
    config: presetConfig(fresh.preset, { vocabulary, context: fresh.context, tied: fresh.tied, family: fresh.family }),
    tokenizer,
    chatTemplate,
    seed,
    ...head,
    ...placeOf(engine),
    sampling: { atOnce: evaluationConcurrency },
  });
}

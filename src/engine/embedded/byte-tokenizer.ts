/**
 * A tokenizer for fresh models that bring none: one token per byte, and the markers of a chat. Written as a tokenizer.json, so
 * that what is trained with it is saved and loaded like any other model.
 */
import { byteCharacters } from './models/tokenizers/byte-level.ts';
import { ModelTokenizer, parseTokenizerJson } from './models/tokenizers/tokenizer.ts';

const markers = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];

/** ChatML, append-only. */
export const byteChatTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

export function byteTokenizer(): ModelTokenizer {
  const tokenizer = parseTokenizerJson(
    {
      version: '1.0',
      added_tokens: markers.map((content, i) => ({
        id: 256 + i,
        content,
        special: true,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
      })),
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      decoder: { type: 'ByteLevel' },
      model: {
        type: 'BPE',
        vocab: Object.fromEntries([
          ...byteCharacters.map((character, i) => [character, i] as const),
          ...markers.map((marker, i) => [marker, 256 + i] as const),
        ]),
        merges: [],
      },
    },
    'the byte tokenizer',
  );
  const config = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    bos_token: '<|endoftext|>',
    eos_token: '<|im_end|>',
    pad_token: '<|endoftext|>',
  };
  return new ModelTokenizer({ tokenizer, config }, { endOfTurn: [258] });
}

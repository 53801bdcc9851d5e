/** What an SFT run will read, as texts: what the tokenizer of a fresh model is trained on. */
import { breathe } from '../../agent/breathe.ts';
import { readConversations } from '../../data/read.ts';
import type { Demonstrations } from './demonstrations.ts';

/** What demonstrations say, over all difficulties; with `rules` also what system messages say. */
export async function demonstrationTexts(
  demonstrations: Demonstrations,
  count: number,
  rules = false,
  signal?: AbortSignal,
): Promise<string[]> {
  const texts: string[] = [];
  for (let i = 0; i < count; i++) {
    await breathe();
    signal?.throwIfAborted();
    const { messages } = await demonstrations.draw(-1 - i, i / count);
    for (const { role, text } of messages) if (rules || role !== 'system') texts.push(text);
  }
  return texts;
}

/** What the first conversations of files say. */
export async function conversationTexts(paths: readonly string[], count: number, signal?: AbortSignal): Promise<string[]> {
  const texts: string[] = [];
  let conversations = 0;
  for (const path of paths) {
    for await (const { messages } of readConversations(path)) {
      signal?.throwIfAborted();
      if (conversations++ === count) return texts;
      for (const { role, content } of messages) if (role !== 'system') texts.push(content);
    }
  }
  return texts;
}

/**
 * A conversation of a file as a training sequence: the same tokens that the policy would read and write when it plays, with the
 * loss on the replies to be learned only, their end of turn included.
 */
import { datumOf, type TrajectoryDatum } from '../../agent/datum.ts';
import { AgogeError } from '../../core/error.ts';
import { at } from '../../learn/numbers.ts';
import { isLearned, type ConversationRow } from '../../data/rows.ts';
import { Conversation, type Message } from '../../policy/conversation.ts';
import type { Renderer } from '../../policy/renderer.ts';
import { writtenReply } from '../../policy/words.ts';

/** The sequence of a row; undefined where it has no reply to learn. */
export function conversationDatum(row: ConversationRow, renderer: Renderer, loss: 'all' | 'last'): TrajectoryDatum | undefined {
  const first = row.messages.findIndex(isLearned);
  if (first < 0) return undefined;
  const conversation = new Conversation(renderer);
  conversation.open(joined(row.messages.slice(0, first)));
  const learned: boolean[] = [];
  let heard: string[] = [];
  for (const message of row.messages.slice(first)) {
    if (message.role === 'assistant') {
      if (learned.length > 0) conversation.observe(heard.join('\n'));
      heard = [];
      conversation.reply(writtenReply(conversation, message.content).segment, 'token');
      learned.push(isLearned(message));
    } else heard.push(message.content);
  }
  if (loss === 'last') learned.fill(false, 0, -1);
  const datum = datumOf(conversation);
  return datum && learnTurns(datum, learned);
}

/** Opening messages as templates take them: system, then user and assistant in turn. */
function joined(messages: ConversationRow['messages']): Message[] {
  const result: Message[] = [];
  for (const { role, content } of messages) {
    const as = role === 'tool' ? 'user' : role;
    const last = result.at(-1);
    if (last?.role === as) result[result.length - 1] = { role: as, text: `${last.text}\n${content}` };
    else result.push({ role: as, text: content });
  }
  return result;
}

/** The same sequence with the loss on these turns only. */
function learnTurns(datum: TrajectoryDatum, learned: readonly boolean[]): TrajectoryDatum | undefined {
  if (learned.every(Boolean)) return datum;
  const mask = datum.mask.slice();
  const turns: number[] = [];
  const turnEnds: number[] = [];
  let scored = 0;
  for (let t = 0; t < mask.length; t++) {
    if (mask[t] === 0) continue;
    const turn = at(datum.turns, scored++);
    if (learned[turn] === true) turns.push(turn);
    else mask[t] = 0;
    if (learned[turn] === true && datum.turnEnds[turn] === scored) turnEnds.push(turns.length);
  }
  if (turns.length === 0) return undefined;
  return { ...datum, mask, turns: Int32Array.from(turns), turnEnds, logprobs: new Float32Array(turns.length) };
}

/** A sequence of at most so many tokens: cut after the last whole turn that fits, left out, or refused. */
export function fitDatum(
  datum: TrajectoryDatum,
  maxTokens: number,
  tooLong: 'error' | 'cut' | 'skip',
  where: string,
): TrajectoryDatum | undefined {
  if (datum.tokens.length <= maxTokens) return datum;
  if (tooLong === 'skip') return undefined;
  if (tooLong === 'error') {
    throw new AgogeError(
      'TRAIN_TOO_LONG',
      `${where} has ${datum.tokens.length} tokens, more than ${maxTokens}: raise data.max_tokens, or set data.too_long to cut or skip`,
    );
  }
  let scored = 0;
  let end = 0;
  let kept = 0;
  let turns = 0;
  for (let t = 0; t < maxTokens; t++) {
    if (datum.mask[t] === 1) scored++;
    if (datum.mask[t] === 1 && datum.turnEnds[turns] === scored) [end, kept, turns] = [t + 1, scored, turns + 1];
  }
  if (turns === 0) return undefined;
  return {
    ...datum,
    tokens: datum.tokens.slice(0, end),
    mask: datum.mask.slice(0, end),
    logprobs: datum.logprobs.slice(0, kept),
    turns: datum.turns.slice(0, kept),
    turnEnds: datum.turnEnds.slice(0, turns),
  };
}

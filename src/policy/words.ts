/** A reply that was written rather than sampled: by an expert, a person, a recording, an endpoint. */
import type { AssistantSegment, Conversation } from './conversation.ts';
import type { Reply } from './policy.ts';

/**
 * Where the conversation has a renderer the words are tokenised, once, so that demonstrations become training rows; their
 * log-probabilities are unknown and stand as 0. Without one there are no tokens.
 */
export function writtenReply(conversation: Conversation, text: string): Reply {
  const tokens = conversation.renderer?.reply(text) ?? [];
  const segment: AssistantSegment = {
    role: 'assistant',
    text,
    tokens,
    logprobs: new Float32Array(tokens.length),
    policyVersion: 0,
  };
  return { segment, stop: 'token' };
}

/** An episode record as the page shows it: thoughts apart from actions, tokens as pieces of text. */
import type { IndexedEpisode } from '../../run/episode-index.ts';
import type { EpisodeRecord } from '../../run/episode-record.ts';
import type { Pieces } from './decoder.ts';
import type { Ended, EpisodeSummary, EpisodeView, TokenView, TurnView } from '../model.ts';

export function episodeView(record: EpisodeRecord, listed: IndexedEpisode, pieces: Pieces): EpisodeView {
  return {
    ...episodeSummary(listed),
    format: record.format,
    seed: record.seed,
    observation: record.observation,
    ...(record.state !== undefined && { state: record.state }),
    turnsTaken: record.turns.map(turnView),
    ended: endedBecause(record.outcome),
    ...(record.advantage !== undefined && { advantage: record.advantage }),
    tokensTaken: record.segments.flatMap((segment) => tokenViews(segment, pieces)),
  };
}

export function episodeSummary({ row, ...listed }: IndexedEpisode): EpisodeSummary {
  return { ...listed, place: `${listed.purpose}-${String(listed.step)}-${String(row)}` };
}

function turnView(turn: EpisodeRecord['turns'][number]): TurnView {
  const { reply, action, problem, observation, reward, done, state, breakdown } = turn;
  const thought = thoughtOf(reply, action);
  return {
    reply,
    action,
    observation,
    reward,
    done,
    ...(thought !== '' && { thought }),
    ...(problem !== undefined && { problem }),
    ...(state !== undefined && { state }),
    ...(breakdown !== undefined && { breakdown }),
  };
}

/** What a reply says beside its action: the reply without it, or nothing when the reply is the action. */
function thoughtOf(reply: string, action: string | null): string {
  if (action === null || reply.trim() === action.trim()) return '';
  const at = reply.lastIndexOf(action);
  const before = at < 0 ? reply : reply.slice(0, at);
  return before
    .replace(/Action\s*:\s*(\[\[)?\s*$/i, '')
    .replace(/^\s*Thought\s*:\s*/i, '')
    .trim();
}

function tokenViews(segment: EpisodeRecord['segments'][number], pieces: Pieces): TokenView[] {
  return segment.tokens.map((id, i) => {
    const text = pieces(id);
    if (segment.role !== 'assistant') return { text, learned: false };
    const logprob = segment.logprobs[i];
    return { text, learned: true, ...(logprob !== undefined && { logprob }) };
  });
}

function endedBecause(outcome: EpisodeRecord['outcome']): Ended {
  switch (outcome.kind) {
    case 'finished':
      return { kind: 'finished', success: outcome.success, reward: outcome.reward };
    case 'truncated':
      return { kind: 'truncated', limit: outcome.limit, reward: outcome.reward };
    case 'failed':
      return { kind: 'failed', by: outcome.by, code: outcome.error.code, message: outcome.error.message };
  }
}

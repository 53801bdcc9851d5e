/** How likely an expert's actions are under a policy, turn by turn: which kind of turn is the wall. */
import type { Engine } from '../../engine/engine.ts';
import type { ActionForm } from '../../envs/instructions.ts';
import { at } from '../../learn/numbers.ts';
import { mean } from '../../learn/rows.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Demonstration } from '../sft/demonstrations.ts';
import { turnKind } from './turn-kinds.ts';

/** Expert's turns of one kind. */
export interface TurnScore {
  readonly kind: string;
  readonly turns: number;
  /** Mean probability of the whole reply. */
  readonly probability: number;
  /** Share of replies whose every token is the likelier half: greedy play says them. */
  readonly right: number;
}

export interface ExpertScores {
  /** All turns together. */
  readonly probability: number;
  /** Mean of −ln p of a reply: what falls first when a policy begins to learn. A token counts at most 12. */
  readonly nats: number;
  readonly right: number;
  /** Share of episodes whose every reply is right. */
  readonly episodes: number;
  readonly kinds: readonly TurnScore[];
}

/** One impossible token must not hide what the others have learned. */
const mostNats = 12;

/** Scores demonstrations; the kinds with the most wrong replies first. */
export async function scoreExpert(
  engine: Engine,
  demonstrations: readonly Demonstration[],
  forms: readonly ActionForm[],
): Promise<ExpertScores> {
  const episodes: ScoredReply[][] = [];
  for (const { datum, messages } of demonstrations) {
    if (!datum) continue;
    const [row] = await engine.forward([datum]);
    const replies = messages.filter(({ role }) => role === 'assistant');
    let from = 0;
    const scored = datum.turnEnds.map((end, turn) => {
      const scores = Array.from({ length: end - from }, (_, i) => at(row?.scores ?? [], from + i));
      from = end;
      return { text: replies[turn]?.text ?? '', scores };
    });
    episodes.push(scored);
  }
  return summarise(episodes, forms);
}

/** The same of a policy that runs elsewhere, as far as the time goes; why not where it does not tell. */
export async function scoreElsewhere(
  policy: Policy,
  demonstrations: readonly Demonstration[],
  forms: readonly ActionForm[],
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<ExpertScores | { readonly missing: string }> {
  if (!policy.scoreReply) return { missing: 'it tells no log-probabilities' };
  const until = performance.now() + 1000 * seconds;
  const episodes: ScoredReply[][] = [];
  for (const { messages } of demonstrations) {
    if (episodes.length > 0 && performance.now() > until) break;
    const scored: ScoredReply[] = [];
    for (const [place, { role, text }] of messages.entries()) {
      if (role !== 'assistant') continue;
      const score = await policy.scoreReply(messages.slice(0, place), text, signal);
      if ('missing' in score) return score;
      scored.push({ text, scores: score.logprobs });
    }
    episodes.push(scored);
  }
  return summarise(episodes, forms);
}

/** An expert's reply with the log-probability of each of its tokens. */
interface ScoredReply {
  readonly text: string;
  readonly scores: readonly number[];
}

function summarise(episodes: readonly (readonly ScoredReply[])[], forms: readonly ActionForm[]): ExpertScores {
  const scored = episodes.map((replies) =>
    replies.map(({ text, scores }) => ({
      kind: turnKind(text, forms),
      nats: scores.reduce((sum, score) => sum + Math.min(mostNats, -score), 0),
      right: scores.every((score) => score > -Math.LN2),
    })),
  );
  const turns = scored.flat();
  const kinds = [...new Set(turns.map(({ kind }) => kind))].map((kind) => ({
    kind,
    ...summary(turns.filter((turn) => turn.kind === kind)),
  }));
  const wrong = ({ turns: n, right }: TurnScore): number => n * (1 - right);
  const { probability, right } = summary(turns);
  return {
    probability,
    nats: mean(turns.map(({ nats }) => nats)),
    right,
    episodes: mean(scored.map((replies) => (replies.every((reply) => reply.right) ? 1 : 0))),
    kinds: kinds.sort((a, b) => wrong(b) - wrong(a)),
  };
}

function summary(turns: readonly { readonly nats: number; readonly right: boolean }[]): Omit<TurnScore, 'kind'> {
  return {
    turns: turns.length,
    probability: mean(turns.map(({ nats }) => Math.exp(-nats))),
    right: mean(turns.map(({ right }) => (right ? 1 : 0))),
  };
}

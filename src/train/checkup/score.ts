/** How likely an expert's actions are under a policy, turn by turn: which kind of turn is the wall. */
import type { Engine } from '../../engine/engine.ts';
import type { ActionForm } from '../../envs/instructions.ts';
import { at } from '../../learn/numbers.ts';
import { mean } from '../../learn/rows.ts';
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
  const turns: { readonly kind: string; readonly nats: number; readonly right: boolean }[] = [];
  let whole = 0;
  for (const { datum, messages } of demonstrations) {
    if (!datum) continue;
    const [row] = await engine.forward([datum]);
    const replies = messages.filter(({ role }) => role === 'assistant');
    let from = 0;
    let right = 0;
    datum.turnEnds.forEach((end, turn) => {
      const scores = Array.from({ length: end - from }, (_, i) => at(row?.scores ?? [], from + i));
      const said = scores.every((score) => score > -Math.LN2);
      turns.push({
        kind: turnKind(replies[turn]?.text ?? '', forms),
        nats: scores.reduce((sum, score) => sum + Math.min(mostNats, -score), 0),
        right: said,
      });
      if (said) right++;
      from = end;
    });
    if (right === datum.turnEnds.length) whole++;
  }
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
    episodes: whole / demonstrations.length,
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

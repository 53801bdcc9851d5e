/**
 * What an expert would have said at each turn of an episode that the policy played (DAgger, Ross et al. 2011): imitation on the
 * states that the policy really reaches, its own mistakes and loops included. A turn that agrees with the expert is scored where
 * it stands; one that does not becomes a branch, the conversation so far with the expert's reply, and an engine that shares
 * prefixes computes only that reply. Left out of the theory: the mixture of expert and policy that plays; here the policy alone does.
 */
import type { PromptFormat } from '../../../agent/format.ts';
import { AgogeError } from '../../../core/error.ts';
import type { Segment, TokenIds } from '../../../core/trajectory.ts';
import type { Datum } from '../../../engine/engine.ts';
import type { Environment } from '../../../envs/environment.ts';
import type { Renderer } from '../../../policy/renderer.ts';
import { unselectedOf, type Batch, type PlayedEpisode, type PlayedGroup } from '../batch.ts';

export interface Advice {
  /** Sequences to learn, by the episode they come from. */
  readonly data: ReadonlyMap<PlayedEpisode, readonly Datum[]>;
  /** Turns that had advice, and those among them that said the same: like `train/success`, of all that was played whatever came of it. */
  readonly turns: number;
  readonly agreed: number;
}

export interface Adviser {
  readonly format: PromptFormat;
  readonly renderer: Renderer;
  /** Longest sequence the engine takes. */
  readonly context: number;
  /** Mistakes of an episode that are answered; what follows them is left out. */
  readonly mistakes: number;
}

/** The same mistake is answered so often at most: a long loop would drown everything else. */
const mostRepeats = 2;

/** Throws where an environment has nobody who can advise. */
export function needsAdvice(environment: Environment): void {
  const { name } = environment;
  if (!environment.expert) {
    throw new AgogeError(
      'TRAIN_NO_EXPERT',
      `${name} has no expert here, and algorithm.advice needs one: play it in this process, or choose another algorithm`,
    );
  }
}

/** The advice on every episode of a batch. Groups that are left out say how often the policy agrees, and teach nothing. */
export function adviceOn(batch: Batch, adviser: Adviser): Advice {
  const data = new Map<PlayedEpisode, readonly Datum[]>();
  let [turns, agreed] = [0, 0];
  for (const group of [...batch.groups, ...batch.filtered]) {
    const counted = new Set(unselectedOf(group));
    for (const episode of group.episodes) {
      const advised = adviceOnEpisode(episode, group, adviser);
      data.set(episode, advised.data);
      if (!counted.has(episode)) continue;
      turns += advised.turns;
      agreed += advised.agreed;
    }
  }
  return { data, turns, agreed };
}

function adviceOnEpisode({ trajectory }: PlayedEpisode, { environment }: PlayedGroup, adviser: Adviser) {
  const replies = repliesOf(trajectory.segments);
  const said = advisedActions(environment, trajectory);
  const tokens = replies.tokens;
  const mask = new Uint8Array(tokens.length);
  const branches: Datum[] = [];
  let [turns, agreed, repeats] = [0, 0, 0];
  let last = '';
  for (const [turn, [from, to]] of replies.spans.entries()) {
    const action = said[turn];
    if (action === undefined) continue;
    if (branches.length >= adviser.mistakes) break;
    turns++;
    const reply = adviser.renderer.reply(adviser.format.write(action, '', environment.instructions));
    if (same(reply, tokens.subarray(from, to))) {
      agreed++;
      mask.fill(1, from, to);
      last = '';
      continue;
    }
    const mistake = `${action}\n${trajectory.turns[turn]?.reply ?? ''}`;
    repeats = mistake === last ? repeats + 1 : 0;
    last = mistake;
    if (repeats < mostRepeats && from + reply.length <= adviser.context) branches.push(branch(tokens.subarray(0, from), reply));
  }
  const end = mask.lastIndexOf(1) + 1;
  const agreeing = end === 0 ? [] : [{ tokens: tokens.slice(0, end), mask: mask.slice(0, end) }];
  return { data: [...agreeing, ...branches], turns, agreed };
}

/** What the expert advises at each turn; undefined where it has nothing to say. */
function advisedActions(
  environment: Environment,
  { task, observation, turns }: PlayedEpisode['trajectory'],
): (string | undefined)[] {
  const expert = environment.expert?.(task);
  if (expert?.follows !== true) {
    throw new AgogeError(
      'TRAIN_NO_EXPERT',
      `the expert of ${environment.name} follows its own plan only and cannot advise: choose another algorithm than distill, and algorithm.advice=0`,
    );
  }
  let advice: string | null | undefined;
  let played: string | undefined;
  let asked = true;
  return turns.map(({ action }, turn) => {
    // A reply without an action changed nothing: the advice stands.
    if (asked) advice = expert.next(turns[turn - 1]?.observation ?? observation, played === advice ? undefined : played);
    asked = action !== null;
    played = action ?? undefined;
    return advice ?? undefined;
  });
}

/** All tokens of a conversation, and where its replies stand. */
function repliesOf(segments: readonly Segment[]): { tokens: Int32Array; spans: [number, number][] } {
  const tokens = new Int32Array(segments.reduce((sum, segment) => sum + segment.tokens.length, 0));
  const spans: [number, number][] = [];
  let at = 0;
  for (const segment of segments) {
    tokens.set(segment.tokens, at);
    if (segment.role === 'assistant') spans.push([at, at + segment.tokens.length]);
    at += segment.tokens.length;
  }
  return { tokens, spans };
}

function branch(prefix: Int32Array, reply: TokenIds): Datum {
  const tokens = new Int32Array(prefix.length + reply.length);
  tokens.set(prefix);
  tokens.set(reply, prefix.length);
  return { tokens, mask: new Uint8Array(tokens.length).fill(1, prefix.length) };
}

function same(a: TokenIds, b: TokenIds): boolean {
  return a.length === b.length && Array.prototype.every.call(a, (token: number, i: number) => token === b[i]);
}

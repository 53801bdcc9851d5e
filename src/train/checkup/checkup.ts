/**
 * Can this policy learn this environment? In about a minute: the expert's replies are scored, the policy plays, and imitation is tried
 * for some seconds. The engine's weights are changed by it and thrown away.
 */
import { createFormat } from '../../agent/formats/index.ts';
import { expertEntry } from '../../config/recipe/sft-recipe.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Environment } from '../../envs/environment.ts';
import { factsOf } from '../../envs/lookup.ts';
import { at } from '../../learn/numbers.ts';
import { mean } from '../../learn/rows.ts';
import { EnginePolicy } from '../../policy/engine-policy.ts';
import type { Policy } from '../../policy/policy.ts';
import { Demonstrations, type Demonstration } from '../sft/demonstrations.ts';
import { forecast, successAfter, type CurvePoint, type Forecast } from './forecast.ts';
import { playGroups, type PlayReport } from './play.ts';
import { probe } from './probe.ts';
import { scoreElsewhere, scoreExpert, type ExpertScores } from './score.ts';
import { brokenWords, type BrokenWord } from './words.ts';

export interface CheckupOptions {
  readonly environment: Environment;
  /** As it is named in commands. */
  readonly name: string;
  readonly split?: string | undefined;
  readonly format: string;
  readonly maxTurns?: number | undefined;
  /** Of the whole check-up, about. */
  readonly seconds: number;
  /** Success that counts as learned. */
  readonly level: number;
  /** Minutes of imitation for which the expected success is told. */
  readonly horizon?: number | undefined;
  readonly signal: AbortSignal;
  readonly onStage?: ((stage: string) => void) | undefined;
}

export interface ExpertReport {
  readonly episodes: number;
  /** Of its episodes: mean replies, the middle and the longest number of tokens. */
  readonly turns: number;
  readonly tokens: number;
  readonly longest: number;
  readonly before: ExpertScores;
  /** After the probe. */
  readonly after: ExpertScores;
  readonly curve: readonly CurvePoint[];
  readonly probe: { readonly seconds: number; readonly steps: number; readonly tokens: number };
}

/** Nothing is imitated: there is no expert, or the policy runs elsewhere, where its endpoint may score what an expert says. */
export interface Untaught {
  readonly missing: string;
  readonly scores?: ExpertScores | undefined;
  readonly turns?: number | undefined;
}

export interface Checkup {
  readonly environment: string;
  readonly policy: string;
  readonly split: string;
  readonly limits: { readonly turns: number; readonly tokensPerTurn: number };
  readonly context: number;
  readonly play: PlayReport;
  /** What its replies are like under the policy; or why they are not scored, or not imitated. */
  readonly expert: ExpertReport | Untaught;
  readonly words: { readonly mean: number; readonly broken: readonly BrokenWord[] } | null;
  readonly level: number;
  readonly forecast: Forecast;
  /** Expected after `horizon` minutes of imitation, where it was asked for. */
  readonly expected: number | null;
  readonly seconds: number;
}

/** Held out of the probe. */
const heldOut = 24;
const batchTokens = 1024;

/** With an engine everything; with another policy (an endpoint) what can be seen from outside: it plays, and may score. */
export async function checkup(player: Engine | Policy, id: string, options: CheckupOptions): Promise<Checkup> {
  const started = performance.now();
  const { environment, seconds, level, signal, onStage } = options;
  const split = options.split ?? (environment.splits.includes('train') ? 'train' : (environment.splits[0] ?? 'train'));
  const format = createFormat(options.format);
  const engine = 'forwardBackward' in player ? player : undefined;
  const policy: Policy = 'forwardBackward' in player ? new EnginePolicy(player, { id }) : player;
  const usual = factsOf(environment).limits ?? {};
  const shown =
    engine || policy.scoreReply
      ? await demonstrate(engine, split, options)
      : { missing: 'the policy runs elsewhere: its replies alone are seen' };
  const replies = 'missing' in shown ? [] : shown.all;
  const longestTurns = Math.max(0, ...replies.map(({ turns }) => turns));
  const limits = {
    turns: options.maxTurns ?? usual.turns ?? (replies.length > 0 ? Math.min(30, 2 * longestTurns + 2) : 30),
    tokensPerTurn: engine && replies.length > 0 ? Math.ceil(1.5 * longestReply(replies)) + 4 : (usual.tokens ?? 512),
  };
  const context = policy.context ?? Infinity;
  onStage?.('the policy plays');
  const play = await playGroups({ environment, split, policy, format, limits, seconds: 0.35 * seconds, signal });
  const expert =
    'missing' in shown
      ? shown
      : engine
        ? await learn(engine, shown, { ...options, context })
        : await scoredElsewhere(policy, shown.all, options);
  const known = 'missing' in expert ? undefined : expert;
  const facts = {
    level,
    pass1: play.pass1,
    pass8: play.pass8,
    signal: play.signal,
    context,
    ...(known ? { expert: { ...known, wall: known.after.kinds[0]?.kind } } : {}),
  };
  const texts = replies.flatMap(({ messages }) => messages.filter(({ role }) => role === 'assistant').map(({ text }) => text));
  return {
    environment: options.name,
    policy: id,
    split,
    limits,
    context,
    play,
    expert,
    words: engine && texts.length > 0 ? brokenWords(texts, engine.model.tokenizer) : null,
    level,
    forecast: forecast(facts),
    expected:
      (options.horizon === undefined || !known ? undefined : successAfter(options.horizon, known.turns, known.curve)) ?? null,
    seconds: (performance.now() - started) / 1000,
  };
}

interface Shown {
  readonly all: readonly Demonstration[];
  readonly drawing: Demonstrations;
}

/** What the expert does on a few tasks; why not where it cannot. */
async function demonstrate(
  engine: Engine | undefined,
  split: string,
  options: CheckupOptions,
): Promise<Shown | { readonly missing: string }> {
  const { environment, name, format, maxTurns, seconds, signal, onStage } = options;
  if (!environment.expert && !environment.remoteExpert) return { missing: `${name} has no expert (solve)` };
  onStage?.('the expert plays');
  const pools = [{ entry: expertEntry.parse({ env: name, split }), environment }];
  const renderer = engine && new EnginePolicy(engine, { id: name }).renderer;
  const drawing = new Demonstrations({ decks: pools, format: createFormat(format), renderer, seed: 1, maxTurns: maxTurns ?? 60 });
  const until = performance.now() + 150 * seconds;
  const all: Demonstration[] = [];
  while (all.length < heldOut && (all.length < 4 || performance.now() < until)) {
    signal.throwIfAborted();
    all.push(await drawing.draw(all.length, 1));
  }
  return { all, drawing };
}

/** What an endpoint tells of the expert's replies. */
async function scoredElsewhere(policy: Policy, all: readonly Demonstration[], options: CheckupOptions): Promise<Untaught> {
  const { environment, seconds, signal, onStage } = options;
  onStage?.("the expert's replies are scored");
  const scores = await scoreElsewhere(policy, all, environment.instructions.actions, { seconds: 0.35 * seconds, signal });
  if ('missing' in scores)
    return { missing: `the policy runs elsewhere and does not score replies (${scores.missing}): its own alone are seen` };
  return { missing: 'the policy runs elsewhere: it is scored, not taught', scores, turns: mean(all.map(({ turns }) => turns)) };
}

/** Scores before, within and after a probe of imitation. */
async function learn(
  engine: Engine,
  { all, drawing }: Shown,
  { environment, seconds, context, signal, onStage }: CheckupOptions & { readonly context: number },
): Promise<ExpertReport> {
  const fitting = all.filter(({ datum }) => datum !== undefined && datum.tokens.length <= context);
  const { actions } = environment.instructions;
  onStage?.("the expert's replies are scored");
  const score = (): Promise<ExpertScores> => scoreExpert(engine, fitting, actions);
  const before = fitting.length > 0 ? await score() : nothing;
  const options = { demonstrations: drawing, longest: Math.min(context, 4096), batchTokens, signal };
  const curve: CurvePoint[] = [{ seconds: 0, nats: before.nats }];
  onStage?.('imitation is tried');
  if (fitting.length === 0) return { ...lengthsOf(all), before, after: before, curve, probe: none };
  const first = await probe(engine, { seconds: 0.12 * seconds, least: 6, done: 0 }, { ...options, from: heldOut });
  const within = await score();
  const second = await probe(engine, { seconds: 0.28 * seconds, least: 14, done: first.steps }, { ...options, from: first.next });
  const after = await score();
  curve.push({ seconds: first.seconds, nats: within.nats }, { seconds: first.seconds + second.seconds, nats: after.nats });
  return {
    ...lengthsOf(all),
    before,
    after,
    curve,
    probe: { seconds: first.seconds + second.seconds, steps: first.steps + second.steps, tokens: first.tokens + second.tokens },
  };
}

function lengthsOf(all: readonly Demonstration[]): Pick<ExpertReport, 'episodes' | 'turns' | 'tokens' | 'longest'> {
  const lengths = all.map(({ datum }) => datum?.tokens.length ?? Infinity).sort((a, b) => a - b);
  return {
    episodes: all.length,
    turns: mean(all.map(({ turns }) => turns)),
    tokens: lengths[Math.floor(lengths.length / 2)] ?? Infinity,
    longest: lengths.at(-1) ?? Infinity,
  };
}

const none = { seconds: 0, steps: 0, tokens: 0 };
const nothing: ExpertScores = { probability: 0, nats: Infinity, right: 0, episodes: 0, kinds: [] };

function longestReply(all: readonly Demonstration[]): number {
  const lengths = all.flatMap(({ datum }) => {
    const ends = datum?.turnEnds ?? [];
    return [0, ...ends].slice(0, -1).map((from, turn) => at(ends, turn) - from);
  });
  return Math.max(1, ...lengths);
}

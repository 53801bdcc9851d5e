/**
 * How the agent of a run talks: what the recipe says, else what the data or the checkpoint it starts from was made with, else
 * `direct`. A recipe that contradicts them is refused before anything is trained.
 */
import { writtenAlike } from '../../agent/formats/detect.ts';
import { agentRecordOf } from '../../agent/policy-files.ts';
import type { EpisodeLimits } from '../../agent/limits.ts';
import type { Prompting } from '../../agent/prompting.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { formatOfRows } from '../../data/tasks/asked-format.ts';
import { isOwn } from '../../user-modules/load-file.ts';
import type { AgentRecord } from '../../run/agent-record.ts';
import type { FormatGap } from '../../run/layout.ts';
import { lastTurns } from './schedules.ts';

type AgentConfig = RlRecipe['agent'] | SftRecipe['agent'];

/** An agent block whose format is settled. */
export type Settled<Agent extends AgentConfig> = Agent & { readonly format: string };

/** Settles the agent of an RL run: a policy that was taught one format is not trained in another; rows that open episodes say theirs. */
export async function settleRlAgent(recipe: RlRecipe): Promise<Settled<RlRecipe['agent']>> {
  const taught = await agentRecordOf(recipe.policy);
  const { agent, policy } = recipe;
  const asked = agent.format === null && agent.prompt === 'row' ? await formatOfRows(rowFiles(recipe)) : undefined;
  if (taught && agent.format !== null && !writtenAlike(agent.format, taught.format) && !policy.startsWith('hf:')) {
    throw new AgogeError(
      'TRAIN_FORMAT',
      `${policy} was taught to answer in the format ${taught.format}, the recipe asks for ${agent.format}: leave agent.format out, or teach it the other one with agoge sft first (hf:<checkpoint folder> starts from the weights alone)`,
    );
  }
  return {
    ...agent,
    format: agent.format ?? taught?.format ?? asked?.format ?? 'direct',
    few_shot: agent.few_shot ?? taught?.few_shot ?? null,
    thinking: agent.thinking ?? taught?.thinking ?? null,
  };
}

/** The files whose rows name tasks; rows of `data` are questions, whose answers are read as they are. */
function rowFiles({ tasks }: RlRecipe): string[] {
  return tasks.flatMap((entry) => ('file' in entry && entry.env !== 'data' ? [entry.file].flat() : []));
}

/** Settles the agent of an SFT run: it is evaluated in the format of what it learns from. */
export function settleSftAgent(agent: SftRecipe['agent'], data: DataFormat | undefined): Settled<SftRecipe['agent']> {
  // What a format of the user's own looks like cannot be told from the replies.
  const known = agent.format === null || isOwn(agent.format) ? undefined : agent.format;
  if (data?.format !== undefined && known !== undefined && !writtenAlike(known, data.format)) {
    throw new AgogeError(
      'TRAIN_FORMAT',
      `${data.where} is written in the format ${data.format} (${data.replies} of ${data.total} replies), the recipe asks for ${known}: leave agent.format out, or make the data with --format ${known}`,
    );
  }
  return { ...agent, format: agent.format ?? data?.format ?? 'direct' };
}

/** Weights alone (`hf:`) may be trained in another format than they were taught: allowed, and said. */
export async function policyGaps(policy: string, asked: string): Promise<FormatGap[]> {
  const taught = await agentRecordOf(policy);
  return taught && !isOwn(asked) && !writtenAlike(taught.format, asked) ? [{ asked, found: taught.format, where: policy }] : [];
}

/** Data without a format that is known here is learned as it stands, and said. */
export function dataGaps(data: DataFormat | undefined, asked: string): FormatGap[] {
  return data && data.format === undefined && !isOwn(asked) ? [{ asked, found: null, where: data.where }] : [];
}

export function gapInWords({ asked, found, where }: FormatGap): string {
  const was = found === null ? 'is written in no format that is known' : `was taught the format ${found}`;
  return `${where} ${was}; the recipe asks for ${asked}`;
}

/** What the replies of files look like. */
export interface DataFormat {
  readonly where: string;
  /** Undefined where they follow no format that is known here. */
  readonly format: string | undefined;
  readonly replies: number;
  readonly total: number;
}

/** What a checkpoint of this run carries. */
export function agentRecord(agent: AgentConfig, { format, promptText }: Prompting): AgentRecord {
  const { few_shot, thinking, tokens_per_turn, max_turns, stop } = agent;
  const prompt = promptText ?? null;
  const ends = stop.length === 0 ? {} : { stop };
  return { v: 1, format: format.name, few_shot, prompt, thinking, tokens_per_turn, max_turns: lastTurns(max_turns), ...ends };
}

/** Limits of an episode as the recipe has them. */
export function limitsOf(agent: AgentConfig, turns: number): EpisodeLimits {
  return {
    turns,
    tokensPerTurn: agent.tokens_per_turn,
    ...(agent.tokens === null ? {} : { tokens: agent.tokens }),
    ...(agent.context === null ? {} : { context: agent.context }),
    ...(agent.loops === null ? {} : { loops: agent.loops }),
    ...(agent.stall === null ? {} : { stall: agent.stall }),
    deadline: agent.deadline,
    stepDeadline: agent.step_deadline,
    replyDeadline: agent.reply_deadline,
  };
}

/** The same with what an interaction file says about an environment: its time-out, and at most its turns. */
export function limitsFor(limits: EpisodeLimits, said: Partial<EpisodeLimits> = {}): EpisodeLimits {
  return { ...limits, ...said, turns: Math.min(limits.turns, said.turns ?? Infinity) };
}

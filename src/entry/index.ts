/// <reference lib="esnext.disposable" preserve="true" />
/** The public API: what a program that imports `agoge` may use. Brings the declarations of `await using` with it. */
import '../envs/builtin.ts';

export { AgogeError, type ErrorCode } from '../core/error.ts';
export { formatTask, parseTask, type TaskRef } from '../core/task.ts';
export type { Outcome } from '../core/outcome.ts';
export type { Segment, TokenIds, Trajectory, Turn } from '../core/trajectory.ts';
export { Random } from '../core/random/random.ts';
export type * from '../envs/environment.ts';
export { defineEnvironment, type EnvironmentDefinition } from '../envs/define.ts';
export { environmentEntries, loadEnvironment, registerEnvironment } from '../envs/registry.ts';
export type { LawOptions } from '../lint/law.ts';
export { checkLaws, type LawReport } from '../lint/laws.ts';
export { openEnvironment } from '../gym/client/connect.ts';
export { defineAgent, type AgentDefinition, type AgentModel } from '../gym/agents/agent-environment.ts';
export { defineHarness, type HarnessDefinition } from '../gym/agents/harness.ts';
export type { HarnessCommand } from '../gym/agents/harness-process.ts';
export { defineMcp, type McpDefinition } from '../agent/mcp/mcp-environment.ts';
export type { McpServer } from '../agent/mcp/transport.ts';
export { defineTraces, type TracesDefinition } from '../gym/agents/trace-environment.ts';
export type { TraceTask } from '../gym/agents/trace-task.ts';
export { startGym, type GymOptions, type GymServer } from '../gym/server/server.ts';
export type * from '../engine/engine.ts';
export { playEpisode, type EpisodeJob, type EpisodeOptions } from '../agent/episode.ts';
export { EpisodePool, playGroups, type Played, type PoolOptions } from '../agent/pool.ts';
export { datumOf, type TrajectoryDatum } from '../agent/datum.ts';
export { createFormat, formatNames, openFormat } from '../agent/formats/index.ts';
export { withPrompt } from '../agent/formats/variations.ts';
export { defineFormat, formatOf, type FormatDefinition, type FormatOptions } from '../agent/formats/definition.ts';
export type { PromptFormat } from '../agent/format.ts';
export type { Read } from '../envs/agentgym/reading.ts';
export type { EpisodeLimits, Sampling } from '../agent/limits.ts';
export { EnvironmentInteraction, type Interaction } from '../agent/interaction.ts';
export { openInteractions, parseInteractions } from '../agent/interaction-config.ts';
export { expandPolicies } from '../agent/policy-files.ts';
export { openPolicy, type OpenPolicyOptions } from '../agent/open-policy.ts';
export { Conversation } from '../policy/conversation.ts';
export { createRenderer, type Renderer } from '../policy/renderer.ts';
export { EnginePolicy } from '../policy/engine-policy.ts';
export { EndpointPolicy, type EndpointOptions } from '../policy/endpoint/endpoint.ts';
export { definePolicy, policyOf, type PolicyDefinition, type Seen } from '../policy/own-policy.ts';
export type { Policy, Reply, ReplyLimits, Situation } from '../policy/policy.ts';
export type { Evaluation, EvaluationEvents, EvaluationRequest } from '../eval/evaluate.ts';
export { evaluate, type EvaluateOptions } from '../library/evaluate.ts';
export { EvaluationResult } from '../library/evaluation-result.ts';
export type { Dashboard } from '../library/dashboard.ts';
export { sft, train, type TrainSettings } from '../library/train.ts';
export type { RlRecipeInput, SftRecipeInput } from '../library/programs.ts';
export type { TrainedStep, TrainingRun } from '../library/training-run.ts';
export { serve, type Listening, type ServeOptions, type Server } from '../library/serve.ts';
export { compareScores, type Comparison } from '../eval/compare.ts';
export type { Panel } from '../eval/panel.ts';
export type { Score } from '../eval/score.ts';
export { episodeRecord, parseEpisodeRecord, type EpisodeRecord } from '../run/episode-record.ts';
export { readRlRecipe, readSftRecipe } from '../config/recipe/read-recipe.ts';
export { rlRecipe, sftRecipe } from '../config/recipe/recipe.ts';
export type { RlRecipe } from '../config/recipe/rl-recipe.ts';
export type { SftRecipe } from '../config/recipe/sft-recipe.ts';
export { resumeRun } from '../train/resume.ts';
export { startRl } from '../train/rl/start.ts';
export { startSft } from '../train/sft/start.ts';
export type { StartOptions } from '../train/run/opening.ts';
export type { RlParts } from '../train/rl/parts.ts';
export { trainRl } from '../train/rl/trainer.ts';
export type { StepSummary, TrainerEvents, TrainResult } from '../train/run/events.ts';
export { runTrainer } from '../train/run/lifecycle.ts';
export type { Ending, Opening, OpenRun, RunConfig, RunState, Trainer, TrainOptions } from '../train/run/trainer.ts';
export { RunDirectory, type NewRun } from '../run/run-directory.ts';
export { defineEstimator, type Estimator, type EstimatorOptions } from '../learn/advantages/definition.ts';
export { estimateAdvantages, registerEstimator } from '../learn/advantages/estimator.ts';
export { defineLoss, emptyLoss, type PolicyLossDefinition, type PolicyRow, type TokenLoss } from '../learn/losses/definition.ts';
export { policyLoss, policyLossOf, registerPolicyLoss } from '../learn/losses/policy-loss.ts';
export { at } from '../core/at.ts';
export { perGroup, perRow, type Advantages, type Row } from '../learn/rows.ts';
export {
  answerOf,
  defineReward,
  sampledTokens,
  type GroupRewardFunction,
  type RewardDefinition,
  type RewardFunction,
  type RewardValue,
} from '../rewards/reward.ts';
export { routedScore, scores } from '../scores/registry.ts';
export type { Scored } from '../scores/score.ts';

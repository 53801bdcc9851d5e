/** `agoge/envs`: environments, those that ship and those of one's own: open, define, serve, hold to the laws. */
import '../envs/builtin.ts';

export type * from '../envs/environment.ts';
export { formatTask, parseTask, type TaskRef } from '../core/task.ts';
export { Random } from '../core/random/random.ts';
export { defineEnvironment, type EnvironmentDefinition } from '../envs/define.ts';
export { Dialect } from '../envs/agentgym/dialect.ts';
export { integer, optional, text } from '../envs/agentgym/fields.ts';
export type { AgentGym } from '../envs/agentgym/agentgym.ts';
export type { EnvironmentFacts } from '../envs/facts.ts';
export { environmentEntries, loadEnvironment, registerEnvironment } from '../envs/registry.ts';
export type { LawOptions } from '../lint/law.ts';
export { checkLaws, type LawReport } from '../lint/laws.ts';
export { defineAgent, type AgentDefinition, type AgentModel } from '../gym/agents/agent-environment.ts';
export { defineHarness, type HarnessDefinition } from '../gym/agents/harness.ts';
export type { HarnessCommand } from '../gym/agents/harness-process.ts';
export { defineMcp, type McpDefinition } from '../agent/mcp/mcp-environment.ts';
export type { McpServer } from '../agent/mcp/transport.ts';
export { defineTraces, type TracesDefinition } from '../gym/agents/trace-environment.ts';
export type { TraceTask } from '../gym/agents/trace-task.ts';
export { openEnvironment } from '../gym/client/connect.ts';
export { startGym, type GymOptions, type GymServer } from '../gym/server/server.ts';

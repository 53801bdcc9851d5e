/** The public API: what a program that imports `agoge` may use. */
import './envs/builtin.ts';

export { AgogeError, type ErrorCode } from './core/error.ts';
export { formatTask, parseTask, type TaskRef } from './core/task.ts';
export type { Outcome } from './core/outcome.ts';
export type { Segment, TokenIds, Trajectory, Turn } from './core/trajectory.ts';
export { Random } from './core/random/random.ts';
export type * from './envs/environment.ts';
export { environmentEntries, loadEnvironment, registerEnvironment } from './envs/registry.ts';
export { checkLaws, type LawOptions, type LawReport } from './envs/laws/laws.ts';
export { openEnvironment } from './gym/connect.ts';
export { startGym, type GymOptions, type GymServer } from './gym/server.ts';
export type * from './engine/engine.ts';

/** Draws the goal and the last call, for a terminal. */
import type { ToolState } from './episode.ts';

export function drawState(state: unknown): string {
  if (!isToolState(state)) return '';
  const { goal, calls, last } = state;
  const lines = [`goal: ${goal}`, `calls: ${calls}`];
  if (last) lines.push(`${last.tool}(${last.input})`, `= ${last.answer}`);
  return lines.join('\n');
}

export function isToolState(state: unknown): state is ToolState {
  const { goal, calls } = (state ?? {}) as Partial<ToolState>;
  return typeof goal === 'string' && typeof calls === 'number';
}

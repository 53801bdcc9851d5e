/**
 * Solves a shipped task through the same actions as anybody: it knows the plan and finds each element by role and name in the text that
 * it is shown, so it plays in every lane.
 */
import { pythonRepr } from '../../../textcraft/python.ts';
import type { Expert } from '../../../environment.ts';
import type { PlanStep, Target } from './template.ts';

export function planExpert(plan: readonly PlanStep[]): Expert {
  let at = 0;
  return {
    next(observation) {
      const step = plan[at];
      const action = step && actionOf(step, observation);
      if (action === undefined) return null;
      at++;
      return action;
    },
  };
}

/** The step as an action on this page; undefined where what it needs is not there. */
function actionOf(step: PlanStep, observation: string): string | undefined {
  if (step.do === 'say') return step.action;
  const id = findId(observation, step.target);
  if (id === undefined) return undefined;
  return step.do === 'click' ? `click [${id}]` : `type [${id}] [${step.text}] [${step.enter ? '1' : '0'}]`;
}

export function findId(observation: string, { role, name, below }: Target): string | undefined {
  const wanted = `${role} ${pythonRepr(name)}`;
  let reached = below === undefined;
  for (const line of observation.split('\n')) {
    const parts = /^\t*\[(\d+)\] (.*)$/.exec(line);
    if (!parts) continue;
    const says = parts[2] ?? '';
    if (reached && (says === wanted || says.startsWith(`${wanted} `))) return parts[1];
    if (below !== undefined && says.includes(below)) reached = true;
  }
  return undefined;
}

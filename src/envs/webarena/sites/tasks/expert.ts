/**
 * Solves a shipped task through the same actions as anybody: it knows the plan and finds each element by role and name in the text that
 * it is shown, so it plays in every backend.
 */
import { pythonRepr } from '../../../../core/python/repr.ts';
import type { Expert } from '../../../environment.ts';
import type { PlanStep, Target } from './template.ts';

export function planExpert(plan: readonly PlanStep[]): Expert {
  let at = 0;
  // Short observations tell what stands around a page only once.
  const known: string[] = [];
  return {
    next(observation) {
      const lines = observation.split('\n');
      const step = plan[at];
      const action = step && (actionOf(step, lines) ?? actionOf(step, known));
      known.unshift(...lines);
      if (action === undefined) return null;
      at++;
      return action;
    },
  };
}

/** The step as an action on this page; undefined where what it needs is not there. */
function actionOf(step: PlanStep, lines: readonly string[]): string | undefined {
  if (step.do === 'say') return step.action;
  const id = findId(lines, step.target);
  if (id === undefined) return undefined;
  return actionOn(step, id);
}

/** A step on the element of this number. */
export function actionOn(step: Exclude<PlanStep, { readonly do: 'say' }>, id: string): string {
  return step.do === 'click' ? `click [${id}]` : `type [${id}] [${step.text}] [${step.enter ? '1' : '0'}]`;
}

/** The number of an element in the lines of an observation, whole or short (where a line may hold the cells of a row). */
export function findId(lines: readonly string[], { role, name, below }: Target): string | undefined {
  const forms = [`${role} ${pythonRepr(name)}`, `${role} ${name}`];
  let reached = below === undefined;
  for (const line of lines) {
    if (below !== undefined && isHeading(line, below)) reached = true;
    if (!reached) continue;
    for (const part of line.split(' | ')) {
      const [, id, says = ''] = /^\t*\[(\d+)\] (.*)$/.exec(part) ?? [];
      if (forms.some((form) => says.startsWith(form) && STATE.test(says.slice(form.length)))) return id;
    }
  }
  return undefined;
}

/** Short pages leave out a heading that the title says. */
function isHeading(line: string, says: string): boolean {
  const title = `# ${says}`;
  return line === says || line.endsWith(`heading ${pythonRepr(says)}`) || line === title || line.startsWith(`${title} - `);
}

/** What may follow a name: nothing, or what state the element is in. */
const STATE = /^$|^ (?:focused: True|required:|checked:|\(focused\)|\(chosen\))/;

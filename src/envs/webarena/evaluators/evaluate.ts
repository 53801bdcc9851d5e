/** A task's score: the product of its evaluators. */
import { AgogeError } from '../../../core/error.ts';
import type { PageView } from '../backend.ts';
import type { SiteAddresses } from '../tasks/sites.ts';
import { htmlTargets, type WebTask } from '../tasks/task.ts';
import { answerMatch } from './answer.ts';
import { checkTarget, htmlMatch } from './html.ts';
import type { Judge } from './judge.ts';
import { urlMatch } from './url.ts';

export interface Ending {
  /** What the agent answered with `stop`; empty where it gave none. */
  readonly answer: string;
  readonly page: PageView;
  readonly addresses: SiteAddresses;
  readonly judge?: Judge | undefined;
}

/** 1 where every evaluator is satisfied, else 0. Throws where a judge is missing or a site does not answer: that is not the agent's failure. */
export async function evaluate(task: WebTask, { answer, page, addresses, judge }: Ending): Promise<number> {
  let score = 1;
  for (const type of task.eval.eval_types) {
    if (type === 'string_match') score *= await answerMatch(task, answer, judge);
    else if (type === 'url_match') score *= urlMatch(page.url, reference(task), task.eval.url_note);
    else score *= await htmlMatch(htmlTargets(task), { page, addresses });
    // Nothing later can raise it, and visiting pages takes time.
    if (score === 0) return 0;
  }
  return score;
}

/** Reads everything that a task's evaluators will need; throws ENV_WEBARENA_BAD_TASK. */
export function checkEvaluators(task: WebTask): void {
  for (const type of task.eval.eval_types) {
    if (type === 'url_match') urlMatch('', reference(task), task.eval.url_note);
    if (type === 'program_html') for (const target of htmlTargets(task)) checkTarget(target);
  }
}

function reference(task: WebTask): string {
  if (typeof task.eval.reference_url === 'string') return task.eval.reference_url;
  throw new AgogeError('ENV_WEBARENA_BAD_TASK', `task ${task.task_id} has url_match without reference_url: add it`);
}

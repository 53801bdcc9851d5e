/** string_match: the answer given with `stop [answer]` against the reference answers. */
import { AgogeError } from '../../../core/error.ts';
import type { ReferenceAnswers, WebTask } from '../tasks/task.ts';
import { fuzzyMatch, type Judge, unachievableMatch } from './judge.ts';
import { cleanAnswer, exactMatch, mustInclude } from './text.ts';

export async function answerMatch(task: WebTask, answer: string, judge: Judge | undefined): Promise<number> {
  const given = cleanAnswer(answer);
  const references = task.eval.reference_answers;
  if (!references || Array.isArray(references)) {
    throw new AgogeError(
      'ENV_WEBARENA_BAD_TASK',
      `task ${task.task_id} has string_match without reference_answers by how they are compared: write {"must_include": […]} or its like`,
    );
  }
  let score = 1;
  // In the order of the file: the rule for N/A looks at the score so far.
  for (const approach of Object.keys(references) as (keyof ReferenceAnswers)[]) {
    if (approach === 'exact_match') score *= exactMatch(references.exact_match ?? '', given);
    else if (approach === 'must_include') {
      const wanted = references.must_include ?? [];
      for (const one of wanted) score *= mustInclude(one, given, { tokenize: wanted.length === 1 });
    } else if (references.fuzzy_match === 'N/A') {
      score *= exactMatch('N/A', given);
      if (score !== 1) score = await unachievableMatch(judge, task.eval.string_note ?? '', given, task.intent);
    } else {
      for (const one of references.fuzzy_match ?? []) score *= await fuzzyMatch(judge, one, given, task.intent);
    }
  }
  return score;
}

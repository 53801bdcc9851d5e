/** A judge for answers that only a reader can compare: what it is asked, and how its words become a score. The model is handed in. */
import { AgogeError } from '../../../core/error.ts';

/** Answers a question as a language model does. */
export interface Judge {
  ask(question: JudgeQuestion): Promise<string>;
}

export interface JudgeQuestion {
  readonly system: string;
  readonly user: string;
}

const SYSTEM = 'You are a helpful assistant';

/** Is the answer the same in meaning as the reference? */
export async function fuzzyMatch(judge: Judge | undefined, reference: string, answer: string, intent: string): Promise<number> {
  const user =
    'Help a teacher to grade the answer of a student given a question. Keep in mind that the student may use different phrasing or wording to answer the question. The goal is to evaluate whether the answer is semantically equivalent to the reference answer.\n' +
    `question: ${intent}\n` +
    `reference answer: ${reference}\n` +
    "all the string 'N/A' that you see is a special sequence that means 'not achievable'\n" +
    `student answer: ${answer}\n` +
    'Conclude the judgement by correct/incorrect/partially correct.';
  const verdict = await ask(judge, user);
  if (verdict.includes('partially correct') || verdict.includes('incorrect')) return 0;
  if (verdict.includes('correct')) return 1;
  throw unclear(verdict, 'correct, incorrect or partially correct');
}

/** Is the reported reason why a task cannot be done the true one? */
export async function unachievableMatch(
  judge: Judge | undefined,
  reference: string,
  answer: string,
  intent: string,
): Promise<number> {
  const user =
    `task: ${intent}\n` +
    `actual unachievable reason: ${reference}\n` +
    `reported unachievable reason: ${answer}\n` +
    "The task described above is inherently unachievable due to the reason specified under 'actual unachievable reason'. " +
    'An individual previously attempted this task and was unable to complete it. They provided a reason for their failure, ' +
    "which is listed under 'reported unachievable reason'. Your role is to review both the actual and reported reasons. " +
    'Determine if the reported reason aligns with the actual reason, even if implicitly. ' +
    "If the stated reason is in line with the actual reason, respond with 'same'. Otherwise, respond with 'different'.";
  const verdict = await ask(judge, user);
  if (verdict.includes('different')) return 0;
  if (verdict.includes('same')) return 1;
  throw unclear(verdict, 'same or different');
}

async function ask(judge: Judge | undefined, user: string): Promise<string> {
  if (!judge) {
    throw new AgogeError(
      'ENV_WEBARENA_NO_JUDGE',
      'this task compares answers by meaning and there is no judge: name one with webarena.judge=openai:<model>, or leave the task out',
    );
  }
  return (await judge.ask({ system: SYSTEM, user })).toLowerCase();
}

function unclear(verdict: string, wanted: string): AgogeError {
  const shown = verdict.length > 200 ? `${verdict.slice(0, 200)}…` : verdict;
  return new AgogeError(
    'ENV_WEBARENA_JUDGE_UNCLEAR',
    `the judge answered ${JSON.stringify(shown)}, which is none of ${wanted}: use a model that follows the question`,
  );
}

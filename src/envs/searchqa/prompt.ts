/** What an agent is told about SearchQA: AgentGym's own opening in the observation, and the actions in our words. */
import type { Instructions } from '../environment.ts';

const opening =
  'You must reason inside <think>...</think> first. If you do not have enough knowledge, issue a <search>...</search> and then STOP. Do not generate <information> or <answer> yet. Wait for external input wrapped in <information>...</information>. After receiving information, reason again in <think>. If confident, output your final answer in <answer>...</answer>. Do not output <answer> before receiving <information> unless you are fully confident. If you find no further external knowledge needed, you can directly provide the answer inside <answer> and </answer>, without detailed illustrations. For example, <answer> Beijing </answer>. Follow this process every time.';

/** The first observation, as AgentGym's server gives it. */
export function openingText(question: string): string {
  return `${opening}\n\n Question: ${question}`;
}

export const correct = 'Congratulations! You have answered the question correctly.';
export const wrong = 'Sorry, your answer is incorrect. Please try again.';
export const invalid =
  'Your previous action is invalid. If you want to search, you should put the query between <search> and </search>. If you want to give the final answer, you should put the answer between <answer> and </answer>. Please try again.';

export const instructions: Instructions = {
  task: [
    'You are asked a question. Search a library of passages until you know the answer, then give it.',
    'The answer is right when it is one of the expected answers, word by word; articles, punctuation and capitals do not matter. A wrong answer may be corrected.',
  ].join('\n'),
  actions: [
    {
      name: 'search',
      template: '<search> {query} </search>',
      description: 'Search the library; the best passages come back.',
      parameters: { query: 'what to search for' },
    },
    {
      name: 'answer',
      template: '<answer> {answer} </answer>',
      description: 'Answer the question in a few words; a right answer ends the task.',
      parameters: { answer: 'the answer alone' },
    },
  ],
  example: [
    {
      observation: openingText('In which city was the author of Silent Harbor born?'),
      thought: 'I need the author first.',
      action: '<search> Silent Harbor author </search>',
    },
    {
      observation: '<information>Doc 1(Title: "Silent Harbor") Silent Harbor is a novel by Ida Moss.</information>',
      thought: 'Now where Ida Moss was born.',
      action: '<search> Ida Moss born </search>',
    },
    {
      observation: '<information>Doc 1(Title: "Ida Moss") Ida Moss was born in Oakford in 1931.</information>',
      thought: 'Oakford.',
      action: '<answer> Oakford </answer>',
    },
  ],
};

/** SearchQA for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const searchQAEntry = defineEntry({
  name: 'searchqa',
  summary: 'answer questions by searching a library of passages',
  settings,
  limits: { turns: 5 },
  items: { parameter: 'id', also: ['nq', 'triviaqa', 'popqa', 'hotpotqa', '2wikimultihopqa', 'musique', 'bamboogle'] },
  rows: {
    ability: 'qa',
    request: 'Please answer the question that the environment gives you.',
    format: 'direct',
    noAction: 'Please provide a valid action. Valid actions: search[keywords], click[number], answer[your answer]',
  },
  load: async (given) => (await import('./searchqa.ts')).openSearchQA(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});

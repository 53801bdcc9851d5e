/** Wordle for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';

export const wordleEntry = defineEntry({
  name: 'wordle',
  summary: 'guess a hidden word of five letters in six tries (LMRL-Gym’s 40 words, any seed)',
  settings: {},
  items: { prefix: 'lmrlgym_wordle', parameter: 'seed' },
  load: async () => (await import('./wordle.ts')).wordle(),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});

/** The to-do environment: AgentGym's tools over a service of our own. At the end the account must be as the errand leaves it. */
import type { Settings } from '../../settings.ts';
import { toolEnvironment, type ToolEnvironment } from '../core/environment.ts';
import type { Kit } from '../core/kit.ts';
import { askTodo } from './questions.ts';
import { TodoBox, todoTools } from './tools.ts';

export const kit: Kit = {
  name: 'todo',
  version: '1',
  role: 'You look after the to-do lists of a user: projects with tasks. You answer questions about them and change what the user asks for, nothing else.',
  tools: todoTools,
  items: {
    prefix: 'todo',
    count: 155,
    test: [19, 20, 21, 24, 26, 28, 32, 33, 34, 37, 41, 53, 57, 65, 67, 69, 73, 76, 104, 115],
  },
  ask: askTodo,
  score({ played, solution, met, done }) {
    if (!met || !done) return met ? 1 : 0;
    return played instanceof TodoBox && solution instanceof TodoBox && played.status === solution.status ? 1 : 0;
  },
};

export function todo(settings: Settings = {}): ToolEnvironment {
  return toolEnvironment(kit, settings);
}

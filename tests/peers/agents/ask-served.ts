/**
 * The product's side of trained-agents.test.ts: the agent that `agoge new agent` wrote asks a served policy, task by task, and what its
 * answers are worth is printed. Nothing of the training is used but the questions.
 *   tsx ask-served.ts <folder of the agent> <base URL> <name of the model> <times>
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Random } from '../../../src/core/random/random.ts';

interface Provider {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
}
interface Question {
  readonly asked: string;
  readonly boxes: ReadonlyMap<string, string>;
}
interface Agent {
  readonly answer: (asked: string, boxes: ReadonlyMap<string, string>, provider: Provider) => Promise<string>;
}
interface Tasks {
  readonly splits: { readonly test: number };
  readonly question: (random: Random) => Question;
  readonly worth: (answer: string, question: Question) => number;
}

const [folder = '', baseURL = '', model = '', times = '1'] = process.argv.slice(2);
const fileOf = (name: string): string => pathToFileURL(join(folder, name)).href;
const { answer } = (await import(fileOf('agent.ts'))) as Agent;
const { question, splits, worth } = (await import(fileOf('tasks.ts'))) as Tasks;

const earned: number[] = [];
for (let time = 0; time < Number(times); time++)
  for (let index = 0; index < splits.test; index++) {
    const asked = question(Random.of(0, model, 'test', index)); // as in an evaluation, whose tasks bear the agent's name
    earned.push(worth(await answer(asked.asked, asked.boxes, { baseURL, apiKey: 'none', model }), asked));
  }
console.log(JSON.stringify(earned));

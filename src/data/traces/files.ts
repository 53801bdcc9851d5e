/** What `agoge data import` writes beside the data: the environment and both recipes, to be changed line by line. */

export function traceFiles(name: string, reward: string | undefined): Readonly<Record<string, string>> {
  return { 'env.ts': environment(name), 'sft.yaml': imitation(name), 'train.yaml': reinforcement(name, reward) };
}

const environment = (
  name: string,
): string => `/** ${name}: logged conversations as tasks. Tools answer as in the log; give your own to ask the world instead. */
import { defineTraces } from 'agoge';

export default defineTraces({
  name: '${name}',
  version: '1', // change it whenever tools or scores change
  tasks: new URL('./tasks.jsonl', import.meta.url),
  // tools: { search: (given) => search(given) },
  // score: (answer, task) => (answer.includes(task.replies.at(-1) ?? '') ? 1 : 0),
});
`;

const imitation = (name: string): string => `# The conversations that went well are imitated. Run it in this folder.
run: ${name}-sft
seed: 1
policy: base
data: { source: files, train: demonstrations.jsonl }
agent: { format: direct, max_turns: 8 }
batch_tokens: 1536
optimizer: { lr: 2e-3, warmup: 10, embedding_rate: 4 }
steps: 60
evaluate: { at_start: true, panels: [{ env: ./env.ts, split: validation }], max_turns: 8 }
`;

const reinforcement = (
  name: string,
  reward: string | undefined,
): string => `# The policy plays the logged tasks itself and learns from what its answers are worth. Run it in this folder.
run: ${name}-grpo
seed: 1
policy: run:outputs/${name}-sft@best
tasks: [{ env: ./env.ts, split: train }]
${reward === undefined ? '' : `reward: ${reward}\n`}agent: { format: direct, max_turns: 8, tokens_per_turn: 64 }
rollout: { groups: 16, samples: 8 }
algorithm: { name: grpo }
optimizer: { lr: 3e-4 }
steps: 20
evaluate: { every: 10, at_start: true, panels: [{ env: ./env.ts, split: validation }], max_turns: 8 }
`;

/** Examples of the reference: runs. The body of each function is the example of what it is named after. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRlRecipe, readSftRecipe, resumeRun, rlRecipe, sft, sftRecipe, startRl, startSft } from 'agoge';

export const examples = {
  async sft() {
    const run = await sft({
      output: await mkdtemp(join(tmpdir(), 'agoge-')),
      policy: 'base',
      data: { source: 'experts', experts: [{ env: 'textcraft' }] },
      batch_tokens: 256,
      steps: 2,
      evaluate: { every: 0, at_end: false },
    });
    for await (const step of run.steps) console.log(step.step, step.metrics['train/loss']);
    console.log(run.latest()); // the name of its policy, for evaluate and serve
  },
  async resumeRun() {
    const run = await sft({
      output: await mkdtemp(join(tmpdir(), 'agoge-')),
      policy: 'base',
      data: { source: 'experts', experts: [{ env: 'textcraft' }] },
      batch_tokens: 256,
      steps: 1,
      evaluate: { every: 0, at_end: false },
    });
    await run.finished;
    const { step } = await resumeRun(run.directory, {}, ['steps=2']);
    console.log(step); // 2
  },
  async readRlRecipe() {
    const recipe = await readRlRecipe('recipes/textcraft-grpo.yaml', ['steps=10']);
    console.log(recipe.algorithm.name, recipe.steps); // grpo, 10
  },
  async readSftRecipe() {
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'mine.yaml');
    await writeFile(file, 'run: mine\ndata: { source: experts, experts: [{ env: textcraft }] }\nsteps: 10\n');
    console.log((await readSftRecipe(file, ['seed=2'])).seed); // 2
  },
  async startRl() {
    const recipe = rlRecipe({
      run: 'short',
      output: await mkdtemp(join(tmpdir(), 'agoge-')),
      policy: 'base',
      tasks: [{ env: 'textcraft', split: 'fit' }],
      rollout: { groups: 1, samples: 2 },
      agent: { max_turns: 2, tokens_per_turn: 8 },
      steps: 1,
      evaluate: { every: 0, at_start: false, at_end: false },
    });
    const { status } = await startRl(recipe, { events: { onStep: ({ step }) => console.log(step) } });
    console.log(status); // finished
  },
  async startSft() {
    const recipe = sftRecipe({
      run: 'short',
      output: await mkdtemp(join(tmpdir(), 'agoge-')),
      policy: 'base',
      data: { source: 'experts', experts: [{ env: 'textcraft' }] },
      batch_tokens: 256,
      steps: 1,
      evaluate: { every: 0, at_end: false },
    });
    console.log((await startSft(recipe)).status); // finished
  },
};

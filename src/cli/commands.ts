/** All commands of `agoge`: one file per sub-command in `commands/`, each registering itself on the program. */
import { Command } from '@commander-js/extra-typings';
import { readFileSync } from 'node:fs';
import { register as registerBench } from './commands/bench.ts';
import { register as registerChaos } from './commands/chaos.ts';
import { register as registerData } from './commands/data/data.ts';
import { register as registerDemo } from './commands/demo.ts';
import { register as registerDocs } from './commands/docs.ts';
import { register as registerDoctor } from './commands/doctor/doctor.ts';
import { register as registerGpu } from './commands/gpu.ts';
import { register as registerLint } from './commands/lint.ts';
import { register as registerModel } from './commands/model.ts';
import { register as registerNew } from './commands/new/new.ts';
import { register as registerPlay } from './commands/play.ts';
import { register as registerCompare } from './commands/compare.ts';
import { register as registerSummary } from './commands/summary.ts';
import { register as registerExport } from './commands/export.ts';
import { register as registerEval } from './commands/eval/eval.ts';
import { register as registerCompletion } from './commands/completion.ts';
import { register as registerConfig } from './commands/config.ts';
import { register as registerRecipes } from './commands/recipes.ts';
import { register as registerReward } from './commands/training/reward.ts';
import { register as registerServe } from './commands/serve/serve.ts';
import { register as registerSft } from './commands/training/sft.ts';
import { register as registerStudy } from './commands/study.ts';
import { register as registerSweep } from './commands/sweep.ts';
import { register as registerTrain } from './commands/training/train.ts';
import { register as registerView } from './commands/view.ts';
import { register as registerWebArena } from './commands/webarena/webarena.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

export const program = new Command('agoge')
  .description('Reinforcement learning for language-model agents, on one machine, without Python.')
  .version(version)
  .addHelpText('after', '\nExample:\n  agoge demo        a policy learns before your eyes, on this CPU, in a minute\n');

registerServe(program);
registerEval(program);
registerCompare(program);
registerSummary(program);
registerTrain(program);
registerSweep(program);
registerStudy(program);
registerRecipes(program);
registerConfig(program);
registerSft(program);
registerReward(program);
registerData(program);
registerModel(program);
registerExport(program);
registerView(program);
registerDocs(program);
registerPlay(program);
registerNew(program);
registerLint(program);
registerDemo(program);
registerDoctor(program);
registerGpu(program);
registerCompletion(program);
registerBench(program);
registerWebArena(program);
registerChaos(program);

/** All commands of `agoge`: one file per sub-command in this folder, each registering itself on the program. */
import { Command } from '@commander-js/extra-typings';
import { readFileSync } from 'node:fs';
import { register as registerBench } from './bench.ts';
import { register as registerChaos } from './chaos.ts';
import { register as registerData } from './data.ts';
import { register as registerDemo } from './demo.ts';
import { register as registerDocs } from './docs.ts';
import { register as registerDoctor } from './doctor.ts';
import { register as registerLint } from './lint.ts';
import { register as registerModel } from './model.ts';
import { register as registerNew } from './new.ts';
import { register as registerPlay } from './play.ts';
import { register as registerCompare } from './compare.ts';
import { register as registerSummary } from './summary.ts';
import { register as registerExport } from './export.ts';
import { register as registerEval } from './eval.ts';
import { register as registerCompletion } from './completion.ts';
import { register as registerConfig } from './config.ts';
import { register as registerRecipes } from './recipes.ts';
import { register as registerReward } from './reward.ts';
import { register as registerServe } from './serve.ts';
import { register as registerSft } from './sft.ts';
import { register as registerSweep } from './sweep.ts';
import { register as registerTrain } from './train.ts';
import { register as registerView } from './view.ts';
import { register as registerWebArena } from './webarena.ts';

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
registerCompletion(program);
registerBench(program);
registerWebArena(program);
registerChaos(program);

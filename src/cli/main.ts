#!/usr/bin/env node
/** The `agoge` command: one file per sub-command in this folder, each registering itself on the program. */
import { Command } from '@commander-js/extra-typings';
import { readFileSync } from 'node:fs';
import { runProgram } from './program.ts';
import { register as registerServe } from './serve.ts';
import { register as registerView } from './view.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

const program = new Command('agoge')
  .description('Reinforcement learning for language-model agents, on one machine, without Python.')
  .version(version)
  .addHelpText('after', '\nExample:\n  agoge demo        a policy learns before your eyes, on this CPU, in a minute\n');

registerServe(program);
registerView(program);

await runProgram(program);

/** `agoge new`: an environment, an algorithm or a part of one's own that works at once. */
import { Argument, type Command } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../../../core/error.ts';
import { templates } from './templates/templates.ts';
import { asCalled, print } from '../../terminal/print.ts';

type Kind = keyof typeof templates;
const kinds = Object.keys(templates) as Kind[];
/** Kinds of several files, which get a folder. */
const folders: readonly Kind[] = ['env', 'algorithm'];

const next: Readonly<Record<Kind, (name: string) => string>> = {
  env: (name) => `next: cd ${name} && agoge lint ./env.ts, then as its README says`,
  algorithm: (name) => `next: cd ${name} && agoge train train.yaml`,
  estimator: (name) => `next: agoge train textcraft-grpo algorithm.estimator=./${name}.ts`,
  loss: (name) => `next: agoge train textcraft-grpo algorithm.loss=./${name}.ts`,
  reward: (name) => `next: agoge eval textcraft --policy base --reward ./${name}.ts, or reward: ./${name}.ts in a recipe`,
  format: (name) =>
    `next: agoge eval textcraft --policy expert --format ./${name}.ts, or agent: { format: ./${name}.ts } in a recipe`,
  policy: (name) => `next: agoge eval babyai --policy ./${name}.ts --policy random`,
};

export function register(program: Command): void {
  program
    .command('new')
    .description('start an environment, an algorithm, a reward, a format or a policy of your own from a small one that works')
    .addArgument(new Argument('<kind>', 'what to start').choices(kinds))
    .argument('<name>', 'its name: small letters, digits and dashes')
    .addHelpText('after', '\nExamples:\n  agoge new env dice\n  agoge new reward brevity\n')
    .action(async (kind, name) => {
      if (!/^[a-z][a-z0-9-]*$/.test(name)) {
        throw new AgogeError('CLI_USAGE_NEW', `"${name}" is no name: use small letters, digits and dashes, as in my-env`);
      }
      const folder = folders.includes(kind) ? name : '.';
      const files = Object.entries(templates[kind]).map(([file, text]) => ({
        path: join(folder, file.replaceAll('$name', name)),
        text: asCalled(text.replaceAll('$name', name)),
      }));
      const taken = folders.includes(kind) ? [folder].filter(existsSync) : files.map(({ path }) => path).filter(existsSync);
      if (taken.length > 0) {
        throw new AgogeError('CLI_USAGE_NEW', `${taken.join(', ')} is there already: choose another name, or remove it first`);
      }
      await mkdir(folder, { recursive: true });
      for (const { path, text } of files) {
        await writeFile(path, text, { flag: 'wx' });
        print(`wrote ${path}`);
      }
      print(next[kind](name));
    });
}

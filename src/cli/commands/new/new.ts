/** `agoge new`: an environment, an algorithm or a part of one's own that works at once. */
import { Argument, Option, type Command } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgogeError } from '../../../core/error.ts';
import { makeFolder } from '../../../core/make-folder.ts';
import { agentTemplate } from './templates/agent-template.ts';
import { sdks, type Sdk } from './templates/agent-sdks.ts';
import { templates, type Template } from './templates/templates.ts';
import { isInstalled } from '../../../user-modules/packages.ts';
import { asCalled, print } from '../../terminal/print.ts';

type Kind = keyof typeof templates | 'agent';
const kinds = [...Object.keys(templates), 'agent'] as Kind[];
/** Kinds of several files, which get a folder. */
const folders: readonly Kind[] = ['env', 'algorithm', 'agent'];

const next: Readonly<Record<Kind, (name: string) => string>> = {
  env: (name) => `next: cd ${name} && agoge lint ./env.ts, then as its README says`,
  agent: (name) => `next: cd ${name} && npm install, then as its README says`,
  algorithm: (name) => `next: cd ${name} && agoge train train.yaml`,
  estimator: (name) => `next: agoge train textcraft-grpo algorithm.estimator=./${name}.ts`,
  loss: (name) => `next: agoge train textcraft-grpo algorithm.loss=./${name}.ts`,
  reward: (name) => `next: agoge eval textcraft --policy base --reward ./${name}.ts, or reward: ./${name}.ts in a recipe`,
  format: (name) =>
    `next: agoge eval textcraft --policy expert --format ./${name}.ts, or agent: { format: ./${name}.ts } in a recipe`,
  policy: (name) => `next: agoge eval babyai --policy ./${name}.ts --policy random`,
};

export function register(command: Command): void {
  command
    .addArgument(new Argument('<kind>', 'what to start').choices(kinds))
    .argument('<name>', 'its name: small letters, digits and dashes')
    .addOption(new Option('--sdk <name>', 'what an agent is written with (default: ai-sdk)').choices(Object.keys(sdks) as Sdk[]))
    .addHelpText(
      'after',
      '\nExamples:\n  agoge new env dice\n  agoge new agent librarian --sdk openai\n  agoge new reward brevity\n',
    )
    .action(async (kind, name, { sdk }) => {
      if (!/^[a-z][a-z0-9-]*$/.test(name)) {
        throw new AgogeError('CLI_USAGE_NEW', `"${name}" is no name: use small letters, digits and dashes, as in my-env`);
      }
      if (sdk !== undefined && kind !== 'agent')
        throw new AgogeError('CLI_USAGE_NEW', `--sdk is for agents: leave it out, or say agoge new agent ${name}`);
      const template: Template = kind === 'agent' ? agentTemplate(sdk ?? 'ai-sdk', packageSeenFrom(name)) : templates[kind];
      const folder = folders.includes(kind) ? name : '.';
      const files = Object.entries(template).map(([file, text]) => ({
        path: join(folder, file.replaceAll('$name', name)),
        text: asCalled(text.replaceAll('$name', name)),
      }));
      const taken = folders.includes(kind) ? [folder].filter(existsSync) : files.map(({ path }) => path).filter(existsSync);
      if (taken.length > 0) {
        throw new AgogeError('CLI_USAGE_NEW', `${taken.join(', ')} is there already: choose another name, or remove it first`);
      }
      await makeFolder(folder);
      for (const { path, text } of files) {
        await writeFile(path, text, { flag: 'wx' });
        print(`wrote ${path}`);
      }
      print(next[kind](name));
    });
}

/** This package as a dependency of a folder that is to be made; undefined where Node finds it from there anyway. */
function packageSeenFrom(folder: string): string | undefined {
  if (isInstalled('agoge')) return undefined;
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  return `file:${relative(resolve(folder), root)}`;
}

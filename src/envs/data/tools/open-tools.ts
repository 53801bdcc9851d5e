/** The tools that settings name: names of ours, separated by commas, or a file of verl's. */
import type { ActionForm } from '../../environment.ts';
import { badSetting } from '../../settings.ts';
import type { DataSettings } from '../settings.ts';
import { builtinTool, toolNames } from './builtin.ts';
import type { ToolSet } from './episode.ts';
import type { Tool } from './tool.ts';

export async function openTools(given: DataSettings): Promise<ToolSet | undefined> {
  const { tools: named, parallel, response } = given;
  if (named === undefined || named === '') return undefined;
  return { tools: await listed(named, given), parallel, response };
}

async function listed(named: string, given: DataSettings): Promise<readonly Tool[]> {
  if (/\.ya?ml$/.test(named)) {
    // Asked for by name when it is needed: it reads disks, and a page that cannot does not carry it.
    const module = `./tool-file${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;
    const { readTools } = (await import(/* @vite-ignore */ module)) as typeof import('./tool-file.ts');
    return readTools(named, given);
  }
  return named.split(',').map((word) => {
    const name = toolNames.find((one) => one === word.trim());
    if (name) return builtinTool(name, given);
    throw badSetting('data', 'tools', named, `some of ${toolNames.join(', ')}, or a YAML file of tools`);
  });
}

/** For formats and endpoints that offer functions. */
export function toolForms(tools: readonly Tool[]): ActionForm[] {
  return tools.map(({ schema }) => {
    const { name, description, parameters } = schema.function;
    const properties = Object.entries((parameters['properties'] ?? {}) as Record<string, { description?: unknown }>);
    return {
      name,
      template: `${name}(${properties.map(([key]) => `{${key}}`).join(', ')})`,
      description,
      parameters: Object.fromEntries(
        properties.map(([key, { description: said }]) => [key, typeof said === 'string' ? said : key]),
      ),
      json: true,
      schema,
    };
  });
}

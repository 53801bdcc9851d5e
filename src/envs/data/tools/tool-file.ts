/**
 * verl's tool files: `tools`, a list of { class_name, config, tool_schema }. A class is known by its last word; its schema is shown to the model as
 * it stands. Classes of one's own are Python and cannot be run here: they are refused by name.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { builtinTool, toolNames, type ServedBy, type ToolName } from './builtin.ts';
import type { Tool } from './tool.ts';

const entry = z.object({
  class_name: z.string(),
  config: z.record(z.string(), z.unknown()).nullish(),
  tool_schema: z
    .looseObject({
      type: z.literal('function'),
      function: z.looseObject({
        name: z.string().min(1),
        description: z.string().default(''),
        parameters: z.record(z.string(), z.unknown()),
      }),
    })
    .nullish(),
});
const file = z.object({ tools: z.array(entry).min(1) });

const classes: Readonly<Record<string, ToolName>> = {
  SandboxFusionTool: 'python',
  CodeInterpreter: 'python',
  PythonTool: 'python',
  SearchTool: 'search',
  CalculatorTool: 'calculator',
};

export async function readTools(path: string, settings: ServedBy): Promise<Tool[]> {
  const read = file.safeParse(await parsed(path));
  if (!read.success)
    throw bad(path, z.prettifyError(read.error).replaceAll(/\s+/g, ' '), 'it has tools: [{ class_name, config, tool_schema }]');
  return read.data.tools.map(({ class_name: name, config, tool_schema: schema }) => {
    const last = name.split('.').at(-1) ?? name;
    const known = classes[last] ?? toolNames.find((one) => one === last);
    if (known === undefined) {
      const names = [...Object.keys(classes), ...toolNames].join(', ');
      throw bad(path, `the class ${name} is Python, which is not run here`, `name one of ${names}`);
    }
    const own: ServedBy = { ...settings, ...served(config ?? {}) };
    return builtinTool(known, own, schema ?? undefined);
  });
}

/** The servers that verl's tools have in their config. */
function served(config: Readonly<Record<string, unknown>>): Partial<ServedBy> {
  const { sandbox_fusion_url: sandbox, retrieval_service_url: retriever, topk } = config;
  return {
    ...(typeof sandbox === 'string' && sandbox !== '' ? { sandbox } : {}),
    ...(typeof retriever === 'string' && retriever !== '' ? { retriever } : {}),
    ...(typeof topk === 'number' ? { passages: topk } : {}),
  };
}

async function parsed(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, 'utf8')) as unknown;
  } catch (cause) {
    throw new AgogeError(
      'ENV_BAD_TOOLS',
      `${path} cannot be read: give a YAML file of tools, or names (${toolNames.join(', ')})`,
      {
        cause,
      },
    );
  }
}

function bad(path: string, what: string, remedy: string): AgogeError {
  return new AgogeError('ENV_BAD_TOOLS', `${path}: ${what}: ${remedy}`);
}

/**
 * Reads the interaction files of verl and its forks as they are: a list (or `interaction:` with a list) of
 * { name, _target_ or class_name, config: { env_server_base, timeout, max_retries } }. Times there are in seconds.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { AgogeError } from '../core/error.ts';
import type { Environment } from '../envs/environment.ts';
import { factsOf } from '../envs/lookup.ts';
import { openFormat } from './formats/index.ts';
import { EnvironmentInteraction, type Interaction } from './interaction.ts';

const configSchema = z.strictObject({
  env_server_base: z.string().default('http://127.0.0.1:8000'),
  /** Seconds for one call. */
  timeout: z.number().positive().default(600),
  max_retries: z.int().nonnegative().default(3),
  max_rounds: z.int().positive().optional(),
  /** Ours: the prompt format that replies follow. */
  format: z.string().optional(),
  name: z.string().optional(),
});

const entrySchema = z
  .strictObject({
    name: z.string().optional(),
    _target_: z.string().optional(),
    class_name: z.string().optional(),
    config: configSchema.prefault({}),
  })
  .refine((entry) => entry.name ?? entry._target_ ?? entry.class_name, 'give it a name, _target_ or class_name');

const fileSchema = z.union([
  z.array(entrySchema),
  z.strictObject({ interaction: z.array(entrySchema) }).transform((file) => file.interaction),
]);

export interface InteractionConfig {
  readonly name: string;
  /** The environment behind it: what its class is named after, else its name without a number (`webshop_2` is webshop). */
  readonly env: string;
  readonly serverBase: string;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly maxTurns?: number | undefined;
  readonly format: string;
}

/** Reads a file of verl's interactions. */
export function parseInteractions(yaml: string): InteractionConfig[] {
  const parsed = fileSchema.safeParse(readYaml(yaml));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AgogeError(
      'CONFIG_INTERACTION',
      `the interaction file is not understood at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? ''}; write a list of name, _target_, config`,
    );
  }
  const configs = parsed.data.map((entry): InteractionConfig => {
    const name = entry.name ?? className(entry._target_ ?? entry.class_name ?? '');
    const { env_server_base, timeout, max_retries, max_rounds, format } = entry.config;
    const made = className(entry._target_ ?? entry.class_name ?? '');
    return {
      name,
      env: made === '' ? name.replace(/_\d+$/, '') : made,
      serverBase: env_server_base.replace(/\/$/, ''),
      timeout: timeout * 1000,
      maxRetries: max_retries,
      maxTurns: max_rounds,
      format: format ?? factsOf(made === '' ? name : made).rows?.format ?? 'react',
    };
  });
  const twice = configs.find(({ name }, index) => configs.findIndex((other) => other.name === name) !== index);
  if (twice)
    throw new AgogeError('CONFIG_INTERACTION', `the interaction file names "${twice.name}" twice: give each another name`);
  return configs;
}

/** The interactions of a file; `~/` is the caller's affair. */
export async function readInteractions(path: string): Promise<InteractionConfig[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    throw new AgogeError('CONFIG_INTERACTION', `the interaction file ${path} cannot be read: give the path of a YAML file`, {
      cause: thrown,
    });
  }
  return parseInteractions(text);
}

/** Interactions by name; `connect` opens the environment at a server. */
export async function openInteractions(
  configs: readonly InteractionConfig[],
  connect: (config: InteractionConfig) => Promise<Environment>,
): Promise<Map<string, Interaction>> {
  const interactions = new Map<string, Interaction>();
  for (const config of configs) {
    const { name, timeout, maxRetries, maxTurns } = config;
    const environment = await connect(config);
    const format = await openFormat(config.format);
    const turns = maxTurns === undefined ? {} : { maxTurns };
    interactions.set(name, new EnvironmentInteraction({ name, environment, format, timeout, maxRetries, ...turns }));
  }
  return interactions;
}

function readYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    throw AgogeError.from(thrown, 'CONFIG_INTERACTION', 'the interaction file is not YAML; correct it');
  }
}

/** `verl.interactions.webshop_interaction.WebshopInteraction` → `webshop`. */
function className(path: string): string {
  return (path.split('.').at(-1) ?? '').replace(/Interaction$/, '').toLowerCase();
}

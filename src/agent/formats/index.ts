/** Every prompt format by its name on the command line: those that ship and those that users bring. */
import { AgogeError } from '../../core/error.ts';
import type { PromptFormat } from '../format.ts';
import { isOwn } from '../../user-modules/load-file.ts';
import { adapt, adaptLast } from './adapt.ts';
import { code } from './code.ts';
import { formatOf, type FormatDefinition, type FormatOptions } from './definition.ts';
import { direct } from './direct.ts';
import { functionCalling } from './function-calling.ts';
import { loadFormat } from './own.ts';
import { react } from './react.ts';
import { tools } from './tools.ts';

const shipped: readonly FormatDefinition[] = [react, direct, adapt, adaptLast, functionCalling, code, tools];

/** Names of the formats that ship. */
export const formatNames: readonly string[] = shipped.map(({ name }) => name);

/** A format that ships, by its name; throws CONFIG_UNKNOWN_FORMAT. */
export function createFormat(name: string, options: FormatOptions = {}): PromptFormat {
  const wanted = name === 'code_as_action' ? 'code' : name;
  const definition = shipped.find((one) => one.name === wanted);
  if (definition) return formatOf(definition, options);
  throw new AgogeError(
    'CONFIG_UNKNOWN_FORMAT',
    `there is no prompt format "${name}": choose one of ${formatNames.join(', ')}, or give a file that exports one (./mine.ts)`,
  );
}

/** A format by its name, or of a file or package of the user's own. */
export async function openFormat(name: string, options: FormatOptions = {}): Promise<PromptFormat> {
  if (!isOwn(name)) return createFormat(name, options);
  return loadFormat(name, options);
}

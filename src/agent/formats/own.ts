/** A prompt format of the user's own: `agent.format: ./my-format.ts`. It goes by its path, so that whoever opens the checkpoint finds it. */
import { AgogeError } from '../../core/error.ts';
import { hashOfOwn, importOwn } from '../../user-modules/load-file.ts';
import type { PromptFormat } from '../format.ts';
import { formatOf, type FormatDefinition, type FormatOptions } from './definition.ts';

export async function loadFormat(spec: string, options: FormatOptions): Promise<PromptFormat> {
  const { default: found } = await importOwn(spec, { area: 'CONFIG', what: 'a prompt format' });
  if (!isFormat(found)) {
    throw new AgogeError('CONFIG_BAD_FILE', `${spec} exports no prompt format: export one as default, made by defineFormat`);
  }
  const format = formatOf({ ...found, name: spec }, options);
  return { ...format, fingerprint: [format.fingerprint, `file ${await hashOfOwn(spec)}`].filter(Boolean).join(', ') };
}

function isFormat(found: unknown): found is FormatDefinition {
  if (typeof found !== 'object' || found === null || !('name' in found)) return false;
  return ['opening', 'read', 'write'].every((method) => typeof Reflect.get(found, method) === 'function');
}

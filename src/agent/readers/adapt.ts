/**
 * How the ADaPT recorder of 2025 read TextCraft replies, for replaying its files: the last line that is not empty, `OK.`
 * or a thought. It takes lines the model invented for the environment; the `adapt` format of this package does not.
 */
import type { Read } from '../format.ts';
import { cleanAction } from './agentgym.ts';

export function adaptRecorderReader(reply: string): Read {
  const lines = reply
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'OK.' && line !== 'OK')
    .map((line) => (line.startsWith('>') ? line.slice(1).trim() : line))
    .filter((line) => !/^think:/i.test(line));
  return { action: cleanAction(lines.at(-1) ?? '') };
}

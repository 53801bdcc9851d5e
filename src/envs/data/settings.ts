/** What is said about a setting that cannot be. */
import { AgogeError } from '../../core/error.ts';

export function badSetting(key: string, value: string | undefined, remedy: string): AgogeError {
  return new AgogeError('ENV_BAD_SETTING', `data.${key} is ${JSON.stringify(value)}: set it to ${remedy}`);
}

/** The environment with settings as a user writes them, for tests that look inside. */
import { readSettings, type Settings } from '../settings.ts';
import { settings } from './settings.ts';
import { openInvented, type Invented } from './invented.ts';

export function inventedEnvironment(given: Settings = {}): Invented {
  return openInvented(readSettings('invented', settings, given));
}

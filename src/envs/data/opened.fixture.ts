/** The environment with settings as a user writes them, for tests that look inside. */
import { readSettings, type Settings } from '../settings.ts';
import { settings } from './settings.ts';
import { openData, type DataEnvironment } from './data.ts';

export async function dataEnvironment(given: Settings = {}): Promise<DataEnvironment> {
  return openData(readSettings('data', settings, given));
}

/** The environment with settings as a user writes them, for tests that look inside. */
import { readSettings, type Settings } from '../settings.ts';
import { settings } from './settings.ts';
import { openAlfWorld, type AlfWorld } from './alfworld.ts';

export async function alfWorld(given: Settings = {}): Promise<AlfWorld> {
  return openAlfWorld(readSettings('alfworld', settings, given));
}

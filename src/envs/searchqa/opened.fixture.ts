/** The environment with settings as a user writes them, for tests that look inside. */
import { readSettings, type Settings } from '../settings.ts';
import { settings } from './settings.ts';
import { openSearchQA, type SearchQA } from './searchqa.ts';

export async function searchQA(given: Settings = {}): Promise<SearchQA> {
  return openSearchQA(readSettings('searchqa', settings, given));
}

/** The environment with settings as a user writes them, for tests that look inside. */
import { readSettings, type Settings } from '../settings.ts';
import { settings } from './settings.ts';
import { openWebShop, type WebShop } from './webshop.ts';

export async function webShop(given: Settings = {}): Promise<WebShop> {
  return openWebShop(readSettings('webshop', settings, given));
}

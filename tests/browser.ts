/** A real browser for tests and screenshots: the Chromium inside a registry package, driven by playwright-core. */
import packaged from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

export async function launchBrowser(): Promise<Browser> {
  // One process per page is what closing a page safely needs; the package's default is made for functions in a cloud.
  const args = packaged.args.filter((argument) => argument !== '--single-process' && argument !== '--no-zygote');
  return chromium.launch({ executablePath: await packaged.executablePath(), args, headless: true });
}

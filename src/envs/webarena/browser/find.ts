/** Which Chromium there is on this machine: a given path, an installed Chrome or Chromium, or the one inside a registry package. */
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { AgogeError } from '../../../core/error.ts';
import { unpackPrivately } from './packaged-folder.ts';

export interface Chromium {
  readonly path: string;
  /** Where it was found, for people. */
  readonly source: string;
  readonly args: readonly string[];
  /** Chromium's own sandbox cannot be used by root, nor by the packaged build. */
  readonly sandbox: boolean;
}

const COMMANDS = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge', 'chrome'];
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((folder) => {
    const base = process.env[folder];
    return base === undefined
      ? []
      : [join(base, 'Google/Chrome/Application/chrome.exe'), join(base, 'Microsoft/Edge/Application/msedge.exe')];
  }),
};

export const REMEDY =
  'install Chrome or Chromium, name one with webarena.chromium=/path/to/chrome, or run npm install @sparticuz/chromium beside agoge';

/** Throws ENV_NO_PLAYWRIGHT where the package that drives a browser was left out. */
export function needPlaywright(): void {
  try {
    createRequire(import.meta.url).resolve('playwright-core/package.json');
  } catch (thrown) {
    throw new AgogeError(
      'ENV_NO_PLAYWRIGHT',
      'the package playwright-core is not installed, so no browser can be driven: install agoge again without --omit=optional, or play the shipped sites without a browser (webarena.lane=fast)',
      { cause: thrown },
    );
  }
}

/** Finds a browser; throws ENV_NO_BROWSER. */
export async function findChromium(given?: string): Promise<Chromium> {
  if (given !== undefined) {
    if (isProgram(given)) return installed(given, 'webarena.chromium');
    throw new AgogeError('ENV_NO_BROWSER', `${given} is not a program: set webarena.chromium to Chrome's or Chromium's`);
  }
  const found = candidates().find(isProgram);
  if (found !== undefined) return installed(found, 'installed');
  const packaged = await packagedChromium();
  if (packaged) return packaged;
  throw new AgogeError('ENV_NO_BROWSER', `there is no Chromium on this machine: ${REMEDY}`);
}

function candidates(): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...(PLACES[process.platform] ?? []), ...folders.flatMap((folder) => COMMANDS.map((command) => join(folder, command)))];
}

function installed(path: string, source: string): Chromium {
  return { path, source, args: [], sandbox: process.getuid?.() !== 0 };
}

/**
 * The package's defaults are made for functions in a cloud. One process per page is what closing a page safely needs, sites are kept apart
 * from each other, and no graphics card has to be emulated.
 */
const UNWANTED =
  /^--(single-process|no-zygote|headless|disable-web-security|allow-running-insecure-content|ignore-gpu-blocklist|in-process-gpu|use-gl|use-angle|enable-unsafe-swiftshader)\b/;

/** The package unpacks its Chromium under the temporary folder when it is first asked. */
async function packagedChromium(): Promise<Chromium | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const args = [...chromium.args.filter((argument) => !UNWANTED.test(argument)), '--disable-gpu'];
    return { path: await unpackPrivately(() => chromium.executablePath()), source: '@sparticuz/chromium', args, sandbox: false };
  } catch (thrown) {
    if (thrown instanceof AgogeError) throw thrown;
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

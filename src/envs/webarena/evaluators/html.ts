/** program_html: pages that a task should have changed are visited, and what they show is compared. */
import { AgogeError } from '../../../core/error.ts';
import { pythonText } from '../../../core/python/text.ts';
import type { HtmlTarget } from '../tasks/task.ts';
import { type HelperContext, parseHelper, runHelper } from './helpers.ts';
import { unescapeHtml } from './unescape.ts';
import { exactMatch, mustInclude } from './text.ts';

export async function htmlMatch(targets: readonly HtmlTarget[], context: HelperContext): Promise<number> {
  for (const target of targets) {
    const url = await targetUrl(target, context);
    if (url !== 'last') await context.page.goto(url);
    const shown = unescapeHtml(await selected(target, context));
    if (!holds(target, shown)) return 0;
  }
  return 1;
}

/** Reads what a target asks for without asking it; throws ENV_WEBARENA_BAD_TASK where it makes no sense. */
export function checkTarget({ url, locator }: HtmlTarget): void {
  if (url.startsWith('func')) parseHelper(helperSource(url));
  if (locator.startsWith('func:')) parseHelper(helperSource(locator));
  else if (locator.trim() !== '' && !isScript(locator)) throw unknownLocator(locator);
}

async function targetUrl({ url }: HtmlTarget, context: HelperContext): Promise<string> {
  if (!url.startsWith('func')) return url;
  const call = helperSource(url).replaceAll('__last_url__', context.page.url.replace(/['\\]/g, '\\$&'));
  return runHelper(call, context);
}

async function selected({ locator, prep_actions: before = [] }: HtmlTarget, context: HelperContext): Promise<string> {
  const { page } = context;
  if (locator.trim() === '') return page.content();
  if (locator.startsWith('func:')) return runHelper(helperSource(locator), context);
  if (!isScript(locator)) throw unknownLocator(locator);
  try {
    for (const action of before) await page.evaluate(action);
  } catch {
    // What prepares a look may be done already; the look decides.
  }
  try {
    return pythonText(await page.evaluate(locator));
  } catch (error) {
    // A page that is not the expected one shows nothing. A player that broke is another matter.
    if (error instanceof AgogeError) throw error;
    return '';
  }
}

function holds({ required_contents: required }: HtmlTarget, shown: string): boolean {
  if ('exact_match' in required) return exactMatch(required.exact_match, shown) === 1;
  return required.must_include.every((content) => content.split(' |OR| ').some((one) => mustInclude(one, shown) === 1));
}

function helperSource(text: string): string {
  return text.split('func:')[1] ?? '';
}

function isScript(locator: string): boolean {
  return locator.startsWith('document.') || locator.startsWith('[...document.');
}

function unknownLocator(locator: string): AgogeError {
  return new AgogeError('ENV_WEBARENA_BAD_TASK', `Unknown locator: ${locator}: begin it with document., [...document. or func:`);
}

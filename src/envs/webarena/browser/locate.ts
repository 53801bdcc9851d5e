/** Plays an action on the element that Playwright's locators find, named by their Python calls. Strict, as Playwright is: one element. */
import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core';
import type { PythonCall } from '../../../core/python/literal.ts';
import type { Action } from '../actions/action.ts';
import { parseCalls } from '../actions/playwright.ts';

/** Throws whatever Playwright throws, or an Error with a sentence for the agent: no such element, unreadable code. */
export async function playOn(
  page: Page,
  { act, code }: Extract<Action, { readonly kind: 'playwright' }>,
  timeout: number,
): Promise<void> {
  const calls = parseCalls(code);
  const last = calls.at(-1);
  let found: Place = page;
  for (const call of calls.slice(0, -1)) found = located(found, call);
  if (!last || !isElement(found))
    throw new Error(`${code} names no element: write page.get_by_role(…).${act}(…) or another locator`);
  try {
    await played(found, act, last, timeout);
  } catch (thrown) {
    // The page is there and the element is not: what the agent named, not what the machine could not do in time.
    if (thrown instanceof errors.TimeoutError) throw new Error(thrown.message, { cause: thrown });
    throw thrown;
  }
}

type Place = Page | Locator | FrameLocator;

async function played(
  element: Locator,
  act: Extract<Action, { readonly kind: 'playwright' }>['act'],
  { arguments: given, keywords }: PythonCall,
  timeout: number,
): Promise<void> {
  switch (act) {
    case 'click':
      return element.click({ timeout });
    case 'hover':
      return element.hover({ timeout });
    case 'check':
      return element.check({ timeout });
    case 'type':
      return element.pressSequentially(String(given[0]), { timeout });
    case 'select_option': {
      const wanted = given[0] ?? keywords['value'];
      const byName = { label: keywords['label'], index: keywords['index'] };
      const values = (Array.isArray(wanted) ? wanted : wanted === undefined ? [] : [wanted]).map(String);
      const option = {
        ...(typeof byName.label === 'string' && { label: byName.label }),
        ...(typeof byName.index === 'number' && { index: byName.index }),
      };
      if (values.length === 0 && Object.keys(option).length === 0) throw new Error('select_option needs a value, label or index');
      await element.selectOption(values.length > 0 ? values : option, { timeout });
    }
  }
}

/** One call of a chain. `first` is what it looks for: its first argument, or that by its Python name. */
function located(place: Place, { name, arguments: given, keywords }: PythonCall): Place {
  const named = given[0] ?? keywords[FIRST[name] ?? ''];
  const first = typeof named === 'string' ? named : '';
  const options = optionsOf(name, keywords);
  if (given.length > 1) throw new Error(`${name} takes one argument and named ones`);
  if (name === 'filter') {
    if (isElement(place)) return place.filter(options);
    throw new Error('filter follows a locator');
  }
  if (first === '') throw new Error(`${name} needs what to look for`);
  switch (name) {
    case 'get_by_role':
      return place.getByRole(first as Parameters<Page['getByRole']>[0], options);
    case 'get_by_text':
      return place.getByText(first, options);
    case 'get_by_label':
      return place.getByLabel(first, options);
    case 'get_by_placeholder':
      return place.getByPlaceholder(first, options);
    case 'get_by_alt_text':
      return place.getByAltText(first, options);
    case 'get_by_title':
      return place.getByTitle(first, options);
    case 'get_by_test_id':
      return place.getByTestId(first);
    case 'frame_locator':
      return place.frameLocator(first);
    case 'locator':
      return place.locator(first, options);
    default:
      throw new Error(`${name} does not find an element`);
  }
}

const FIRST: Readonly<Record<string, string>> = {
  get_by_role: 'role',
  get_by_text: 'text',
  get_by_label: 'text',
  get_by_placeholder: 'text',
  get_by_alt_text: 'text',
  get_by_title: 'text',
  get_by_test_id: 'test_id',
  frame_locator: 'selector',
  locator: 'selector_or_locator',
};

/** Named arguments that a call may have, by their Python names. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  get_by_role: ['name', 'exact', 'checked', 'disabled', 'expanded', 'include_hidden', 'level', 'pressed', 'selected'],
  get_by_text: ['exact'],
  get_by_label: ['exact'],
  get_by_placeholder: ['exact'],
  get_by_alt_text: ['exact'],
  get_by_title: ['exact'],
  filter: ['has_text', 'has_not_text', 'visible'],
  locator: ['has_text', 'has_not_text'],
};

function optionsOf(call: string, keywords: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = NAMED[call] ?? [];
  const rest = Object.entries(keywords).filter(([name]) => name !== FIRST[call]);
  const unknown = rest.find(([name]) => !known.includes(name));
  if (unknown) throw new Error(`${call} has no argument ${unknown[0]}`);
  return Object.fromEntries(
    rest.map(([name, value]) => [name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), value]),
  );
}

function isElement(place: Place): place is Locator {
  return 'pressSequentially' in place;
}

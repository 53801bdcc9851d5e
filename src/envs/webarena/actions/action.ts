/** What an agent can do in a browser: WebArena's actions, elements named by the ids of the observation or by Playwright's locators. */
export type Action =
  | { readonly kind: 'none' }
  | { readonly kind: 'click'; readonly element: string }
  | { readonly kind: 'hover'; readonly element: string }
  /** A line break at the end of `text` is the Enter key. */
  | { readonly kind: 'type'; readonly element: string; readonly text: string }
  /** Keys joined by `+`, with Playwright's names. */
  | { readonly kind: 'press'; readonly keys: string }
  | { readonly kind: 'scroll'; readonly direction: 'up' | 'down' }
  | { readonly kind: 'goto'; readonly url: string }
  | { readonly kind: 'new_tab' }
  | { readonly kind: 'tab_focus'; readonly tab: number }
  | { readonly kind: 'close_tab' }
  | { readonly kind: 'go_back' }
  | { readonly kind: 'go_forward' }
  | { readonly kind: 'stop'; readonly answer: string }
  /** An element found by Playwright's locators, as `code` has them; `text` is what is typed. */
  | { readonly kind: 'playwright'; readonly act: PlaywrightAct; readonly code: string; readonly text: string };

export type PlaywrightAct = 'click' | 'hover' | 'type' | 'check' | 'select_option';

/** The two grammars that actions are written in, by the original's names. */
export const ACTION_SETS = ['id_accessibility_tree', 'playwright'] as const;
export type ActionSet = (typeof ACTION_SETS)[number];

/** Typing counts by how often it was done in all, other actions by how often in a row. */
export function isTyping(action: Action): boolean {
  return action.kind === 'type' || (action.kind === 'playwright' && action.act === 'type');
}

export type ParsedAction = { readonly action: Action } | { readonly error: ActionError };

/** Why a text is no action. `type` is the class of the original's exception, `message` its text. */
export interface ActionError {
  readonly type: 'ActionParsingError' | 'IndexError' | 'KeyError';
  readonly message: string;
}

/** Are two actions the same? Typing into one element counts as the same whatever is typed, as in the original. */
export function sameAction(a: Action, b: Action): boolean {
  if (a.kind === 'type' && b.kind === 'type') return a.element === b.element;
  const left = Object.entries(a).sort();
  return JSON.stringify(left) === JSON.stringify(Object.entries(b).sort());
}

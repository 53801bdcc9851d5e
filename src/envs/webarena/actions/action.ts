/** What an agent can do in a browser: WebArena's actions, elements named by the ids of the observation. */
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
  | { readonly kind: 'stop'; readonly answer: string };

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

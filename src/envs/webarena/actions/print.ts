/** Actions as text: what the prompt calls the previous action, and the dictionary that the original's files show. */
import { pythonRepr } from '../../../core/python/repr.ts';
import type { ObservedNode } from '../observation/nodes.ts';
import { pythonWords } from '../../../core/python/strings.ts';
import type { Action, ActionSet, PlaywrightAct } from './action.ts';
import { keyNumbers } from './keys.ts';

/** `click [12] where [12] is link 'Orders'`: an action with what it meant. `element` is the text of the node it names. */
export function actionToString(action: Action, element = ''): string {
  switch (action.kind) {
    case 'click':
    case 'hover':
      return `${action.kind} [${action.element}] where [${action.element}] is ${element}`;
    case 'type':
      return `type [${action.element}] [${action.text.replaceAll('\n', ' ')}] where [${action.element}] is ${element}`;
    case 'press':
      return `press [${action.keys}]`;
    case 'scroll':
      return `scroll [${action.direction}]`;
    case 'goto':
      return `goto [${action.url}]`;
    case 'tab_focus':
      return `page_focus [${action.tab}]`;
    case 'stop':
      return `stop [${action.answer}]`;
    case 'playwright':
      return action.code;
    case 'none':
    case 'new_tab':
    case 'close_tab':
    case 'go_back':
    case 'go_forward':
      return action.kind;
  }
}

export interface Description {
  /** The lines of the observation that the action answered to. */
  readonly nodes: ReadonlyMap<string, ObservedNode>;
  /** For a reply that held no action: the reply, and what should have stood around the action. */
  readonly reply?: string;
  readonly splitter?: string | undefined;
  readonly actionSet?: ActionSet | undefined;
}

/** The previous action as the next prompt tells it, with a hint where it could not be played. */
export function describeAction(action: Action, { nodes, reply = '', splitter, actionSet }: Description): string {
  // The original tells the code that named an element, and of every other action nothing.
  if (actionSet === 'playwright') return action.kind === 'playwright' ? action.code : '';
  if (action.kind === 'click' || action.kind === 'hover' || action.kind === 'type') {
    const node = nodes.get(action.element);
    if (node) return actionToString(action, pythonWords(node.text).slice(1).join(' '));
    return `Attempt to perfom "${action.kind}" on element "[${action.element}]" but no matching element found. Please check the observation more carefully.`;
  }
  if (action.kind === 'none' && splitter !== undefined) {
    return `The previous prediction you issued was "${reply}". However, the format was incorrect. Ensure that the action is wrapped inside a pair of ${splitter} and enclose arguments within [] as follows: ${splitter}action [arg] ...${splitter}.`;
  }
  return actionToString(action);
}

/** The original's dictionary of an action; `action_type` is its number. */
export interface ActionRecord {
  readonly action_type: number;
  readonly text: readonly number[];
  readonly page_number: number;
  readonly url: string;
  readonly element_id: string;
  readonly key_comb: string;
  readonly direction: string;
  readonly answer: string;
}

const TYPES: Readonly<Record<Exclude<Action['kind'], 'playwright'> | PlaywrightAct, number>> = {
  none: 0,
  scroll: 1,
  press: 2,
  click: 6,
  type: 7,
  hover: 8,
  tab_focus: 9,
  new_tab: 10,
  go_back: 11,
  go_forward: 12,
  goto: 13,
  close_tab: 14,
  check: 15,
  select_option: 16,
  stop: 17,
};

export function actionRecord(action: Action): ActionRecord {
  const keys = 'text' in action ? keyNumbers(action.text) : [];
  return {
    action_type: TYPES[typeOf(action)],
    text: 'unknown' in keys ? [] : keys,
    page_number: action.kind === 'tab_focus' ? action.tab : 0,
    url: action.kind === 'goto' ? action.url : '',
    element_id: 'element' in action ? action.element : '',
    key_comb: action.kind === 'press' ? action.keys : '',
    direction: action.kind === 'scroll' ? action.direction : '',
    answer: action.kind === 'stop' ? action.answer : '',
  };
}

/** `repr(action)` of the original's dictionary, as its result pages print it. */
export function actionRepr(action: Action, reply: string): string {
  const { action_type: type, text, ...rest } = actionRecord(action);
  const located = 'element' in action || (action.kind === 'playwright' && ROLED.has(action.act));
  const role = located ? LINK_ROLE : 0;
  const fields = [
    `'action_type': <ActionTypes.${TYPE_NAMES[typeOf(action)]}: ${type}>`,
    `'coords': array([0., 0.], dtype=float32)`,
    `'element_role': ${role}`,
    `'element_name': ''`,
    `'text': [${text.join(', ')}]`,
    `'page_number': ${rest.page_number}`,
    `'url': ${pythonRepr(rest.url)}`,
    `'nth': 0`,
    `'pw_code': ${pythonRepr(action.kind === 'playwright' ? action.code : '')}`,
    `'element_id': ${pythonRepr(rest.element_id)}`,
    `'key_comb': ${pythonRepr(rest.key_comb)}`,
    `'direction': ${pythonRepr(rest.direction)}`,
    `'answer': ${pythonRepr(rest.answer)}`,
    `'raw_prediction': ${pythonRepr(reply)}`,
  ];
  return `{${fields.join(', ')}}`;
}

/** Number of the role "link" in the original's list; its dictionaries of clicks and typing always carry it. */
const LINK_ROLE = 31;
const ROLED: ReadonlySet<PlaywrightAct> = new Set(['click', 'hover', 'type']);

function typeOf(action: Action): keyof typeof TYPES {
  return action.kind === 'playwright' ? action.act : action.kind;
}

const TYPE_NAMES: Readonly<Record<keyof typeof TYPES, string>> = {
  none: 'NONE',
  scroll: 'SCROLL',
  press: 'KEY_PRESS',
  click: 'CLICK',
  type: 'TYPE',
  hover: 'HOVER',
  tab_focus: 'PAGE_FOCUS',
  new_tab: 'NEW_TAB',
  go_back: 'GO_BACK',
  go_forward: 'GO_FORWARD',
  goto: 'GOTO_URL',
  close_tab: 'PAGE_CLOSE',
  check: 'CHECK',
  select_option: 'SELECT_OPTION',
  stop: 'STOP',
};

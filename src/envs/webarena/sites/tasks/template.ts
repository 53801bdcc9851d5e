/** What tasks are made of: a template with its instances, each with the evaluation in the official schema and a plan that solves it. */
import type { Site } from '../../tasks/sites.ts';
import type { WebTask } from '../../tasks/task.ts';

export interface Template {
  /** Short name, for results and viewers: `order-total`. */
  readonly name: string;
  readonly sites: readonly Site[];
  /** The intent with its blanks: `What did I pay for order {{order}}?` */
  readonly intent: string;
  /** Kept out of training as a whole, to see what carries over to tasks of a new kind. */
  readonly unseen?: true;
  instances(): readonly Instance[];
}

export interface Instance {
  readonly values: Readonly<Record<string, string | number>>;
  readonly evaluation: Evaluation;
  /** Steps from the first page to the end, the last one stops. */
  readonly plan: readonly PlanStep[];
}

export type Evaluation = Pick<WebTask['eval'], 'eval_types' | 'reference_answers' | 'reference_url' | 'program_html'>;

/** A node as a person would name it: its role, its name, and the heading it stands below where there are several. */
export interface Target {
  readonly role: string;
  readonly name: string;
  readonly below?: string;
}

export type PlanStep =
  | { readonly do: 'click'; readonly target: Target }
  /** Types into a field; `enter` sends it. */
  | { readonly do: 'type'; readonly target: Target; readonly text: string; readonly enter: boolean }
  /** As it is written in the action grammar. */
  | { readonly do: 'say'; readonly action: string };

export const link = (name: string, below?: string): PlanStep => clicking('link', name, below);
export const push = (name: string, below?: string): PlanStep => clicking('button', name, below);
export const tick = (role: 'radio' | 'checkbox', name: string): PlanStep => clicking(role, name);

function clicking(role: string, name: string, below?: string): PlanStep {
  return { do: 'click', target: { role, name, ...(below !== undefined && { below }) } };
}

export function fill(name: string, text: string): PlanStep {
  return { do: 'type', target: { role: 'textbox', name }, text, enter: false };
}

/** Types and presses Enter. */
export function enter(name: string, text: string): PlanStep {
  return { do: 'type', target: { role: 'textbox', name }, text, enter: true };
}

/** Empties a field first: click, select all, delete, type. */
export function refill(name: string, text: string): readonly PlanStep[] {
  return [
    { do: 'click', target: { role: 'textbox', name } },
    { do: 'say', action: 'press [Control+a]' },
    { do: 'say', action: 'press [Backspace]' },
    fill(name, text),
  ];
}

export function say(action: string): PlanStep {
  return { do: 'say', action };
}

export function stop(answer = ''): PlanStep {
  return say(`stop [${answer === '' ? 'done' : answer}]`);
}

export function answered(...must_include: readonly string[]): Evaluation {
  return {
    eval_types: ['string_match'],
    reference_answers: { must_include: [...must_include] },
    reference_url: '',
    program_html: [],
  };
}

export function answeredExactly(exact_match: string): Evaluation {
  return { eval_types: ['string_match'], reference_answers: { exact_match }, reference_url: '', program_html: [] };
}

export function atUrl(reference_url: string): Evaluation {
  return { eval_types: ['url_match'], reference_answers: null, reference_url, program_html: [] };
}

export interface Shown {
  readonly url: string;
  /** A CSS selector; what is compared is the text of the first element that fits, or the value of a field. */
  readonly selector: string;
  readonly value?: true;
  readonly includes?: readonly string[];
  readonly exactly?: string;
}

/** Pages that must show something afterwards. */
export function shows(...pages: readonly Shown[]): Evaluation {
  const program_html = pages.map(({ url, selector, value, includes, exactly }) => ({
    url,
    locator: `document.querySelector('${selector}').${value ? 'value' : 'outerText'}`,
    required_contents: exactly === undefined ? { must_include: [...(includes ?? [])] } : { exact_match: exactly },
  }));
  return { eval_types: ['program_html'], reference_answers: null, reference_url: '', program_html };
}

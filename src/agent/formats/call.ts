/**
 * Between actions as text and actions as calls: `craft 4 stick using 2 planks` ⇄ craft(count, item, ingredients), by the
 * environment's own templates. Function calling, code as action and the tool channel stand on this.
 */
import { spacedJson } from '../../core/spaced-json.ts';
import type { ActionForm } from '../../envs/environment.ts';
import { parameterNames } from '../../policy/tool-schema.ts';
import type { Read } from '../format.ts';

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call in the words of the environment, or what is wrong with it. */
export function actionOf(call: Call, forms: readonly ActionForm[]): Read {
  const form = forms.find(({ name }) => name === call.name);
  if (!form) {
    return {
      action: null,
      problem: `There is no function "${call.name}". The functions are ${forms.map(({ name }) => name).join(', ')}.`,
    };
  }
  const names = parameterNames(form);
  const missing = names.filter((name) => (form.json ? call.arguments[name] === undefined : !isPlain(call.arguments[name])));
  if (missing.length > 0)
    return { action: null, problem: `${form.name} needs the argument${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.` };
  const unknown = Object.keys(call.arguments).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    return {
      action: null,
      problem: `${form.name} has no argument ${unknown.join(', ')}; it takes ${names.join(', ') || 'none'}.`,
    };
  }
  const write = form.json ? spacedJson : plainText;
  return { action: form.template.replace(/\{(\w+)\}/g, (_, name: string) => write(call.arguments[name])).trim() };
}

/** The call that an action is, by the first template that fits and gives the action back. */
export function callOf(action: string, forms: readonly ActionForm[]): Call | undefined {
  for (const form of forms) {
    const match = new RegExp(`^${pattern(form.template)}$`, 'is').exec(action.trim());
    if (!match) continue;
    const texts = parameterNames(form).map((name, index) => [name, match[index + 1] ?? ''] as const);
    const values = form.json ? texts.map(([name, text]) => [name, jsonIn(text)] as const) : texts;
    const call = { name: form.name, arguments: Object.fromEntries(values) };
    if (actionOf(call, forms).action === action.trim()) return call;
  }
  return undefined;
}

function pattern(template: string): string {
  return template
    .split(/(\{\w+\})/)
    .map((part) => (/^\{\w+\}$/.test(part) ? '(.+?)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || Array.isArray(value);
}

function plainText(value: unknown): string {
  return Array.isArray(value) ? value.map(plainText).join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

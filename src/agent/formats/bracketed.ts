/**
 * Actions written as `name[argument]` (WebShop's `search[…]` and `click[…]`) can be told apart from prose, so a reply that says
 * one bare or after a sentence is read too, as the field's WebShop clients do.
 */
import type { ActionForm } from '../../envs/environment.ts';

/** The first or last such action of a text, or undefined where the environment has none or the text says none. */
export function bracketed(text: string, forms: readonly ActionForm[], which: 'first' | 'last'): string | undefined {
  const names = forms.flatMap(({ template }) => /^(\w+)\[\{\w+\}\]$/.exec(template)?.[1] ?? []);
  if (names.length === 0) return undefined;
  const found = [...text.matchAll(new RegExp(`\\b(${names.join('|')})\\[([^[\\]\\n]*)\\]`, 'gi'))];
  const match = found.at(which === 'first' ? 0 : -1);
  return match && `${(match[1] ?? '').toLowerCase()}[${match[2] ?? ''}]`;
}

/** True for a text that is one action by itself, brackets inside included: it goes to the environment as it is. */
export function isBracketed(text: string, forms: readonly ActionForm[]): boolean {
  return forms.some(({ template }) => {
    const name = /^(\w+)\[\{\w+\}\]$/.exec(template)?.[1];
    return name !== undefined && text.startsWith(`${name}[`) && text.endsWith(']') && text.split(`${name}[`).length === 2;
  });
}

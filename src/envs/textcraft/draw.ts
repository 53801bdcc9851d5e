/** The goal and what is carried, for a terminal. */
import type { TextCraftState } from './textcraft.ts';

export function drawState(state: unknown, { colour }: { readonly colour: boolean }): string {
  const { goal, inventory = [] } = state as Partial<TextCraftState>;
  if (goal === undefined) return '';
  const bold = (text: string): string => (colour ? `\u001b[1m${text}\u001b[0m` : text);
  const carried = inventory.map(({ item, count }) => `${String(count)} ${item}`).join(', ');
  return `goal: ${bold(goal)}   you carry: ${carried === '' ? 'nothing yet' : carried}`;
}

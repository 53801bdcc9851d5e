/** Which kind of turn an expert's action is: the form of the instructions that it has, else its first word. */
import type { ActionForm } from '../../envs/instructions.ts';

export function turnKind(action: string, forms: readonly ActionForm[]): string {
  const said = action.trim();
  const form = forms.find(({ template }) => patternOf(template).test(said));
  return form?.template ?? /^[\p{L}\p{N}_.-]+/u.exec(said)?.[0] ?? said.slice(0, 12);
}

/** `open {colour} box` and `open [colour] box`: what stands between brackets may be anything. */
function patternOf(template: string): RegExp {
  const parts = template.split(/\{[^}]*\}|\[[^\]]*\]|<[^>]*>/);
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^$()|\\{}[\]]/g, '\\$&')).join('.+')}$`, 's');
}

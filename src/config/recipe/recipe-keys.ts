/** The keys of a recipe as they are typed behind a command: one level at a time, with the values of those that have few. */
import type { RecipeKind } from '../../run/layout.ts';
import { recipeSchema } from './recipe.ts';

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string;
}

/** How `typed` may go on: `roll` → `rollout.`, `rollout.gr` → `rollout.groups=`, `algorithm.name=` → `algorithm.name=grpo`, … */
export function recipeKeys(kind: RecipeKind, typed: string): string[] {
  const [path = '', value] = typed.split('=', 2);
  const parts = path.split('.');
  const above = parts.slice(0, -1);
  const shape = above.reduce((at, key) => at.flatMap((one) => inside(one, key)), [recipeSchema(kind) as Shape]);
  const key = parts.at(-1) ?? '';
  if (value !== undefined) {
    const values = shape.flatMap((one) => inside(one, key)).flatMap(valuesOf);
    return values.map((one) => `${path}=${one}`);
  }
  const before = above.map((part) => `${part}.`).join('');
  return shape.flatMap(forms).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, of]) => {
      const deeper = forms(of).some(({ properties: inner }) => inner !== undefined);
      const plain = forms(of).some(({ type }) => type !== undefined && type !== 'object');
      return [...(deeper ? [`${before}${name}.`] : []), ...(plain || !deeper ? [`${before}${name}=`] : [])];
    }),
  );
}

function forms(shape: Shape): Shape[] {
  return [shape, ...[...(shape.anyOf ?? []), ...(shape.allOf ?? [])].flatMap(forms)];
}

function inside(shape: Shape, key: string): Shape[] {
  return forms(shape).flatMap(({ properties }) => properties?.[key] ?? []);
}

function valuesOf(shape: Shape): string[] {
  return forms(shape).flatMap((one) => {
    const named = [...(one.enum ?? []), ...(one.const === undefined ? [] : [one.const])];
    return one.type === 'boolean' && named.length === 0 ? ['true', 'false'] : named.map(String);
  });
}

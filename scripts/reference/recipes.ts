/** Every key of a recipe: its type and default from the schema as it runs, its meaning from the comment that stands before it there. */
import ts from 'typescript';
import { recipeSchema } from '../../src/config/recipe/recipe.ts';
import { cell, commentOf, sourcesIn } from './source.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

const kinds = [
  ['rl', 'rlSchema', 'agoge train', 'Reinforcement learning'],
  ['sft', 'sftSchema', 'agoge sft', 'Supervised training'],
  ['reward', 'rewardModelSchema', 'agoge reward', 'Reward models'],
] as const;

export function recipesPage(): { readonly page: string; readonly silent: readonly string[] } {
  const declared = declarations();
  const silent: string[] = [];
  const sections = kinds.map(([kind, name, command, title]) => {
    const meanings = new Map<string, string>();
    const defaults = new Map<string, string>();
    const schema = declared.get(name);
    if (schema) collect(schema, '', { declared, meanings, defaults });
    const rows = rowsOf(recipeSchema(kind) as Shape, '').map(({ key, type, value }) => {
      const meaning = meanings.get(key) ?? '';
      if (meaning === '') silent.push(`${kind}: ${key}`);
      const given = value === '–' ? (defaults.get(key) ?? value) : value;
      return `| \`${key}\` | ${cell(type)} | ${given} | ${cell(meaning)} |`;
    });
    return `## ${title}\n\nRecipes of \`${command}\`.\n\n| key | type | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const page = `# Recipe keys\n\nGenerated from the schemas in \`src/config\` by \`npm run reference\`. A key is set in the YAML file, or behind it on the command line:
\`agoge train recipe.yaml optimizer.lr=3e-4\`. \`[]\` stands for each entry of a list. **needed** marks keys without a default. The default of a group (\`{…}\`) holds where the whole group is left out. \`agoge config schema rl\` prints the same as JSON Schema.\n\n${sections.join('\n')}`;
  return { page, silent: [...new Set(silent)] };
}

// ---- Types and defaults ----

interface RowOf {
  readonly key: string;
  readonly type: string;
  readonly value: string;
}

function rowsOf(shape: Shape, prefix: string): RowOf[] {
  const rows = new Map<string, RowOf>();
  for (const branch of branches(shape)) {
    for (const [name, inner] of Object.entries(branch.properties ?? {})) {
      const key = `${prefix}${name}`;
      const needed = branch.required?.includes(name) === true;
      const given = inner.default === undefined ? (needed ? '**needed**' : '–') : code(inner.default);
      const within = rowsOf(inner, `${key}.`);
      const value = within.length > 0 && given === '`{}`' ? '–' : given;
      if (!rows.has(key)) rows.set(key, { key, type: typeOf(inner), value });
      for (const row of within) if (!rows.has(row.key)) rows.set(row.key, row);
    }
    if (branch.items)
      for (const row of rowsOf(branch.items, `${prefix.replace(/\.$/, '')}[].`)) if (!rows.has(row.key)) rows.set(row.key, row);
  }
  return [...rows.values()];
}

function branches(shape: Shape): Shape[] {
  return [shape, ...[...(shape.anyOf ?? []), ...(shape.allOf ?? [])].flatMap(branches)];
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``;
}

function typeOf(shape: Shape): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((one) => JSON.stringify(one)).join(', ');
  if (shape.anyOf) return [...new Set(shape.anyOf.map(typeOf))].join(' or ');
  if (shape.prefixItems) return `[${shape.prefixItems.map(typeOf).join(', ')}]`;
  if (shape.type === 'array') return `list of ${shape.items ? typeOf(shape.items) : 'values'}`;
  if (shape.type === 'object') return shape.properties ? 'keys below' : 'names with values';
  if (shape.type === 'integer' || shape.type === 'number') return numberOf(shape);
  return [shape.type ?? 'value'].flat().join(' or ');
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Shape): string {
  const what = type === 'integer' ? 'whole number' : 'number';
  const bounded = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const least = bounded(minimum) ? ` ≥ ${minimum}` : bounded(exclusiveMinimum) ? ` > ${exclusiveMinimum}` : '';
  return `${what}${least}${bounded(maximum) ? ` ≤ ${maximum}` : ''}`;
}

// ---- Meanings ----

type Declared = ReadonlyMap<string, ts.Expression>;

/** What the files of `src/config` call by a name: of the file that uses it first, since two may use one name. */
function declarations(): Declared {
  const found = new Map<string, ts.Expression>();
  for (const file of sourcesIn('src/config'))
    for (const statement of file.statements)
      if (ts.isVariableStatement(statement))
        for (const { name, initializer } of statement.declarationList.declarations)
          if (ts.isIdentifier(name) && initializer) {
            found.set(name.text, initializer);
            found.set(`${file.fileName} ${name.text}`, initializer);
          }
  return found;
}

interface Found {
  readonly declared: Declared;
  readonly meanings: Map<string, string>;
  /** Of keys whose schema does not tell it, because what is written is transformed. */
  readonly defaults: Map<string, string>;
}

/** Walks a schema as it is written, through names, unions, lists and what is chained behind, and keeps the comment of each key. */
function collect(written: ts.Expression, prefix: string, found: Found): void {
  const { declared, meanings, defaults } = found;
  const into = (next: ts.Expression, at = prefix): void => collect(next, at, found);
  if (ts.isIdentifier(written)) {
    const meant = declared.get(`${written.getSourceFile().fileName} ${written.text}`) ?? declared.get(written.text);
    if (meant) into(meant);
  } else if (ts.isAsExpression(written) || ts.isSatisfiesExpression(written)) {
    into(written.expression);
  } else if (ts.isObjectLiteralExpression(written)) {
    for (const property of written.properties) {
      if (ts.isSpreadAssignment(property)) into(property.expression);
      if (!ts.isPropertyAssignment(property)) continue;
      const key = `${prefix}${property.name.getText()}`;
      const comment = commentOf(property);
      if (comment !== '' && !meanings.has(key)) meanings.set(key, comment);
      const [, literal] = /\.default\(('[^']*')\)$/.exec(property.initializer.getText()) ?? [];
      if (literal !== undefined) defaults.set(key, `\`${literal.replaceAll("'", '"')}\``);
      into(property.initializer, `${key}.`);
    }
  } else if (ts.isArrayLiteralExpression(written)) {
    for (const one of written.elements) into(one);
  } else if (ts.isCallExpression(written) && ts.isPropertyAccessExpression(written.expression)) {
    const { expression: of, name } = written.expression;
    const constructs = ts.isIdentifier(of) && of.text === 'z';
    if (!constructs) into(of);
    if (constructs && name.text === 'preprocess') written.arguments.slice(1).forEach((one) => into(one));
    else if (constructs && name.text === 'array')
      written.arguments.forEach((one) => into(one, `${prefix.replace(/\.$/, '')}[].`));
    else if (constructs || name.text === 'extend') written.arguments.forEach((one) => into(one));
  }
}

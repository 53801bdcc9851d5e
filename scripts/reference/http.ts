/** What the servers answer: environments from their OpenAPI description, models and trainers from the routes of their programs. */
import ts from 'typescript';
import { agentGymOf } from '../../src/envs/lookup.ts';
import { environmentEntries } from '../../src/envs/registry.ts';
import { openApi } from '../../src/gym/server/openapi.ts';
import { cell, commentOf, parse, visit } from './source.ts';

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const verbs = new Set(['get', 'post', 'put', 'delete']);

export async function httpPage(): Promise<string> {
  const mounts = await Promise.all(
    environmentEntries().map(async ({ name }) => ({ prefix: `/${name}`, dialect: (await agentGymOf(name))?.dialect })),
  );
  const known = mounts.flatMap(({ prefix, dialect }) => (dialect ? [{ prefix, dialect }] : []));
  const described = openApi('Agoge', '1', known) as { paths: Record<string, Record<string, Operation>> };
  const all = Object.entries(described.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => ({ path, verb, operation })),
  );
  const native = all.filter(({ path }) => /^\/(v1|healthz|metrics)/.test(path));
  const rows = (list: typeof all): string =>
    list
      .map(
        ({ path, verb, operation }) =>
          `| \`${verb.toUpperCase()} ${path}\` | ${fieldsOf(operation)} | ${cell(operation.summary)} |`,
      )
      .join('\n');
  const gyms = known.map(({ prefix }) => rows(all.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`))));
  return `# HTTP API

Generated from the servers' own declarations by \`npm run reference\`. Fields in *italics* may be left out.

## Environments

\`agoge serve textcraft babyai\`. A server describes itself at \`/openapi.json\`. Our own protocol:

| request | fields | meaning |
|---|---|---|
${rows(native)}

AgentGym's dialects. Where one environment is served its routes stand at the root; of several, each stands below its name, as here:

| request | fields | meaning |
|---|---|---|
${gyms.join('\n')}

## Models

\`agoge serve --model base\`. OpenAI's API; a reward model answers \`/classify\` and \`/v1/embeddings\` instead of completions. With \`--token\`, send \`Authorization: Bearer …\`.

| request | meaning |
|---|---|
${routesOf(['src/policy/openai/server.ts'], '')}

## Training

\`agoge serve --model base --tinker\`. The API of Tinker, for its SDK and for SkyRL's; a request that takes long is answered with a future, which is then asked for. With \`--token\`, send \`X-API-Key\`.

| request | meaning |
|---|---|
${routesOf(['src/engine/tinker/server/server.ts', 'src/engine/tinker/server/listings.ts'], '/api/v1')}
`;
}

function fieldsOf({ parameters = [], requestBody }: Operation): string {
  const schema = requestBody?.content['application/json'].schema;
  const body = Object.keys(schema?.properties ?? {}).map((name) =>
    schema?.required?.includes(name) === true ? `\`${name}\`` : `*${name}*`,
  );
  return [...parameters.map(({ name }) => `\`${name}\``), ...body].join(', ');
}

/** `app.get('/path', …)` with the comment before it; a loop over paths counts as one route for each. */
function routesOf(files: readonly string[], prefix: string): string {
  const found: string[] = [];
  for (const file of files.map(parse))
    visit(file, (node) => {
      if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return;
      const { expression: called, arguments: given } = node.expression;
      const [path] = given;
      if (
        !ts.isPropertyAccessExpression(called) ||
        called.expression.getText() !== 'app' ||
        !verbs.has(called.name.text) ||
        !path
      )
        return;
      const loop = ts.findAncestor(node, ts.isForOfStatement);
      const paths = ts.isStringLiteral(path) ? [path.text] : literalsIn(loop?.expression);
      const meaning = commentOf(ts.isStringLiteral(path) ? node : (loop ?? node));
      for (const one of paths)
        found.push(`| \`${called.name.text.toUpperCase()} ${prefix}${one.replace(/\{.*/, '')}\` | ${cell(meaning)} |`);
    });
  return found.join('\n');
}

function literalsIn(list: ts.Expression | undefined): string[] {
  return list && ts.isArrayLiteralExpression(list) ? list.elements.filter(ts.isStringLiteral).map(({ text }) => text) : [];
}

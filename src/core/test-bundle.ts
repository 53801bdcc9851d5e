/** What tests have made of our TypeScript sources for threads and processes, which know no TypeScript (tests/bundles-once.ts). */

/** The bundle that stands for a source file, both as URLs; undefined outside of tests, and for a file that nobody bundled. */
export function testBundle(source: string): string | undefined {
  const { process } = globalThis as { readonly process?: { readonly env: Readonly<Record<string, string | undefined>> } };
  const bundles = process?.env['AGOGE_TEST_BUNDLES'];
  return bundles === undefined ? undefined : (JSON.parse(bundles) as Readonly<Record<string, string>>)[source];
}

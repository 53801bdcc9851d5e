/** Many pieces of work with a bound on how many of them run at once. */

/** The results in order; at most `atOnce` are under way. */
export async function eachOf<In, Out>(items: readonly In[], atOnce: number, work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as In);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/**
 * Makes a counter-example small: leaves out runs of actions, then shortens each that is left, as long as the law stays
 * broken. Greedy and bounded, so the result is small rather than smallest.
 */

/** `fails` says whether the law is still broken; it is asked at most `budget` times. */
export async function shrink(
  actions: readonly string[],
  fails: (actions: readonly string[]) => Promise<boolean>,
  budget = 300,
): Promise<readonly string[]> {
  let best = actions;
  let left = budget;
  const accept = async (candidate: readonly string[]): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };

  for (let run = best.length; run >= 1 && left > 0; run = Math.floor(run / 2)) {
    for (let at = 0; at < best.length && left > 0;) {
      if (!(await accept([...best.slice(0, at), ...best.slice(at + run)]))) at += run;
    }
  }
  for (let at = 0; at < best.length && left > 0; at++) {
    const tried = (text: string): readonly string[] => best.map((action, i) => (i === at ? text : action));
    if (best[at] !== '' && (await accept(tried('')))) continue;
    for (let run = Math.floor((best[at]?.length ?? 0) / 2); run >= 1 && left > 0; run = Math.floor(run / 2)) {
      for (let from = 0; from < (best[at]?.length ?? 0) && left > 0;) {
        const text = best[at] ?? '';
        if (!(await accept(tried(text.slice(0, from) + text.slice(from + run))))) from += run;
      }
    }
  }
  return best;
}

/** Settings that a study gives each run itself, after those of the plan: what the plan said of them would be passed over in silence. */
import { AgogeError } from '../core/error.ts';

/** What is said instead. */
const instead: Readonly<Record<string, string>> = {
  seed: 'name seeds below seeds:',
  run: 'leave it out, runs are named by arm and seed',
  output: 'leave it out and give --out',
  'engine.threads': 'set threads: of the plan',
  'evaluate.choose': 'leave it out, panels are used at the end alone',
};

/** Throws CONFIG_STUDY where an arm sets one of them; `after`: the arm whose weights it begins with. */
export function refuseOwnSettings(where: string, overrides: readonly string[], after: string | null): void {
  const own = after === null ? instead : { ...instead, policy: `it begins with ${after}, leave out one of the two` };
  for (const override of overrides) {
    const key = override.replace(/^(~|\+{1,2})/, '').replace(/=.*$/s, '');
    const taken = Object.keys(own).find((name) => key === name || key.startsWith(`${name}.`));
    if (taken === undefined) continue;
    throw new AgogeError('CONFIG_STUDY', `${where} sets ${key}, which the study gives itself: ${own[taken]}`);
  }
}

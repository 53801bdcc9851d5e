/** Lights the lamp of a board: a fuse reports which one must be reset before it, up to three deep. */
import { defineEnvironment } from 'agoge';

const fuses = 'amber cobalt scarlet ivory teal umber violet jade'.split(' ');

interface State {
  readonly chain: readonly string[];
  readonly reset: Set<string>;
  reported: number;
}

export default defineEnvironment<State>({
  name: 'switchboard',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'Reset the fuse you are told. If a fuse is blocked, reset the one that blocks it first.',
  actions: { reset: 'reset {fuse}' },
  start(_task, random) {
    const chain = random.shuffle(fuses).slice(0, random.between(2, 4));
    return { state: { chain, reset: new Set(), reported: 0 }, observation: `The ${chain[0] ?? ''} fuse is out.` };
  },
  step(state, action) {
    const { chain, reset } = state;
    const [, fuse = ''] = /^reset (\w+)$/.exec(action.trim()) ?? [];
    const at = chain.indexOf(fuse);
    if (at < 0) return { observation: fuses.includes(fuse) ? `The ${fuse} fuse is fine.` : 'There is no such fuse.' };
    const before = chain[at + 1];
    if (before !== undefined && !reset.has(before)) {
      state.reported = Math.max(state.reported, at + 1);
      return { observation: `Blocked by ${before}.` };
    }
    reset.add(fuse);
    if (at === 0) return { observation: 'The lamp is on.', reward: 1, done: true };
    return { observation: `The ${fuse} fuse is in.` };
  },
  solve({ chain, reset, reported }) {
    for (let at = reported; at >= 0; at--) if (!reset.has(chain[at] ?? '')) return `reset ${chain[at] ?? ''}`;
    return null;
  },
});

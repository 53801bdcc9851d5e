import { changes } from './change.ts';

export const train = changes('train', {
  'tasks/source.ts': [
    ["Random.of(this.seed, 'order', which, round)", "Random.of(this.seed, 'order', which)", 'each pass has the same order'],
    ['this.drawn = [...state];', 'this.drawn = state.map(() => 0);', 'a resumed run begins its tasks anew'],
    [
      '(at(this.drawn, i) - at(this.since, i) + 0.5) / weight',
      '(at(this.drawn, i) + 0.5) / weight',
      'a level begins with what it owes',
    ],
    ['own < level ? weight * review : 0', 'own < level ? weight : 0', 'earlier levels keep their weight'],
    [
      'if (weight === 0) return;',
      '',
      'later levels are played',
      'a weight of 0 makes it due at Infinity, which is never less than the least; the line says it to the reader',
    ],
    ['this.drawn[chosen] = turn + 1;', 'this.drawn[chosen] = turn + 2;', 'every second task is skipped'],
    ['return at(order, turn % size);', 'return turn % size;', 'tasks are not shuffled'],
    ["Random.of(this.seed, 'fresh', which, turn)", "Random.of(this.seed, 'fresh', which)", 'an endless pool gives one task'],
  ],
  'tasks/preference.ts': [
    ['4 * p * (1 - p)', '4 * p * p', 'what is always solved is preferred'],
    ['p === undefined ? 1 :', 'p === undefined ? 0 :', 'new tasks are passed over'],
    ['memory * n + episodes', 'n + episodes', 'nothing fades'],
    ['this.known = new Map(Object.entries(state));', '', 'what is known is lost on a resume'],
    ['(seen[1] + 1) / (seen[0] + 2)', 'seen[1] / seen[0]', 'one episode is certainty'],
    ['signal && alike ? episodes.length / 2 : won', 'won', 'rewards that differ do not count'],
  ],
  'run/schedules.ts': [
    ['Math.floor((step - 1) / every)', 'Math.floor(step / every)', 'a schedule one step early'],
    ['(lr * step) / (warmup + 1)', '(lr * (step - 1)) / (warmup + 1)', 'the first step of a warm-up is zero'],
    ['least + (1 - least) * (1 - progress)', '(1 - least) * (1 - progress)', 'a schedule falls to zero'],
    ['progress < 0.9 ? 1', 'progress < 0.5 ? 1', 'the decay begins early'],
    ['if (step <= warmup) return', 'if (step < warmup) return', 'the warm-up is one step short'],
    ['Math.min(steps, Math.max(step,', 'Math.max(steps, Math.max(step,', 'minutes do not shorten a schedule'],
    ['if (to < warmup) return (lr * to) / warmup;', '', 'no warm-up by shares'],
  ],
  'rl/branch.ts': [
    ['explained >= most) [best', 'explained > most) [best', 'of equal turns the earlier one'],
    ['if (reward === undefined) return [];', '', 'actions nobody took are learned'],
    ['seen >= from && seen < to', 'seen >= from', 'later turns are credited'],
    ['a.length === b.length &&', '', 'another place counts as the same'],
    ['(total * (actions.size - 1)) / (members.length - 1)', '0', 'chance explains'],
    ['slice(0, turn);\n  return {', 'slice(0, turn + 1);\n  return {', 'the turn itself is replayed'],
  ],
  'rl/rollout.ts': [
    [
      "if (group.trajectories.some(({ outcome }) => outcome.kind === 'failed')) {",
      "if (group.trajectories.every(({ outcome }) => outcome.kind === 'failed')) {",
      'a group whose reward failed in half is kept',
    ],
    [
      '(filter && !group.signal ? filtered : groups)',
      '(filter && group.signal ? filtered : groups)',
      'groups that teach are left out',
    ],
    [
      "Random.of(recipe.seed, 'episode', number, sample)",
      "Random.of(recipe.seed, 'episode', number)",
      'the samples of a group are equal',
    ],
    [
      "Random.of(recipe.seed, 'episode', number, sample)",
      "Random.of(recipe.seed, 'episode', sample)",
      'groups share their seeds',
    ],
    [
      "outcome.kind === 'truncated' ? recipe.algorithm.truncation_penalty : 0",
      "outcome.kind === 'finished' ? recipe.algorithm.truncation_penalty : 0",
      'the penalty falls on the wrong ones',
    ],
    ['if (played === before) {', 'if (false) {', 'a step without episodes goes on for ever'],
    ['while (groups.length < wanted && played <', 'while (groups.length < 1 && played <', 'a batch is not refilled'],
    ['episodes.length === 1 || episodes.some', 'episodes.some', 'single samples teach nothing'],
    ['sampling: { temperature: 0 } }]', 'sampling }]', 'the greedy episode is sampled'],
    [
      'turnsAt(step, drawn.maxTurns ?? recipe.agent.max_turns',
      'turnsAt(step, recipe.agent.max_turns',
      'an entry has no horizon of its own',
    ],
    ['reward: reward + penalty', 'reward', 'no penalty at all'],
  ],
  'rl/update/agreement.ts': [
    ['this.last = [...state];', '', 'agreement not restored'],
    [
      'Math.abs(i - middle) < Math.abs(cut - middle)',
      'Math.abs(i - middle) > Math.abs(cut - middle)',
      'halves of one group and the rest',
    ],
  ],
  'run/finite.ts': [
    ['if (steps === 0) return 0;', '', 'a step without updates has no norm'],
    ['norms.length === steps ? mean(norms) : undefined', 'mean(norms)', 'norms of some steps'],
    ['!Number.isFinite(gradientNorm))', 'false)', 'a gradient of NaN reaches the weights'],
  ],
});

import { changes } from './change.ts';

export const agent = changes('agent', {
  'episode.ts': [
    ['this.reward += taken.turn.reward', 'this.reward = taken.turn.reward', 'the reward of the last step only'],
    ['taken.success ?? this.reward >= 1', 'taken.success ?? this.reward > 1', 'success needs more than 1'],
    ['taken.success ?? this.reward >= 1', 'this.reward >= 1', 'what the environment says of success is not heard'],
    ['seed: turnSeed(seed, turn)', 'seed: turnSeed(seed, 0)', 'the same seed at every turn'],
    ['return Random.of(seed, turn).seed()', 'return Random.of(0, turn).seed()', 'the same seeds in every episode'],
    [
      'if (this.turns.length >= limits.turns) return',
      'if (this.turns.length > limits.turns) return',
      'a turn more than the limit',
    ],
    ['this.sampled >= limits.tokens) return', 'this.sampled > limits.tokens) return', 'a reply after the last token'],
    ['this.sampled += reply.segment.tokens.length', 'this.sampled = reply.segment.tokens.length', 'tokens of one reply count'],
    ['(limits.tokens ?? Infinity) - this.sampled', '(limits.tokens ?? Infinity)', 'the last reply may overrun the tokens'],
    ["if (reply.stop === 'context') return this.truncated('context');", '', 'a cut reply goes on'],
    ['if (this.opened) await this.close(this.opened);', '', 'sessions stay open'],
    ['if (answer instanceof Promise) this.closeLate(answer);', '', 'a session that opens late stays open'],
    ['if (this.turns.length < limits.turns) this.conversation.observe', 'this.conversation.observe', 'a last message for nobody'],
    ['(this.turns) >= limits.loops', '(this.turns) > limits.loops', 'one loop more'],
    ["by: 'environment', error };", "by: 'policy', error };", 'who failed is said wrongly'],
    ['sample: sample ?? 0', 'sample: 0', 'samples have one number'],
    ['retries: retries ?? 0', 'retries: 0', 'tries are not counted'],
    ['return [...opening.slice(0, -1), {', 'return [...opening, {', 'two messages of the user in a row'],
  ],
  'pool.ts': [
    ["outcome.by === 'cancelled') return", "outcome.by !== 'cancelled') return", 'what broke is not tried again'],
    ['failures.length >= this.retries ||', 'failures.length > this.retries ||', 'one try more'],
    ['if (hopeless.has(outcome.error.code)) throw outcome.error;', '', 'a wrong key is tried for each episode'],
    [
      'while (running.size >= this.concurrency) await',
      'while (running.size > this.concurrency) await',
      'one episode more than allowed',
    ],
    ["outcome.kind === 'failed')) onLost", "outcome.kind === 'finished')) onLost", 'whole groups are lost'],
    [
      "trajectories.some(({ outcome }) => outcome.kind === 'failed')) onLost",
      "trajectories.every(({ outcome }) => outcome.kind === 'failed')) onLost",
      'a half-failed group kept as complete',
    ],
    ['while (wanted.length < count - complete)', 'while (wanted.length < count)', 'more groups than asked'],
    ['(a, b) => a.trajectory.sample - b.trajectory.sample', '() => 0', 'samples in the order they ended'],
    [
      'if (members.length < plan.jobs.length) continue;',
      'if (members.length + 1 < plan.jobs.length) continue;',
      'groups without their last sample',
    ],
    ["if (this.order === 'completed') this.ready.push(value);", 'this.ready.push(value);', 'results twice or in any order'],
    ["limit.abort(new Error('the results are no longer wanted'));", '', 'what nobody wants is played on'],
    ['results.end(thrown);', 'results.end();', 'an error of the source is lost'],
  ],
  'watch.ts': [
    ["new Stopped(\n            'deadline'", "new Stopped(\n            'cancelled'", 'a deadline looks like a cancellation'],
    ['if (owner?.aborted) this.cancel();', 'if (owner === null) this.cancel();', 'an owner that has left is not heard'],
    [
      'if (this.late && reason instanceof AgogeError) return',
      'if (reason instanceof AgogeError) return',
      'a cancellation looks like a deadline',
    ],
    [
      'if (thrown instanceof Stopped) return new Failure(thrown.by, thrown.error);',
      '',
      'a deadline is blamed on the environment',
    ],
  ],
  'turn.ts': [
    ['if (read.action === null) {', 'if (read.action === undefined) {', 'unreadable replies are played'],
    ["typeof reward !== 'number' || !Number.isFinite(reward)", "typeof reward !== 'number'", 'a reward of NaN is taken'],
    [
      'problem, observation: problem, reward: 0, done: false',
      'problem, observation: problem, reward: 0, done: true',
      'an unreadable reply ends the episode',
    ],
    ['if (wrong === undefined) return;', 'if (wrong !== null) return;', 'what is no step is taken for one'],
  ],
  'datum.ts': [
    ['end = length; // what', '// what', 'rows without tokens'],
    [
      'policyVersion = Math.min(policyVersion, segment.policyVersion)',
      'policyVersion = segment.policyVersion',
      'staleness is that of the last turn',
    ],
    [
      'mask.fill(1, at, at + segment.tokens.length)',
      'mask.fill(1, at + 1, at + segment.tokens.length)',
      'the first token of a reply is not learned',
    ],
    ['turns.fill(turnEnds.length, row,', 'turns.fill(0, row,', 'all tokens are of the first turn'],
    [
      "if (segment.role === 'assistant') {\n      mask",
      "if (segment.role !== 'system') {\n      mask",
      'words of the environment are learned',
    ],
  ],
});

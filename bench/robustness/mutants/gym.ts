import { changes } from './change.ts';

export const gym = changes('gym', {
  'server/sessions.ts': [
    ['this.open >= this.max)', 'this.open > this.max)', 'one session more than allowed'],
    ['if (this.draining || this.filled', 'if (this.filled', 'sessions open while the server shuts down'],
    ['this.refused++;', '', 'refusals are not counted'],
    [
      'this.options.capacity.give();\n      this.options.capacity.opened--;',
      'this.options.capacity.opened--;',
      'a start that fails keeps its place',
    ],
    ['lease.used = this.now();\n    if (lease.tail) {', 'if (lease.tail) {', 'use does not renew a lease'],
    ['lease.used <= before && !lease.tail', 'lease.used <= before', 'sessions in use are reaped'],
    ['this.now() - this.options.idleTimeout', 'this.now() - 2 * this.options.idleTimeout', 'idle sessions stay twice as long'],
    ['this.options.capacity.reaped += unused.length;', '', 'reaped sessions are not counted'],
    ['if (lease.closed)\n', 'if (false)\n', 'a closed session is played'],
    ['await settled(lease.tail, patience);', '', 'closing does not wait for the call'],
    ['await lease.play.episode?.[Symbol.asyncDispose]();', '', 'episodes are not closed'],
    ['this.next = Math.max(this.next, id + 1);', 'this.next = 0;', 'two sessions have one id'],
    ['if (lease.tail === tail) lease.tail = undefined;', '', 'a session is in use for ever'],
    ['const turn = lease.tail.then(() => {', 'const turn = Promise.resolve().then(() => {', 'two calls of a session at once'],
    ['if (!this.leases.has(id) && !this.starting.has(id)) return id;', 'return id;', 'random ids collide'],
  ],
  'client/call.ts': [
    ["const again = error.code === 'GYM_REFUSED' ||", 'const again =', 'a server that starts is not waited for'],
    [
      "options.safe === true && error.code === 'GYM_CONNECTION_LOST'",
      "error.code === 'GYM_CONNECTION_LOST'",
      'a step may be played twice',
    ],
    ['if (answer.status !== 503) return answer;', 'return answer;', 'a full server is an answer'],
    ['if (answer.status === 401) {', 'if (answer.status === 402) {', 'a missing token is not told'],
    ['if (this.unauthorized) throw this.unauthorized;', '', 'a wrong token is tried each time'],
    ['authorization: `Bearer ${token}`', 'authorization: token', 'the token is sent in no form'],
    ['if (!again || performance.now() + pause > until) throw error;', 'if (!again) throw error;', 'patience without end'],
    ['broken++ < brokenAnswers', 'broken++ < 1000', 'a broken server is asked a thousand times'],
  ],
  'client/fleet.ts': [
    ['sort((a, b) => a.sessions - b.sessions)', 'sort((a, b) => b.sessions - a.sessions)', 'sessions go where the most are'],
    ['rotated.filter(({ up }) => up)', 'rotated', 'sessions go to servers that are gone'],
    ['(i + turn) % this.members.length', 'i % this.members.length', 'equals do not take turns'],
    ['member.sessions--;\n            throw thrown;', 'throw thrown;', 'a failed open counts as a session'],
    [
      'else if (isGone(thrown) || isLate(thrown)) this.lost(member, thrown);',
      '',
      'a server that is gone is asked again and again',
    ],
  ],
});

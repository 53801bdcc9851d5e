/** A policy whose replies break as a fault says, at one turn of one episode. */
import type { Policy, Reply } from '../policy/policy.ts';
import type { FaultName } from './kinds.ts';
import type { SessionFault } from './session.ts';
import { never, pause } from './waiting.ts';

export function faultyPolicy(policy: Policy, fault: SessionFault, struck: (kind: FaultName) => void): Policy {
  const { kind } = fault;
  let turn = 0;
  const reply: Policy['reply'] = async (conversation, limits, situation) => {
    const answer = (): Promise<Reply> => policy.reply(conversation, limits, situation);
    if (turn++ !== fault.turn && kind !== 'episode-lost') return answer();
    struck(kind);
    switch (kind) {
      case 'reply-hangs':
        return never(fault.overdue);
      case 'reply-late':
        await pause(fault.late);
        return answer();
      case 'reply-overdue':
        await pause(fault.overdue);
        return answer();
      case 'reply-cut':
        await answer();
        throw new Error('chaos: the reply breaks off');
      case 'reply-bad-text':
        return changed(await answer(), { text: undefined });
      case 'reply-bad-logprobs':
        return changed(await answer(), { tokens: [1, 2], logprobs: new Float32Array([-1, NaN]) });
      case 'reply-bad-lengths':
        return changed(await answer(), { tokens: [1, 2], logprobs: new Float32Array([-1, -1, -1]) });
      default:
        throw new Error('chaos: the policy fails');
    }
  };
  return new Proxy(policy, {
    get(target, name) {
      if (name === 'reply') return reply;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function changed(reply: Reply, change: Readonly<Record<string, unknown>>): Reply {
  return { ...reply, segment: { ...reply.segment, ...change } };
}

/** Whole conversations out of single calls: a call that begins with all of an earlier one, its reply included, goes on with it. */
import { createHash } from 'node:crypto';
import type { LoggedCall, LoggedMessage } from './logged-call.ts';

/** Takes calls in the order in which they were made; `conversations()` gives each one at its longest. */
export class Conversations {
  private readonly open = new Map<string, number[]>();
  private readonly all: LoggedCall[] = [];

  add(call: LoggedCall): void {
    const keys = prefixKeys(call.messages);
    const at = this.continued(keys) ?? this.all.length;
    const before = this.all[at];
    const reward = call.reward ?? before?.reward;
    this.all[at] = { ...call, ...(reward === undefined ? {} : { reward }) };
    const key = keys.at(-1) ?? '';
    this.open.set(key, [...(this.open.get(key) ?? []), at]);
  }

  conversations(): readonly LoggedCall[] {
    return this.all;
  }

  /** The longest earlier conversation that this one begins with. It is taken out: the same words may be the start of another. */
  private continued(keys: readonly string[]): number | undefined {
    for (let length = keys.length - 1; length > 0; length--) {
      const found = this.open.get(keys[length - 1] ?? '');
      const at = found?.shift();
      if (at !== undefined) return at;
    }
    return undefined;
  }
}

/** A hash for the first message, the first two, and so on. Ids of calls are left out: products write them anew. */
function prefixKeys(messages: readonly LoggedMessage[]): string[] {
  let before = '';
  return messages.map(({ role, content, tool_calls: calls = [] }) => {
    const said = JSON.stringify([role, content, calls.map((call) => [call.function.name, plain(call.function.arguments)])]);
    before = createHash('sha256').update(before).update(said).digest('base64');
    return before;
  });
}

/** SDKs write arguments anew, with other spaces. */
function plain(given: string): string {
  try {
    return JSON.stringify(JSON.parse(given));
  } catch {
    return given;
  }
}

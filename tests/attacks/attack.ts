/**
 * An attack and whether it was survived: it ends within its time, with a value or with an error of ours that says what to do; nothing
 * of the attacker's has run, and no prototype was touched. Whatever else an attack must not reach it checks itself, by throwing `Harmed`.
 */
import { AgogeError } from '../../src/core/error.ts';

export interface Attack {
  readonly area: string;
  readonly name: string;
  readonly attempt: (folder: string) => Promise<unknown>;
}

export class Harmed extends Error {}

export interface Verdict {
  readonly attack: Attack;
  /** What went wrong; undefined where the attack was survived. */
  readonly harm: string | undefined;
}

/** Milliseconds; generous, since several attacks run at once and the machine may be busy. */
const limit = 60_000;

/** Tries all of them, several at once where most of their time is waiting. */
export async function tryAttacks(attacks: readonly Attack[], folder: string, atOnce = 12): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let attack = attacks[next++]; attack; attack = attacks[next++]) verdicts.push(await tryAttack(attack, folder));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return verdicts;
}

async function tryAttack(attack: Attack, folder: string): Promise<Verdict> {
  const before = process.memoryUsage().rss;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Harmed(`no end within ${limit} ms`)), limit);
  });
  try {
    await Promise.race([attack.attempt(folder), late]);
  } catch (thrown) {
    if (!(thrown instanceof AgogeError))
      return { attack, harm: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown) };
    if (thrown.message.length > 5000) return { attack, harm: `an error of ${thrown.message.length} characters` };
  } finally {
    clearTimeout(timer);
  }
  if ('pwned' in globalThis || 'pwned' in {}) return { attack, harm: 'code of the attacker ran, or a prototype was changed' };
  const grown = process.memoryUsage().rss - before;
  return { attack, harm: grown > 1 << 30 ? `${Math.round(grown / 2 ** 20)} MiB of memory` : undefined };
}

/**
 * One planner for all kinds of tasks: find the object, take it, do to it what is asked, bring it where it belongs. It acts on what
 * it knows: everything (`informed`) or only what it was told and has seen (`blind`); then it looks where such objects usually lie,
 * and each next action can be read off the conversation.
 */
import type { Expert } from '../environment.ts';
import type { Aim } from './world/aim.ts';
import type { Knowledge } from './knowledge.ts';
import { kindOfName } from './names.ts';
import { likelihood } from './places.ts';
import { appliances, type Change } from './world/change.ts';
import { wordings, type Edition } from './world/wording.ts';

export class HouseholdExpert implements Expert {
  private action = '';
  /** Actions that did nothing since something last changed hands. */
  private readonly failed = new Set<string>();

  constructor(
    private readonly aim: Aim | undefined,
    private readonly knowledge: Knowledge,
    private readonly edition: Edition,
  ) {}

  next(observation: string): string | null {
    const { knowledge } = this;
    const before = knowledge.holding;
    const told = observation.replace(/\nAVAILABLE ACTIONS: .*$/s, '');
    knowledge.observe(told, this.action);
    if (/^nothing happens\.?$/i.test(told)) this.failed.add(this.action);
    if (knowledge.holding !== before) this.failed.clear();
    this.action = this.decide() ?? '';
    return this.action === '' ? null : this.action;
  }

  private decide(): string | undefined {
    const { aim, knowledge } = this;
    if (!aim) return undefined;
    const { holding } = knowledge;
    if (holding === undefined) return this.fetch(aim) ?? this.explore(aim.object);
    if (kindOfName(holding) !== aim.object) return this.putDown(holding, knowledge.receptacles);
    if (aim.change && !knowledge.changed.has(holding)) return this.change(holding, aim.change);
    if (aim.lamp !== undefined) return this.light(aim.lamp);
    return this.putDown(holding, this.destinations(aim));
  }

  /** The way to an object that was seen and is not already where it belongs. */
  private fetch(aim: Aim): string | undefined {
    const { knowledge } = this;
    const [chosen = ''] = aim.count === 2 ? this.destinations(aim) : [];
    const placed = knowledge.contents.get(chosen) ?? [];
    const steps = (receptacle: string): number =>
      Number(!knowledge.here.has(receptacle)) + Number(knowledge.closed.has(receptacle));
    const seen = [...knowledge.seen(aim.object)].sort((a, b) => steps(a.receptacle) - steps(b.receptacle));
    for (const { object, receptacle } of seen) {
      if (placed.includes(object)) continue;
      const action = this.reach(receptacle) ?? this.unlessFailed(`take ${object} from ${receptacle}`);
      if (action !== undefined) return action;
    }
    return undefined;
  }

  private change(object: string, verb: Change): string | undefined {
    for (const appliance of this.knowledge.ofKind(appliances[verb])) {
      const action = this.go(appliance) ?? this.unlessFailed(`${verb} ${object} with ${appliance}`);
      if (action !== undefined) return action;
    }
    return undefined;
  }

  private light(lamp: string): string | undefined {
    for (const { object, receptacle } of this.knowledge.seen(lamp)) {
      const action = this.go(receptacle) ?? this.unlessFailed(`use ${object}`);
      if (action !== undefined) return action;
    }
    return this.explore(lamp);
  }

  private putDown(object: string, receptacles: readonly string[]): string | undefined {
    for (const receptacle of receptacles) {
      const action = this.reach(receptacle) ?? this.unlessFailed(wordings[this.edition].put(object, receptacle));
      if (action !== undefined) return action;
    }
    return undefined;
  }

  /** Where the object goes: the receptacle that has one already, else number 1 and so on. */
  private destinations({ object, receptacle, count }: Aim): string[] {
    const all = receptacle === undefined ? [] : this.knowledge.ofKind(receptacle);
    if (count === 1) return all;
    const has = (name: string): boolean => (this.knowledge.contents.get(name) ?? []).some((one) => kindOfName(one) === object);
    return [...all.filter(has), ...all.filter((name) => !has(name))];
  }

  /** Looks into a receptacle that was not looked into, the likeliest first. */
  private explore(kind: string): string | undefined {
    const { knowledge } = this;
    const unknown = knowledge.receptacles.filter((name) => !knowledge.contents.has(name)).reverse();
    const chance = (name: string): number => likelihood(kind, kindOfName(name));
    const ordered = unknown.map((name) => ({ name, chance: chance(name) })).sort((a, b) => b.chance - a.chance);
    for (const { name } of ordered) {
      const action = this.reach(name) ?? this.unlessFailed(`examine ${name}`);
      if (action !== undefined) return action;
    }
    return undefined;
  }

  /** The way to a receptacle and into it; undefined when it stands open within reach. */
  private reach(receptacle: string): string | undefined {
    const { knowledge } = this;
    const way = this.go(receptacle);
    if (way !== undefined) return way;
    return knowledge.closed.has(receptacle) ? this.unlessFailed(`open ${receptacle}`) : undefined;
  }

  private go(receptacle: string): string | undefined {
    const { knowledge } = this;
    if (!knowledge.here.has(receptacle)) return `go to ${receptacle}`;
    const seen = knowledge.contents.has(receptacle) || knowledge.closed.has(receptacle);
    return seen ? undefined : this.unlessFailed(`examine ${receptacle}`);
  }

  private unlessFailed(action: string): string | undefined {
    return this.failed.has(action) ? undefined : action;
  }
}

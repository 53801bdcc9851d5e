import { describe, expect, it } from 'vitest';
import { Random } from '../core/random/random.ts';
import { babyAI } from './babyai/babyai.ts';
import type { Environment } from './environment.ts';
import { textCraft } from './textcraft/textcraft.ts';

/** Plays tasks by an expert whose advice is ignored three times in ten; the share that is still solved. */
function solvedDespite(environment: Environment, split: string, tasks: number, turns: number): number {
  let solved = 0;
  for (let index = 0; index < tasks; index++) {
    const task = { env: environment.name, split, index };
    const random = Random.of(7, index);
    const episode = environment.open(task);
    const expert = environment.expert?.(task);
    if (episode instanceof Promise || !expert) throw new Error('played in this process');
    const past: string[] = [];
    let { observation } = episode;
    let played: string | undefined;
    for (let turn = 0; turn < turns; turn++) {
      const advice = expert.next(observation, played);
      if (advice === null) break;
      const others = [...(episode.actions ?? ['inventory', 'get 1 oak log']), ...past];
      const action = random.float() < 0.3 ? (others[random.below(others.length)] ?? advice) : advice;
      played = action;
      past.push(action);
      const step = episode.step(action);
      if (step instanceof Promise) throw new Error('played in this process');
      observation = step.observation;
      if (step.done) {
        if (step.success === true) solved++;
        break;
      }
    }
  }
  return solved / tasks;
}

describe('experts that follow', () => {
  it.each(['exact', 'stack', 'attempt', 'retry'])('advise in TextCraft after any action (%s)', (expert) => {
    expect(solvedDespite(textCraft({ expert }), 'validation', 40, 150)).toBe(1);
  });
  it('advise in BabyAI after any action', () => {
    expect(solvedDespite(babyAI(), 'test', 30, 60)).toBeGreaterThan(0.95);
  });
});

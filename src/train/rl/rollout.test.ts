import { describe, expect, it } from 'vitest';
import { ToyEngine } from '../../../tests/fixtures/toy-engine.ts';
import { ToyEnvironment } from '../../../tests/fixtures/toy-environment.ts';
import { openPrompting } from '../../agent/prompting.ts';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { EnginePolicy } from '../../policy/engine-policy.ts';
import type { OpenReward } from '../../rewards/open.ts';
import { splitDeck } from '../tasks/deck.ts';
import { TaskSource } from '../tasks/source.ts';
import type { Batch, PlayedGroup } from './batch.ts';
import { collect } from './rollout.ts';

/** What a sample of the n-th group is paid; `broken` where the reward fails, `cut` for nothing and the end by a limit. */
type Pay = (group: number, sample: number) => number | 'broken' | 'cut';

/** A reward that pays by group and sample: groups are told apart by their task, which never comes twice here. */
function paying(pay: Pay): OpenReward {
  const groups: number[] = [];
  const paid = (one: Trajectory): Trajectory => {
    const { index } = one.task;
    if (!groups.includes(index)) groups.push(index);
    const worth = pay(groups.indexOf(index), one.sample);
    const error = new AgogeError('REWARD_THREW', 'the reward threw; correct it');
    if (worth === 'broken') return { ...one, outcome: { kind: 'failed', by: 'reward', error } };
    if (worth === 'cut') return { ...one, outcome: { kind: 'truncated', reward: 0, limit: 'turns' } };
    return { ...one, outcome: { kind: 'finished', reward: worth, success: worth === 1 } };
  };
  return { grouped: false, identity: '', apply: (_, all) => Promise.resolve(all.map(paid)) };
}

async function play(given: Record<string, unknown>, pay?: Pay, says = 'add 3', signal = new AbortController().signal) {
  const recipe = rlRecipe({
    run: 'x',
    tasks: [{ env: 'toy', split: 'test' }],
    agent: { max_turns: 3, tokens_per_turn: 16 },
    ...given,
  });
  const engine = new ToyEngine({ script: () => says });
  const environment = new ToyEnvironment({ size: 100 });
  const batch: Batch = await collect(1, {
    recipe,
    policy: new EnginePolicy(engine, { id: 'toy' }),
    prompting: await openPrompting({ ...recipe.agent, format: 'direct' }),
    source: new TaskSource([splitDeck({ split: 'test', from: 0, to: null, weight: 1 }, environment)], 1),
    reward: pay && paying(pay),
    signal,
  });
  return { batch, engine };
}
const rewards = (groups: readonly PlayedGroup[]): number[][] =>
  groups.map(({ episodes }) => episodes.map(({ reward }) => reward));
const differing: Pay = (_, sample) => sample % 2;

describe('a group', () => {
  it('whose reward failed for one sample is lost whole, and the next takes its place', async () => {
    const pay: Pay = (group, sample) => (group === 0 && sample === 1 ? 'broken' : sample);
    const { batch } = await play({ rollout: { groups: 2, samples: 2 } }, pay);
    expect([rewards(batch.groups), batch.lost, batch.failures]).toEqual([[[0, 1], [0, 1]], 1, { reward: 1 }]); // prettier-ignore
  });

  it('none of which can be had ends the step with the reason, instead of asking for ever', async () => {
    let rounds = 0;
    const signal = Object.assign(new AbortController().signal, {
      throwIfAborted: () => {
        if (++rounds > 20) throw new Error('it goes on for ever');
      },
    });
    const playing = play({ rollout: { groups: 2, samples: 2 } }, () => 'broken', 'add 3', signal);
    await expect(playing).rejects.toMatchObject({ code: 'TRAIN_NO_EPISODES' });
  });

  it('of one sample teaches by itself', async () => {
    const { batch } = await play({ algorithm: { name: 'ppo' }, rollout: { groups: 2, samples: 1 } }, () => 1);
    expect(batch.groups.map(({ signal }) => signal)).toEqual([true, true]);
  });

  it('has a greedy episode beside its samples where the algorithm compares with one', async () => {
    const pay: Pay = (_, sample) => (sample === 2 ? 0.25 : sample);
    const { batch, engine } = await play({ algorithm: { name: 'remax' }, rollout: { groups: 1, samples: 2 } }, pay, 'look');
    expect(rewards(batch.groups)).toEqual([[0, 1]]);
    expect(batch.groups[0]?.baseline).toBe(0.25);
    const turns = engine.requests.map(({ temperature }) => temperature).sort();
    expect(turns).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1]);
  });
});

describe('a batch', () => {
  const filtered = { algorithm: { name: 'dapo' }, rollout: { groups: 2, samples: 2, filter: true, refill: 3 } };

  it('is filled with groups that teach, as far as it may be', async () => {
    const { batch } = await play(filtered, (group, sample) => (group === 1 ? 0 : sample));
    expect([rewards(batch.groups), rewards(batch.filtered)]).toEqual([[[0, 1], [0, 1]], [[0, 0]]]); // prettier-ignore
  });

  it('is not filled with groups that differ by what is masked alone', async () => {
    const pay: Pay = (group, sample) => (group === 0 && sample === 0 ? 'cut' : group === 0 ? 1 : sample);
    const [terminal, masked] = await Promise.all(
      ['terminal', 'mask'].map((truncation) => play({ ...filtered, algorithm: { name: 'dapo', truncation } }, pay)),
    );
    expect(rewards(terminal!.batch.filtered)).toEqual([]);
    expect([rewards(masked!.batch.groups), rewards(masked!.batch.filtered)]).toEqual([[[0, 1], [0, 1]], [[0, 1]]]); // prettier-ignore
  });

  it('stays short where further groups would be too many', async () => {
    const { batch } = await play(filtered, () => 0);
    expect([batch.groups.length, batch.filtered.length]).toEqual([0, 6]);
  });

  it('has as many groups as were asked for', async () => {
    expect(rewards((await play({ rollout: { groups: 3, samples: 2 } }, differing)).batch.groups)).toHaveLength(3);
  });
});

it.each([
  ['look', -0.5],
  ['add 3', 1],
])('episodes that say "%s" are worth %d: the penalty is for those that were cut off', async (says, worth) => {
  const given = { algorithm: { truncation_penalty: -0.5 }, rollout: { groups: 1, samples: 2 } };
  expect(rewards((await play(given, undefined, says)).batch.groups)).toEqual([[worth, worth]]);
});

import { describe, expect, it } from 'vitest';
import { createFormat } from '../../../agent/formats/index.ts';
import { datumOf } from '../../../agent/datum.ts';
import type { Trajectory, Turn } from '../../../core/trajectory.ts';
import { Conversation } from '../../../policy/conversation.ts';
import { createRenderer } from '../../../policy/renderer.ts';
import { writtenReply } from '../../../policy/words.ts';
import { adviceOn } from './advice.ts';
import { corridor, corridorWords } from '../../fixtures/corridor.fixture.ts';
import type { Batch, PlayedEpisode } from '../batch.ts';
import { TabularEngine } from '../../fixtures/tabular-engine.fixture.ts';

const environment = corridor({ length: 3 });
const renderer = createRenderer(new TabularEngine({ words: corridorWords }).model.tokenizer);
const adviser = { format: createFormat('direct'), renderer, context: 4096, mistakes: 9 };

/** An episode of the corridor with these replies, as the trainer would keep it. */
async function played(replies: readonly string[]): Promise<PlayedEpisode> {
  const task = { env: 'corridor', split: 'train', index: 5 }; // right, left, right
  await using episode = await environment.open(task);
  const conversation = new Conversation(renderer);
  conversation.open([{ role: 'user', text: episode.observation }]);
  const observation = episode.observation;
  const turns: Turn[] = [];
  for (const reply of replies) {
    conversation.reply(writtenReply(conversation, reply).segment, 'token');
    const step = await episode.step(reply);
    turns.push({ reply, action: reply, observation: step.observation, reward: step.reward, done: step.done });
    conversation.observe(step.observation);
  }
  const trajectory = { task, observation, turns, segments: conversation.segments } as unknown as Trajectory;
  return { trajectory, datum: datumOf(conversation)!, reward: 0 };
}

function batchOf(...episodes: readonly PlayedEpisode[]): Batch {
  const group = { number: 0, key: '', environment, episodes, signal: true };
  return { step: 1, groups: [group], filtered: [], lost: 0, failures: {}, seconds: 0, maxTurns: 9 };
}

/** The replies that a sequence teaches, as text. */
function taught({ tokens, mask }: { tokens: ArrayLike<number>; mask: Uint8Array }): string {
  return renderer.tokenizer.decode(Array.from(tokens).filter((_, i) => mask[i] === 1)).trim();
}

describe('advice on the policy’s own states', () => {
  it('scores a turn that agrees where it stands, and branches where the expert would have gone another way', async () => {
    const episode = await played(['right', 'right', 'left', 'right']);
    const { data, turns, agreed } = adviceOn(batchOf(episode), adviser);
    expect([turns, agreed]).toEqual([4, 3]);
    const [whole, branch, ...rest] = data.get(episode)!;
    expect(rest).toEqual([]);
    expect(taught(whole!).split(/\s+/)).toEqual(['right', 'left', 'right']);
    expect(taught(branch!)).toBe('left');
    // The branch continues the very tokens that the policy read and wrote.
    const prefix = branch!.mask.indexOf(1);
    expect(Array.from(branch!.tokens).slice(0, prefix)).toEqual(Array.from(whole!.tokens).slice(0, prefix));
  });
  it('answers a long loop twice, not each time', async () => {
    const episode = await played(['left', 'left', 'left', 'left', 'left', 'left']);
    const { data, turns, agreed } = adviceOn(batchOf(episode), adviser);
    expect([turns, agreed, data.get(episode)!.length]).toEqual([6, 0, 2]);
  });
  it('agreement is that of all tasks alike: of groups that are left out, and not of episodes that probing adds', async () => {
    const [right, wrong, added] = await Promise.all([played(['right']), played(['left']), played(['left'])]);
    const { groups, ...rest } = batchOf(wrong, added);
    const probed = { ...groups[0]!, unselected: 1 };
    const { data, turns, agreed } = adviceOn({ ...rest, groups: [probed], filtered: batchOf(right).groups }, adviser);
    expect([turns, agreed]).toEqual([2, 1]);
    expect(data.get(added)).toHaveLength(1);
  });
  it('refuses an expert that cannot follow', async () => {
    const stubborn = { ...environment, expert: () => ({ next: () => 'left' }) };
    const episode = await played(['left']);
    const batch = batchOf(episode);
    const group = { ...batch.groups[0]!, environment: stubborn };
    expect(() => adviceOn({ ...batch, groups: [group] }, adviser)).toThrow(/cannot advise/);
  });
});

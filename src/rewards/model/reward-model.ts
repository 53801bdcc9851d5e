/**
 * Reward models: a number for a whole conversation, from a sequence classifier of one label (Llama, Qwen2, Qwen3). On the embedded engine,
 * in batches, or on a server by its address (remote.ts).
 */
import { modelPath } from '../../agent/policy-files.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import { scoreSequences } from '../../engine/score-sequences.ts';
import type { Message } from '../../policy/conversation.ts';
import { createRenderer } from '../../policy/renderer.ts';
import { parsePolicy } from '../../policy/spec.ts';
import { RemoteRewardModel } from './remote.ts';

export interface RewardModel extends AsyncDisposable {
  /** One number for each conversation, its last reply included. */
  score(conversations: readonly (readonly Message[])[]): Promise<readonly number[]>;
}

export interface RewardModelOptions {
  /** `hf:folder`, `run:outputs/x`, or the address of a server. */
  readonly model: string;
  /** Of a server: whose chat template writes the text that is sent; without it messages are sent. */
  readonly tokenizer?: string | undefined;
}

export function isAddress(model: string): boolean {
  return /^https?:\/\//.test(model);
}

export async function openRewardModel({ model, tokenizer }: RewardModelOptions): Promise<RewardModel> {
  if (isAddress(model)) return RemoteRewardModel.open(model, tokenizer);
  const { EmbeddedEngine } = await import('../../engine/embedded/embedded.ts');
  const engine = await EmbeddedEngine.open({ model: await modelPath(parsePolicy(model)) });
  if (engine.model.head === 'value') return rewardModelOn(engine);
  await engine[Symbol.asyncDispose]();
  throw new AgogeError(
    'REWARD_NOT_A_MODEL',
    `${model} is a language model, not a reward model: train one on it with agoge reward, or use it as a judge (use: judge)`,
  );
}

/** Scores by an engine with a value head; closing it closes the engine. */
function rewardModelOn(engine: Engine): RewardModel {
  const renderer = createRenderer(engine.model.tokenizer, { template: engine.model.chatTemplate });
  return {
    score: (conversations) =>
      scoreSequences(
        engine,
        conversations.map((messages) => renderer.whole(messages)),
      ),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

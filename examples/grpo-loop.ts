/**
 * GRPO on one page, without the trainer: play groups of episodes, compare the rewards of each group, move the policy. Run as it is:
 *   npx tsx examples/grpo-loop.ts          (steps and seed: npx tsx examples/grpo-loop.ts 30 1)
 * Left out, and in `agoge train`: checkpoints, resume, evaluation, several mini-batches, KL, schedules, metrics, staleness.
 */
import { createFormat, datumOf, EpisodePool, type EpisodeJob, type TrajectoryDatum } from 'agoge';
import { baseModelFolder, EmbeddedEngine, EnginePolicy, type Loss } from 'agoge/engine';
import { loadEnvironment } from 'agoge/envs';
import { at, groupRelative, mean, policyLoss, policyLossOf } from 'agoge/learn';

const steps = Number(process.argv[2] ?? 30);
const seed = Number(process.argv[3] ?? 1);
const [groups, samples] = [16, 8];
const [temperature, learningRate] = [1, 3e-4];

// TextCraft worlds with made-up recipes, two crafts deep: every task is new, so nothing can be memorised.
const environment = await loadEnvironment('textcraft', { depth: '2' });
await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
const policy = new EnginePolicy(engine, { id: 'base' });
const pool = new EpisodePool();
const vanilla = policyLossOf('vanilla');

interface Sampled {
  readonly datum: TrajectoryDatum;
  readonly reward: number;
}

/** Eight samples of each of sixteen tasks. A task whose harness failed is left out as a whole, never counted as zero. */
async function rollout(step: number): Promise<Sampled[][]> {
  const jobs: EpisodeJob[] = [];
  for (let group = 0; group < groups; group++) {
    const task = { env: 'textcraft', split: 'generated-short', index: step * groups + group };
    for (let sample = 0; sample < samples; sample++) {
      jobs.push({
        environment,
        task,
        policy,
        format: createFormat('direct'),
        limits: { turns: 8, tokensPerTurn: 32 },
        sampling: { temperature },
        seed: seed * 1_000_003 + jobs.length + step * groups * samples,
        sample,
      });
    }
  }
  const played: (Sampled | undefined)[] = [];
  for await (const { trajectory } of pool.run(jobs, 'given')) {
    const datum = datumOf(trajectory);
    const { outcome } = trajectory;
    played.push(outcome.kind === 'failed' || !datum ? undefined : { datum, reward: outcome.reward });
  }
  const whole: Sampled[][] = [];
  for (let group = 0; group < groups; group++) {
    const members = played.slice(group * samples, (group + 1) * samples).filter((one) => one !== undefined);
    if (members.length === samples) whole.push(members);
  }
  return whole;
}

/** One step: the advantage of an episode, on all of its tokens; PPO's clipped loss, the mean over all tokens of the batch. */
async function update(batch: readonly Sampled[][]): Promise<number> {
  const rows = batch.flatMap((group) => {
    const advantages = groupRelative(group.map(({ reward }) => reward));
    return group.map(({ datum }, i) => ({ datum, advantage: at(advantages, i) }));
  });
  const tokens = rows.reduce((total, { datum }) => total + datum.logprobs.length, 0);
  // Groups whose samples all earned the same teach nothing; their tokens only count.
  const moving = rows.filter(({ advantage }) => advantage !== 0);
  if (moving.length === 0) return 0;
  for (let from = 0; from < moving.length; from += 16) {
    const part = moving.slice(from, from + 16);
    const loss: Loss = (scores) => {
      let total = 0;
      const gradient = part.map(({ datum, advantage }, r) => {
        const { scores: logprobs } = at(scores, r);
        const advantages = new Float64Array(logprobs.length).fill(advantage);
        const tokenLoss = policyLoss(vanilla, { logprobs, old: datum.logprobs, advantages }, { clip: [0.2, 0.2], dualClip: 3 });
        total += tokenLoss.loss.reduce((a, b) => a + b, 0) / tokens;
        return Float32Array.from(tokenLoss.gradient, (slope) => slope / tokens);
      });
      return { loss: total, gradient };
    };
    await engine.forwardBackward(
      part.map(({ datum }) => datum),
      loss,
      { temperature },
    );
  }
  return (await engine.optimStep({ learningRate, clipNorm: 1 })).gradientNorm;
}

for (let step = 1; step <= steps; step++) {
  const batch = await rollout(step);
  const reward = mean(batch.flat().map((one) => one.reward));
  const norm = await update(batch);
  console.log(
    `step ${String(step).padStart(3)}  reward ${reward.toFixed(3)}  grad ${norm.toFixed(3)}  ${'█'.repeat(Math.round(reward * 40))}`,
  );
}

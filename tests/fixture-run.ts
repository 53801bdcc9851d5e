/**
 * A run directory to look at, written by the same code that trainers use: real TextCraft episodes by an expert that errs,
 * with metrics that look like learning. Small by default; the dashboard's bench makes large ones of it.
 */
import { Random } from '../src/core/random/random.ts';
import type { Segment, Trajectory, Turn } from '../src/core/trajectory.ts';
import type { Environment } from '../src/envs/environment.ts';
import '../src/envs/builtin.ts';
import { loadEnvironment } from '../src/envs/registry.ts';
import { episodeRecord, type EpisodeRecord } from '../src/run/episode-record.ts';
import { RunDirectory } from '../src/run/run-directory.ts';

export interface FixtureOptions {
  readonly steps: number;
  readonly groups: number;
  readonly samples: number;
  /** Leave the run as one that is still running. */
  readonly running?: boolean;
  /** The share of turns that are the expert's, where it does not grow. */
  readonly skill?: number;
}

export async function writeFixtureRun(path: string, options: FixtureOptions): Promise<RunDirectory> {
  const textcraft = await loadEnvironment('textcraft');
  const directory = await RunDirectory.create(
    path,
    `run: fixture\nseed: 1\npolicy: base\nalgorithm:\n  name: grpo\nsteps: ${String(options.steps)}\n`,
    {
      name: 'fixture',
      kind: 'rl',
      title: 'grpo · textcraft · base',
      seed: 1,
      steps: options.steps,
      versions: { agoge: '0.1.0' },
      environments: { textcraft: textcraft.version },
    },
  );
  if (options.steps > 0) await evaluated(directory, 0, 0.3);
  for (let step = 1; step <= options.steps; step++) await writeFixtureStep(directory, textcraft, step, options);
  await directory.note('finished');
  await directory.update({ status: options.running === true ? 'running' : 'finished' });
  return directory;
}

/** One more step of a fixture run: its episodes, its metrics, now and then an evaluation. */
export async function writeFixtureStep(
  directory: RunDirectory,
  textcraft: Environment,
  step: number,
  { groups, samples, steps, skill = 0.3 + (0.6 * step) / (steps + 1) }: FixtureOptions,
): Promise<void> {
  const records: EpisodeRecord[] = [];
  for (let group = 0; group < groups; group++) {
    const index = (step * groups + group) % 100;
    for (let sample = 0; sample < samples; sample++) records.push(await erringEpisode(textcraft, index, sample, step, skill));
  }
  await directory.episodes.write(step, records);
  const rewards = records.map(({ outcome }) => (outcome.kind === 'failed' ? 0 : outcome.reward));
  const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length;
  await directory.metrics.append(step, {
    'critic/score/mean': mean,
    'train/success': mean,
    'actor/pg_loss': 0.1 / step,
    'actor/ppo_kl': 0.001 * step,
    'actor/kl_to_start': 0.002 * step,
    'train/groups_with_signal': 0.5,
    'actor/entropy': 1.2 - 0.01 * step,
    'actor/grad_norm': 0.4 + 0.1 * Math.sin(step),
    'reward/form/mean': 0.5 + 0.01 * step,
    'num_turns/mean': 6,
    'perf/throughput': 5000,
    'perf/total_num_tokens': 20_000,
    'timing_s/step': 2.5,
  });
  if (step % 5 === 0) await evaluated(directory, step, skill);
  await directory.update({ step, episodes: directory.info.episodes + records.length });
  await directory.note(`step ${String(step)} reward ${mean.toFixed(2)}`);
}

async function evaluated(directory: RunDirectory, step: number, skill: number): Promise<void> {
  await directory.metrics.evaluation({
    step,
    time: new Date().toISOString(),
    panel: 'textcraft/test',
    n: 100,
    success: skill,
    low: skill - 0.09,
    high: skill + 0.09,
    reward: skill,
    turns: 7.5,
    failures: {},
    categories: { 'depth 1': { n: 31, success: 0.9 }, 'depth 2': { n: 41, success: 0.5 } },
  });
}

/** One episode of an expert that errs: solved with a skill of 1, not with one of 0. */
export async function erringEpisode(
  environment: Environment,
  index: number,
  sample: number,
  step: number,
  skill: number,
): Promise<EpisodeRecord> {
  const random = Random.of(step, 'fixture', index, sample);
  const task = { env: environment.name, split: 'test', index };
  await using episode = await environment.open(task);
  const expert = environment.expert?.(task);
  const turns: Turn[] = [];
  const segments: Segment[] = [{ role: 'user', text: episode.observation, tokens: [1, 2, 3] }];
  let observation = episode.observation;
  let reward = 0;
  let done = false;
  for (let turn = 0; turn < 12 && !done; turn++) {
    const action = random.float() < skill ? (expert?.next(observation) ?? 'inventory') : 'inventory';
    const answer = await episode.step(action);
    observation = answer.observation;
    reward += answer.reward;
    done = answer.done;
    const breakdown = { form: Number(action !== 'inventory') };
    turns.push({ reply: action, action, observation, reward: answer.reward, done, state: episode.state, breakdown });
    const tokens = Array.from(action.slice(0, 8), (character) => character.charCodeAt(0));
    segments.push({
      role: 'assistant',
      text: action,
      tokens,
      logprobs: Float32Array.from(tokens, () => -random.float() * 3),
      policyVersion: step,
    });
    segments.push({ role: 'user', text: observation, tokens: [4, 5] });
  }
  const trajectory: Trajectory = {
    task,
    category: environment.tasks('test').info(index).category,
    sample,
    seed: random.seed(),
    policy: 'base',
    format: 'direct',
    segments,
    observation: episode.observation,
    turns,
    outcome: done ? { kind: 'finished', reward, success: true } : { kind: 'truncated', reward, limit: 'turns' },
    time: { total: 100, policy: 80, environment: 5 },
    retries: 0,
  };
  return episodeRecord(trajectory, { step, advantage: done ? 0.8 : -0.6 });
}

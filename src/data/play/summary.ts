/** AgentGym's summary beside a file of sampled trajectories: `<output>_summary.json`. */
import { Output } from '../output.ts';
import type { KeepOptions } from './kept.ts';
import type { PlayOptions } from './play.ts';
import type { JournalCounts } from './play-journal.ts';

export interface SummaryOptions extends PlayOptions, KeepOptions {
  readonly out: string;
  readonly force: boolean;
}

export async function writeSummary(
  path: string,
  options: SummaryOptions,
  { episodes, solved, total, failed }: JournalCounts & { readonly failed: number },
  seconds: number,
): Promise<void> {
  const { environment, policy, out, force } = options;
  const usage = policy.usage?.();
  const content = {
    task_name: environment.name,
    model: policy.id,
    total_samples: episodes + failed,
    completed_samples: episodes,
    average_score: episodes === 0 ? null : total / episodes,
    success_rate: episodes === 0 ? null : solved / episodes,
    total_time_seconds: seconds,
    avg_time_per_sample: episodes === 0 ? null : seconds / episodes,
    trajectory_file: out,
    config: configOf(options),
    ...(usage ? { usage } : {}),
  };
  await using output = await Output.open(path, { force });
  await output.write(Buffer.from(`${JSON.stringify(content, null, 2)}\n`));
  await output.finish();
}

function configOf({ split, samples, keep, format, seed, sampling, turns, tokensPerTurn }: SummaryOptions): object {
  return {
    split,
    samples,
    keep,
    format: format.name,
    seed,
    ...(sampling?.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling?.topP === undefined ? {} : { top_p: sampling.topP }),
    ...(turns === undefined ? {} : { turns }),
    ...(tokensPerTurn === undefined ? {} : { max_tokens: tokensPerTurn }),
  };
}

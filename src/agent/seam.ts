/** Where faults can be put between a pool and an episode (chaos/). Empty unless the process was started for that. */
import type { EpisodeJob } from './episode.ts';

export const seam: {
  /** The job as this try of it is played; `attempt` counts from 0, `retries` are the further tries it may have. */
  job?: (job: EpisodeJob, attempt: number, retries: number) => EpisodeJob;
} = {};

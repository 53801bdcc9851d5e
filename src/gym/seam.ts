/** Where faults can be put between a server and its environments (chaos/). Empty unless the process was started for that. */
import type { Environment } from '../envs/environment.ts';

export const seam: { environment?: (environment: Environment) => Environment } = {};

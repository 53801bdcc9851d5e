/** What WebArena is played with: tasks, a place to play pages in, addresses, a judge. */
import type { Judge } from './evaluators/judge.ts';
import type { Backend } from './backend.ts';
import type { Viewport } from './observation/nodes.ts';
import type { TaskBook } from './tasks/book.ts';
import type { SiteAddresses } from './tasks/sites.ts';
import type { WebTask } from './tasks/task.ts';

export interface WebArenaSetup {
  readonly book: TaskBook;
  readonly backend: Backend;
  readonly addresses: SiteAddresses;
  /** What an observation depends on beyond the tasks: backend, observation, viewport. */
  readonly variant: string;
  readonly viewport?: Viewport;
  readonly judge?: Judge | undefined;
  /** Pages are told in short. */
  readonly short?: boolean;
  /** Share of the generated plays that ask a place's page for a line that no site has (sites/tasks/other-lines.ts). */
  readonly otherLines?: number;
  /** Playwright's file for the sites that a task begins signed in at; absent where the sites are our own. */
  storageState?(task: WebTask, signal?: AbortSignal): Promise<string | undefined>;
  /** Closes what the setup stand on (a server of sites). */
  close?(): Promise<void>;
}

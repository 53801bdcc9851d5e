/** What ALFWorld's episodes depend on, from its settings. */
import type { HomeSettings } from './homes/generate.ts';
import type { AlfWorldSettings } from './settings.ts';
import type { Edition } from './world/wording.ts';

export interface AlfWorldOptions {
  /** Overrides the wording in a game's own file. */
  readonly edition: Edition | undefined;
  /** Which observations end with the list of admissible commands. */
  readonly listActions: 'first' | 'always' | 'never';
  /** Short texts say the same in a third of the tokens, for small policies. */
  readonly text: 'full' | 'short';
  readonly expert: 'blind' | 'informed';
  /** Steps until an episode ends unsolved; AgentGym's server has 50. */
  readonly limit: number;
  readonly homes: HomeSettings;
  /** AgentGym's numbers may play generated homes, where no games are given. */
  readonly generated: boolean;
}

export function optionsOf({
  edition,
  listActions,
  text,
  expert,
  limit,
  seed,
  difficulty,
  generated,
}: AlfWorldSettings): AlfWorldOptions {
  return { edition, listActions, text, expert, limit, homes: { seed, difficulty }, generated };
}

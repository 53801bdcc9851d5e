/**
 * A verl or AgentGym-RL configuration (YAML with Hydra overrides) as a recipe of ours. It is composed as Hydra would, verl's base
 * values included; every key that the user gave is then carried over, named as not needed, or named as lost.
 */
import { basename } from 'node:path';
import { AgogeError } from '../core/error.ts';
import type { Tree } from './interpolate.ts';
import { isBase, verlVersion, type BaseName, type VerlVersion } from './verl/bases.ts';
import { compose, type Composed } from './verl/compose.ts';
import { Draft, type Converted } from './verl/draft.ts';
import { rlFromVerl } from './verl/rl.ts';
import { sftFromVerl } from './verl/sft.ts';

export type { Converted } from './verl/draft.ts';

export interface FromVerlOptions {
  readonly overrides?: readonly string[];
  /** Whose base values fill in what the file leaves out; default: the newest known, or AgentGym-RL's where its keys are used. */
  readonly version?: string | undefined;
  /** The file's folder and name, for its neighbours and for the run's name. */
  readonly folder?: string | undefined;
  readonly file?: string | undefined;
}

export async function fromVerl(config: unknown, options: FromVerlOptions = {}): Promise<Converted> {
  const { overrides = [], folder, file = 'the file' } = options;
  const tree = treeOf(config, file);
  const version = options.version === undefined ? versionOf(tree, overrides) : verlVersion(options.version);
  const name = basename(file).replace(/\.ya?ml$/, '') || 'from-verl';
  const settings = { version, overrides, folder, isBase: isBase(name) };
  const first = await compose(tree, settings);
  const kind = kindOf(first, file);
  // A file that names no base would fail in verl where a key is missing: the base fills in, as if it were named.
  const base: BaseName = kind === 'rl' ? 'ppo_trainer' : first.flat.has('model.path') ? 'sft_trainer_engine' : 'sft_trainer';
  const composed =
    first.base === undefined ? await compose({ ...tree, defaults: [base, ...listOf(tree['defaults'])] }, settings) : first;
  const draft = new Draft(composed);
  return kind === 'rl' ? rlFromVerl(draft, name) : sftFromVerl(draft, name);
}

/** What verl's trainers read when a launch script names no file: their own base. */
export function launchedAlone(overrides: readonly string[]): unknown {
  const has = (section: RegExp): boolean => overrides.some((text) => section.test(text.replace(/^[+~]+/, '')));
  if (has(/^(actor_rollout_ref|algorithm)\./)) return { defaults: ['ppo_trainer'] };
  return { defaults: [has(/^model\.path=/) ? 'sft_trainer_engine' : 'sft_trainer'] };
}

function treeOf(config: unknown, file: string): Tree {
  if (Array.isArray(config)) {
    throw notVerl(file, 'it is a list: an interaction file is named in a recipe by interactions=<file>');
  }
  if (typeof config !== 'object' || config === null) {
    if (config === null || config === undefined) return {};
    throw notVerl(file, 'it holds a single value');
  }
  return config as Tree;
}

function listOf(defaults: unknown): unknown[] {
  return Array.isArray(defaults) ? (defaults as unknown[]) : ['_self_'];
}

function versionOf(tree: Tree, overrides: readonly string[]): VerlVersion {
  const nested = (tree['actor_rollout_ref'] as Tree | undefined)?.['agentgym'] !== undefined;
  return nested || overrides.some((text) => /^\+*actor_rollout_ref\.agentgym\./.test(text)) ? 'agentgym-rl' : '0.9';
}

/** RL or SFT, by the keys there are and the base that the file names; throws CONFIG_NOT_VERL for anything else. */
function kindOf({ flat, base }: Composed, file: string): 'rl' | 'sft' {
  const given = [...flat.keys()];
  const has = (...prefixes: string[]): boolean =>
    given.some((key) => prefixes.some((prefix) => key === prefix || key.startsWith(`${prefix}.`)));
  if (has('data.output_path'))
    throw notVerl(file, 'it is for generation or evaluation: give the script that starts it, or use agoge eval');
  if (base?.startsWith('ppo') === true || has('actor_rollout_ref', 'algorithm.adv_estimator')) return 'rl';
  if (base !== undefined || has('model.partial_pretrain') || (has('optim') && has('data.train_files', 'data.train_batch_size')))
    return 'sft';
  if (has('interaction', 'tools')) throw notVerl(file, 'it describes interactions or tools: name it by interactions=<file>');
  if (has('data.path', 'custom_reward_function')) throw notVerl(file, 'it is for generation or evaluation: use agoge eval');
  const keys = given.slice(0, 5).join(', ');
  throw notVerl(file, `it has neither actor_rollout_ref nor algorithm (RL), nor model and optim (SFT), but ${keys || 'nothing'}`);
}

function notVerl(file: string, why: string): AgogeError {
  return new AgogeError(
    'CONFIG_NOT_VERL',
    `${file} is no training configuration of verl: ${why}. Give the YAML that the launch script names by --config-name, or the script's overrides themselves: agoge config from-verl algorithm.adv_estimator=grpo …`,
  );
}

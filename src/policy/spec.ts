/**
 * The one string that names a policy on the command line and in recipes: `base`, `reader`, `run:outputs/x@step_40`, `hf:folder`,
 * `gguf:file`, `openai:model@http://host/v1`, `replay:episodes.jsonl.gz`, `./mine.ts`, `expert`, `random`, `human`.
 */
import { homedir } from 'node:os';
import { AgogeError } from '../core/error.ts';
import { nearest } from '../core/nearest.ts';
import { isOwn } from '../user-modules/load-file.ts';

export type PolicySpec =
  | { readonly kind: 'base' | 'reader' | 'expert' | 'random' | 'human' }
  /** A run's checkpoint: a step, `latest`, `best`, `all` (which stands for several policies), or another system's `epoch_15`. */
  | { readonly kind: 'run'; readonly directory: string; readonly checkpoint: number | string }
  | { readonly kind: 'hf'; readonly model: string }
  | { readonly kind: 'gguf'; readonly file: string }
  | { readonly kind: 'openai'; readonly model: string; readonly baseUrl: string }
  | { readonly kind: 'replay'; readonly file: string }
  /** A file or package of the user's own. */
  | { readonly kind: 'own'; readonly file: string };

export const policyHelp =
  'base, reader, run:<dir>[@step_40|@epoch_15|@latest|@best|@all], hf:<folder or repo>, gguf:<file>, openai:<model>[@<base URL>], replay:<episodes file>, <file.ts> (definePolicy), expert, random, human';

/** Reads a policy's name; throws CONFIG_BAD_POLICY. */
export function parsePolicy(given: string): PolicySpec {
  // As a shell would have it, also behind `hf:` and its like, where a shell has it no longer.
  const text = given.replace(
    /^((?:hf|run|gguf|replay):)?~(?=\/|$)/,
    (_, kind: string | undefined) => `${kind ?? ''}${homedir()}`,
  );
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  const rest = colon < 0 ? '' : text.slice(colon + 1);
  switch (kind) {
    case 'base':
    case 'reader':
    case 'expert':
    case 'random':
    case 'human':
      if (colon < 0) return { kind };
      break;
    case 'run':
      if (rest !== '') return runSpec(rest, text);
      break;
    case 'hf':
      if (rest !== '') return { kind, model: rest };
      break;
    case 'gguf':
      if (rest !== '') return { kind, file: rest };
      break;
    case 'replay':
      if (rest !== '') return { kind, file: rest };
      break;
    case 'openai':
      if (rest !== '') return openaiSpec(rest, text);
      break;
  }
  // A file of weights by its own name: what else could it be?
  if (text.endsWith('.gguf') && !/^[a-z]{2,}:/.test(text)) return { kind: 'gguf', file: text };
  if (isOwn(text) && !/^[a-z]+:/.test(text)) return { kind: 'own', file: text };
  throw bad(text, meant(text, kind, rest));
}

const names = ['base', 'reader', 'expert', 'random', 'human', 'run', 'hf', 'gguf', 'openai', 'replay'];

/** Why a name is none of them: a slip, or something else altogether. */
function meant(text: string, kind: string, rest: string): string {
  const close = text.startsWith('.') ? undefined : nearest(kind, names);
  if (close === undefined || close === kind) return 'it is none of them';
  const takesMore = names.indexOf(close) > names.indexOf('human');
  return `did you mean "${takesMore ? `${close}:${rest === '' ? '…' : rest}` : close}"?`;
}

function runSpec(rest: string, text: string): PolicySpec {
  const [, directory = rest, at = 'latest'] = /^(.*)@([^@/]+)$/.exec(rest) ?? [];
  if (at === 'latest' || at === 'best' || at === 'all') return { kind: 'run', directory, checkpoint: at };
  if (/^(epoch|global_step)_\d+$|^checkpoint-\d+$/.test(at)) return { kind: 'run', directory, checkpoint: at };
  const step = /^(?:step_)?(\d+)$/.exec(at)?.[1];
  if (step === undefined) throw bad(text, `"@${at}" names no checkpoint; write @step_40, @latest, @best or @all`);
  return { kind: 'run', directory, checkpoint: Number(step) };
}

function openaiSpec(rest: string, text: string): PolicySpec {
  const at = rest.search(/@https?:\/\//);
  const model = at < 0 ? rest : rest.slice(0, at);
  const baseUrl = at < 0 ? 'https://api.openai.com/v1' : rest.slice(at + 1);
  if (model === '') throw bad(text, 'the model is missing');
  return { kind: 'openai', model, baseUrl: baseUrl.replace(/\/$/, '') };
}

function bad(text: string, why: string): AgogeError {
  return new AgogeError('CONFIG_BAD_POLICY', `"${text}" is not a policy (${why}): write one of ${policyHelp}`);
}

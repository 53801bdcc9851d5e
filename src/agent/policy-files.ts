/**
 * Where the files of a policy are that goes by a name: the model of a run, of the hub or of a folder, and what stands beside it.
 * `run:…@all` stands for several; `expandPolicies` lists them.
 */
import { AgogeError } from '../core/error.ts';
import { baseModelFolder, readerModelFolder, shippedModel } from '../policy/base-model.ts';
import { requireKey } from '../policy/endpoint/key.ts';
import { parsePolicy, type PolicySpec } from '../policy/spec.ts';
import { readAgentRecord, type AgentRecord } from '../run/agent-record.ts';
import { checkpointFolders, checkpointNamed, noCheckpoints, whichCheckpoint } from '../run/checkpoint-folders.ts';
import { modelFolder } from '../run/model-folder.ts';

/** The policies that a name stands for: one, or each checkpoint of a run for `run:dir@all`. Checkpoints get their step. */
export async function expandPolicies(text: string): Promise<string[]> {
  const spec = parsePolicy(text);
  if (spec.kind === 'openai') requireKey(spec.baseUrl);
  if (spec.kind !== 'run') return [text];
  const { directory } = spec;
  if (spec.checkpoint !== 'all') return [`run:${directory}@${(await checkpointNamed(directory, spec.checkpoint)).name}`];
  const all = await checkpointFolders(directory);
  if (all.length === 0) throw noCheckpoints(directory);
  return all.map(({ name }) => `run:${directory}@${name}`);
}

/** How a policy was taught to talk, where its folder says so. */
export async function agentRecordOf(text: string): Promise<AgentRecord | undefined> {
  const spec = parsePolicy(text);
  if (spec.kind !== 'base' && spec.kind !== 'reader' && spec.kind !== 'run' && spec.kind !== 'hf') return undefined;
  return readAgentRecord((await modelPath(spec)).replace(/^hf:/, ''));
}

/** The same policy with its checkpoint named: `run:x` is another one tomorrow, and a resumed run must find the weights it began with. */
export async function pinnedPolicy(text: string): Promise<string> {
  const spec = parsePolicy(text);
  if (spec.kind !== 'run') return text;
  return `run:${spec.directory}@${(await checkpointNamed(spec.directory, spec.checkpoint)).name}`;
}

/** Which checkpoint `run:x` takes where none is named, and whether another is better; undefined for other names. */
export async function checkpointNote(text: string): Promise<string | undefined> {
  const spec = parsePolicy(text);
  return spec.kind === 'run' && spec.checkpoint === 'latest' && !text.endsWith('@latest')
    ? whichCheckpoint(spec.directory)
    : undefined;
}

/** The folder, file or hub name of a model. */
export async function modelPath(spec: PolicySpec): Promise<string> {
  switch (spec.kind) {
    case 'base':
      return shippedModel(baseModelFolder);
    case 'reader':
      return shippedModel(readerModelFolder);
    case 'run':
      return modelFolder(await checkpointNamed(spec.directory, spec.checkpoint));
    case 'hf':
      return `hf:${spec.model}`;
    case 'gguf':
      return spec.file;
    default:
      throw new AgogeError('POLICY_NO_MODEL', `${spec.kind} is not a model: name one with base, run:, hf: or gguf:`);
  }
}

/** A model by a policy's name, or as it is: a folder, a file, `hf:…`. */
export async function tokenizerPath(name: string): Promise<string> {
  return /^(base|reader|run:.+)$/.test(name) ? modelPath(parsePolicy(name)) : name;
}

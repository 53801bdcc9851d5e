/** An evaluation of verl, AgentGym-RL or the seeds as a command of ours: `agoge eval` with the same tasks, limits and sampling. */
import { basename } from 'node:path';
import { shellWord } from '../../core/shell-word.ts';
import type { Launch } from './launch.ts';

export interface ConvertedEvaluation {
  /** The arguments behind `agoge`. */
  readonly command: readonly string[];
  readonly notes: readonly string[];
  readonly lost: readonly string[];
  /** What an automatic evaluation after training needs of it. */
  readonly parts: {
    readonly env: string | undefined;
    readonly url: string | undefined;
    readonly file: string | undefined;
    readonly options: ReadonlyMap<string, string>;
  };
}

/** Reads what was passed and remembers what nobody asked for. */
class Given {
  private readonly left: Map<string, string>;
  constructor(values: ReadonlyMap<string, string>) {
    this.left = new Map(values);
  }
  take(...names: readonly string[]): string | undefined {
    const found = names
      .map((name) => this.left.get(name))
      .find((value) => value !== undefined && value !== '' && value !== 'null' && value !== 'None');
    for (const name of names) this.left.delete(name);
    return found;
  }
  /** A count; −1 and nothing stand for all. */
  count(...names: readonly string[]): string | undefined {
    const value = this.take(...names);
    return value !== undefined && Number(value) > 0 ? value : undefined;
  }
  get rest(): [string, string][] {
    return [...this.left];
  }
}

const machine =
  /gpu|tensor_model_parallel|use_vllm|dtype|device|num_workers|batch_size|timeout|prompt_length|response_length|max_model_len|rollout_log_dir|nnodes|enforce_eager|free_cache|trust_remote|log_prob|config-(path|name|dir)|^(cp|cn)$|rollout\.(name|n)$|trainer\./;

export function evaluationOf(launch: Launch): ConvertedEvaluation {
  const { script } = launch;
  const overrides = new Map(
    launch.overrides.map((text): [string, string] => [
      text.replace(/^[+~]+/, '').split('=')[0] ?? '',
      text.slice(text.indexOf('=') + 1),
    ]),
  );
  const given = new Given(new Map([...launch.flags, ...overrides]));
  const notes: string[] = [];
  const generation = launch.kind === 'generation';
  const named = given.take('agentgym.task_name', 'actor_rollout_ref.agentgym.task_name', 'env', 'task_name', 'env_name');
  const fromName = environments.find(
    (name) => basename(launch.program).includes(name) || [...launch.flags.keys()].includes(`${name}_server`),
  );
  const env = named ?? fromName ?? (generation ? 'data' : undefined);
  const url = given.take(
    'agentgym.env_addr',
    'actor_rollout_ref.agentgym.env_addr',
    'env_server',
    'env_server_base',
    ...environments.map((name) => `${name}_server`),
  );
  const model = given.take('model.path', 'actor_rollout_ref.model.path', 'model_path', 'model');
  const file = given.take('data.path', 'data_path', 'data.test_files', 'data.val_files');
  const options = new Map<string, string>();
  const put = (name: string, value: string | undefined): void => {
    if (value !== undefined) options.set(name, value);
  };
  put('--limit', given.count('max_samples', 'data.max_samples'));
  put('--samples', given.count('num_samples_per_task', 'data.n_samples', 'n_samples'));
  put('--max-turns', given.count('agentgym.max_rounds', 'actor_rollout_ref.agentgym.max_rounds', 'max_rounds'));
  put('--max-tokens', given.count('max_new_tokens', 'rollout.max_tokens', 'rollout.response_length'));
  put('--max-context', given.count('max_length', 'rollout.max_model_len'));
  const sampled = given.take('do_sample');
  const temperature = given.take('temperature', 'rollout.temperature');
  const greedy = !generation && !launch.flags.has('do_sample') && !launch.flags.has('use_vllm');
  if (greedy && temperature !== undefined && Number(temperature) > 0 && !/vllm/.test(launch.program))
    notes.push(`temperature ${temperature} had no effect there without --do_sample: it is greedy here too`);
  put('--temperature', greedy && sampled === undefined && !/vllm/.test(launch.program) ? '0' : temperature);
  const topP = given.take('top_p', 'rollout.top_p');
  put('--top-p', topP !== undefined && Number(topP) < 1 ? topP : undefined);
  put('--top-k', given.count('top_k', 'rollout.top_k'));
  put('--seed', given.take('seed', 'data.seed'));
  put('--out', given.take('output_dir', 'data.output_path')?.replace(/\.parquet$/, ''));
  const format = generation ? (env === 'data' ? 'direct' : 'react') : formatOf(script);
  if (format === undefined) {
    put('--prompt', 'row');
    notes.push('replies are read as the prompts of the rows ask for');
  } else put('--format', format);
  if (/stop(_tokens)?['"]?\s*[:=]\s*\[?\s*['"]\\+n|stop at \\n|stop=\['\\n'\]/i.test(script)) put('--stop', '\\n');
  if (/enable_thinking:? *=?false/i.test(script.replace(/\s+\(/g, '('))) put('--thinking', 'off');
  if (!generation) notes.push('the script shuffles the rows and plays their positions; here each row is the task that it names');
  const lost = given.rest.filter(([key]) => !machine.test(key)).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const where = url === undefined || env === 'data' ? (env ?? '<environment>') : `${env ?? '<environment>'}@${url}`;
  const tasks = file === undefined ? [] : env === 'data' ? ['--set', `data.file=${file}`] : ['--tasks', file];
  const command = ['eval', where, '--policy', model === undefined ? 'base' : `hf:${model}`, ...tasks, ...[...options].flat()];
  return { command, notes, lost, parts: { env, url, file, options } };
}

const environments = ['textcraft', 'webshop', 'alfworld', 'babyai', 'sciworld', 'sqlgym', 'searchqa', 'webarena'];

/** Scripts say in words what their Python file asks for; ADaPT's reader there takes the last line. */
function formatOf(script: string): string | undefined {
  if (/adapt/i.test(script)) return 'adapt-last';
  return /\breact\b/i.test(script) ? 'react' : undefined;
}

/** As it is typed. */
export function commandText(command: readonly string[]): string {
  const [first = '', second = '', ...rest] = command;
  const lines: string[] = [];
  for (const word of rest) {
    if (word.startsWith('--')) lines.push(word);
    else lines.push(`${lines.pop() ?? ''} ${shellWord(word)}`);
  }
  return [`agoge ${first} ${shellWord(second)}`, ...lines].join(' \\\n  ');
}

/** What `agoge data` opens: environments by name, a tokenizer to count with, a policy to play with. */
import { AgogeError } from '../../../core/error.ts';
import type { FormatName } from '../../../data/formats/format.ts';
import type { Keep } from '../../../data/play/play.ts';
import type { LoadEnvironment } from '../../../data/play/replay.ts';
import type { PromptFormat } from '../../../agent/format.ts';
import type { Environments } from '../../../agent/environments.ts';
import type { OpenPolicyOptions } from '../../../agent/open-policy.ts';
import type { Prompting } from '../../../agent/prompting.ts';
import type { Environment } from '../../../envs/environment.ts';
import { openOwn } from '../../options/own-environments.ts';
import { promptingFor } from '../../../agent/policy-prompting.ts';
import { describePlay, Progress, spent } from './print.ts';
import { openRewardNamed } from '../../options/reward-option.ts';
import { print, printJson, tell } from '../../terminal/print.ts';
import { interruption } from '../../terminal/signals.ts';
import { givenSettings, type SettingOptions } from '../../options/settings.ts';

interface KnownEnvironments {
  readonly load: LoadEnvironment;
  readonly names: readonly string[];
  /** An environment that opens without files of its own, or undefined. */
  instructions(name: string): Promise<Environment | undefined>;
  /** For a file: the category of its items, where they are known here. */
  categories(): (file: string) => Promise<(itemId: string) => string | undefined>;
}

/** Environments by name and settings, each loaded once; `own` are files and packages. `--set` wins over what a recording asks for. */
export async function environments(given: SettingOptions, own: readonly string[] = []): Promise<KnownEnvironments> {
  await import('../../../envs/builtin.ts');
  const { environmentEntries, loadEnvironment } = await import('../../../envs/registry.ts');
  const opened = new Map((await Promise.all(own.map(openOwn))).map((environment) => [environment.name, environment]));
  const names = [...opened.keys(), ...environmentEntries().map(({ name }) => name)];
  const settings = await givenSettings(given, names);
  const loaded = new Map<string, Promise<Environment>>();
  const load: LoadEnvironment = async (name, asked = {}) => {
    const mine = opened.get(name);
    if (mine) return mine;
    const all = { ...asked, ...settings.get(name) };
    const key = `${name} ${JSON.stringify(all)}`;
    const known = loaded.get(key) ?? loadEnvironment(name, all);
    loaded.set(key, known);
    return known;
  };
  const instructions = (name: string): Promise<Environment | undefined> => load(name).catch(() => undefined);
  return {
    load,
    names,
    instructions,
    categories: () => async () => {
      const [{ taskOfItem }, { parseItemId }] = await Promise.all([
        import('../../../agent/items.ts'),
        import('../../../data/tasks/items.ts'),
      ]);
      const ready = new Map<string, Environment>();
      for (const name of ['textcraft', 'babyai']) {
        const environment = names.includes(name) ? await instructions(name) : undefined;
        if (environment) ready.set(name, environment);
      }
      return (itemId) => {
        const environment = ready.get(parseItemId(itemId).env);
        if (!environment) return undefined;
        try {
          const { split, index } = taskOfItem(environment, itemId);
          return environment.tasks(split).info(index).category;
        } catch {
          return undefined;
        }
      };
    },
  };
}

export interface TokenCounter extends AsyncDisposable {
  readonly count: ((text: string) => number) | undefined;
}

/** Counts in tokens of a policy; counts nothing where none is named. */
export async function tokenCounter(policy: string | undefined): Promise<TokenCounter> {
  if (policy === undefined) return { count: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { openPolicy } = await import('../../../agent/open-policy.ts');
  const opened = await openPolicy(policy);
  const tokenizer = opened.renderer?.tokenizer;
  if (!tokenizer) {
    await opened[Symbol.asyncDispose]();
    throw new AgogeError('CLI_USAGE_POLICY', `${policy} has no tokenizer to count with: name base, run:<dir> or hf:<folder>`);
  }
  return { count: (text) => tokenizer.encode(text).length, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

interface Demonstrations {
  readonly environment: string;
  readonly policy: string;
  readonly out: string;
  readonly to?: FormatName | undefined;
  readonly split: string;
  readonly tasks?: string | undefined;
  readonly count?: number | undefined;
  readonly strict?: true | undefined;
  readonly samples?: number | undefined;
  readonly keep: Keep;
  readonly minReward?: number | undefined;
  readonly reward?: string | undefined;
  readonly format?: string | undefined;
  readonly interactions?: string | undefined;
  readonly turns: number;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly fewShot?: true | undefined;
  readonly prompt?: string | undefined;
  readonly thinking?: boolean | undefined;
  readonly chatTemplate?: string | undefined;
  readonly timeout?: number | undefined;
  readonly tokenizer?: string | undefined;
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  readonly budget?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly seed?: number | undefined;
  readonly set: readonly string[];
  readonly generated?: true | undefined;
  readonly server: readonly string[];
  readonly force?: true | undefined;
  readonly json?: true | undefined;
}

/** Plays and writes, for `sample` and `demonstrate`. What was played before an interruption is kept and gone on from. */
export async function demonstrations(options: Demonstrations): Promise<void> {
  const [{ playToFile }, { identifyPolicy }, { openPolicy }, { parseServers }] = await Promise.all([
    import('../../../data/play/play-to-file.ts'),
    import('../../../agent/identify-policy.ts'),
    import('../../../agent/open-policy.ts'),
    import('../../../config/recipe/servers.ts'),
  ]);
  const signal = interruption();
  const servers = parseServers(options.server);
  const { opened, environment, name } = await openNamed(options, servers, signal);
  await using _ = opened;
  const { prompting, notices } = await promptingFor([options.policy], options, 'react');
  for (const notice of notices) tell(notice);
  const tasks = await tasksOf(environment, name, prompting, options);
  const open = openingOf(options, prompting, servers.maxAnswer);
  const identity = await identifyPolicy(options.policy, open);
  await using policy = await openPolicy(options.policy, open);
  const progress = Progress.start(options.json === true);
  try {
    const report = await playToFile({
      ...(await playOptions(options)),
      ...tasks,
      environment,
      policy,
      identity,
      stepDeadline: opened.limits(name).stepDeadline ?? servers.timeout,
      signal,
      onShare: (share, usage) => progress.update(share, `${name} played by ${options.policy}${spent(usage)}`),
      onResume: (episodes) => tell(`going on after ${episodes} episodes of an earlier start`),
    })
      .catch((thrown: unknown) => {
        if (!signal.aborted) throw thrown;
        const kept = `what was played is kept in ${options.out}.partial.jsonl: run the same command again to go on`;
        throw new AgogeError('CLI_INTERRUPTED', `interrupted; ${kept}`, { cause: thrown });
      })
      .finally(() => progress.stop());
    if (options.json) printJson(report);
    else for (const line of describePlay(report, `${environment.name}/${tasks.split}`)) print(line);
    if (report.failed + report.missing > 0) {
      throw new AgogeError(
        'DATA_INCOMPLETE',
        `${report.failed} episodes failed and ${report.missing} were not begun: run the same command again to play only those`,
      );
    }
  } finally {
    progress.stop();
  }
}

type Servers = ReturnType<(typeof import('../../../config/recipe/servers.ts'))['parseServers']>;

/** The environment, or the server that an interaction file names so; `name` is what its settings and limits go by. */
async function openNamed(
  { environment: env, interactions: file, ...given }: Demonstrations,
  servers: Servers,
  signal: AbortSignal,
): Promise<{ readonly opened: Environments; readonly environment: Environment; readonly name: string }> {
  const [{ parseEnvironmentSpec }, { Environments }, { readInteractions }] = await Promise.all([
    import('../../../gym/client/connect.ts'),
    import('../../../agent/environments.ts'),
    import('../../../agent/interaction-config.ts'),
  ]);
  const interactions = file === undefined ? [] : await readInteractions(file);
  const name = interactions.some((known) => known.name === env) ? env : parseEnvironmentSpec(env).name;
  const opened = new Environments({ signal, interactions, servers });
  const settings = (await givenSettings(given, [name])).get(name) ?? {};
  return { opened, environment: await opened.open({ env, settings }), name };
}

function openingOf(options: Demonstrations, { template, thinking }: Prompting, maxAnswer: number): OpenPolicyOptions {
  return {
    template,
    thinking,
    tokenizer: options.tokenizer,
    endpoint: {
      maxAnswer,
      ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
      ...(options.price === undefined ? {} : { prices: options.price }),
      ...(options.budget === undefined ? {} : { budget: options.budget }),
      ...(options.concurrency === undefined ? {} : { concurrency: Math.min(options.concurrency, 256) }),
    },
  };
}

/** What the options say of the play itself; what they leave out is `playToFile`'s to choose. */
async function playOptions(options: Demonstrations) {
  const { keep, minReward, turns, out, to, force, samples = 1, maxTokens, temperature, concurrency, timeout, seed } = options;
  const { topP, topK } = options;
  const sampling = {
    temperature: temperature ?? 1,
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
  };
  return {
    keep,
    minReward,
    turns,
    out,
    to,
    force,
    samples,
    ...(options.reward === undefined ? {} : { reward: await openRewardNamed(options.reward) }),
    ...(maxTokens === undefined ? {} : { tokensPerTurn: maxTokens }),
    ...(temperature === undefined ? {} : { sampling }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { replyDeadline: Math.max(300, 6 * timeout) * 1000 }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** Tasks of a split by their numbers, or those that the rows of a file name. */
async function tasksOf(
  environment: Environment,
  name: string,
  prompting: Prompting,
  { tasks, split, count, strict, environment: asked }: Demonstrations,
): Promise<{ split: string; tasks: readonly number[]; format: PromptFormat; formatOf: (index: number) => PromptFormat }> {
  const [{ taskIndices }, { isTaskFile }, { fileTasks }] = await Promise.all([
    import('../../../data/play/play.ts'),
    import('../../../data/tasks/task-rows.ts'),
    import('../../../data/tasks/task-panels.ts'),
  ]);
  if (tasks === undefined || !isTaskFile(tasks)) {
    const { format } = prompting;
    return { split, tasks: taskIndices(environment, split, tasks, count), format, formatOf: () => format };
  }
  const [first, ...others] = await fileTasks(tasks, name, environment, prompting, { limit: count, strict, notice: tell });
  if (!first || others.length > 0) {
    const splits = [first, ...others].map((part) => part?.split).join(', ');
    throw new AgogeError(
      'CLI_USAGE_TASKS',
      `the tasks of ${tasks} lie in several splits of ${asked} (${splits}): make a file of each`,
    );
  }
  return { split: first.split, tasks: first.indices, format: first.format, formatOf: first.formatOf };
}

/** Plays and writes, for `agoge data sample` and `agoge data demonstrate`. */
import type { Environments } from '../../../agent/environments.ts';
import type { OpenPolicyOptions } from '../../../agent/open-policy.ts';
import { promptingFor } from '../../../agent/policy-prompting.ts';
import { AgogeError } from '../../../core/error.ts';
import type { FormatName } from '../../../data/formats/format.ts';
import type { Keep } from '../../../data/play/kept.ts';
import type { Environment } from '../../../envs/environment.ts';
import { openRewardNamed } from '../../options/reward-option.ts';
import { givenSettings } from '../../options/settings.ts';
import { print, printJson, tell } from '../../terminal/print.ts';
import { interruption } from '../../terminal/signals.ts';
import { describePlay, Progress, spent } from './print.ts';

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

/** What was played before an interruption is kept and gone on from. */
export async function demonstrations(options: Demonstrations): Promise<void> {
  const [{ playToFile }, { chosenTasks }, { identifyPolicy }, { openPolicy }] = await Promise.all([
    import('../../../data/play/play-to-file.ts'),
    import('../../../data/play/chosen-tasks.ts'),
    import('../../../agent/identify-policy.ts'),
    import('../../../agent/open-policy.ts'),
  ]);
  const signal = interruption();
  const play = playOptions(options);
  const endpoint = endpointOf(options);
  const { opened, environment, name, servers } = await openNamed(options, signal);
  await using _ = opened;
  const reward = options.reward === undefined ? undefined : await openRewardNamed(options.reward);
  const { prompting, notices } = await promptingFor([options.policy], options, 'react');
  for (const notice of notices) tell(notice);
  const tasks = await chosenTasks(environment, name, prompting, options, tell);
  const { template, thinking } = prompting;
  const open = { template, thinking, tokenizer: options.tokenizer, endpoint: { maxAnswer: servers.maxAnswer, ...endpoint } };
  const identity = await identifyPolicy(options.policy, open);
  await using policy = await openPolicy(options.policy, open);
  const progress = Progress.start(options.json === true);
  try {
    const report = await playToFile({
      ...play,
      ...(reward ? { reward } : {}),
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

interface Opened {
  readonly opened: Environments;
  readonly environment: Environment;
  /** What its settings and limits go by. */
  readonly name: string;
  readonly servers: Servers;
}

/** The environment, or the server that an interaction file names so. */
async function openNamed(
  { environment: env, interactions: file, server, ...given }: Demonstrations,
  signal: AbortSignal,
): Promise<Opened> {
  const [{ parseEnvironmentSpec }, { Environments }, { readInteractions }, { parseServers }] = await Promise.all([
    import('../../../gym/client/connect.ts'),
    import('../../../agent/environments.ts'),
    import('../../../agent/interaction-config.ts'),
    import('../../../config/recipe/servers.ts'),
  ]);
  const servers = parseServers(server);
  const interactions = file === undefined ? [] : await readInteractions(file);
  const name = interactions.some((known) => known.name === env) ? env : parseEnvironmentSpec(env).name;
  const opened = new Environments({ signal, interactions, servers });
  const settings = (await givenSettings(given, [name])).get(name) ?? {};
  return { opened, environment: await opened.open({ env, settings }), name, servers };
}

function endpointOf({ timeout, price, budget, concurrency }: Demonstrations): OpenPolicyOptions['endpoint'] {
  return {
    ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
    ...(price === undefined ? {} : { prices: price }),
    ...(budget === undefined ? {} : { budget }),
    ...(concurrency === undefined ? {} : { concurrency: Math.min(concurrency, 256) }),
  };
}

/** What the options say of the play itself; what they leave out is `playToFile`'s to choose. */
function playOptions(options: Demonstrations) {
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
    ...(maxTokens === undefined ? {} : { tokensPerTurn: maxTokens }),
    ...(temperature === undefined ? {} : { sampling }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { replyDeadline: Math.max(300, 6 * timeout) * 1000 }),
    ...(seed === undefined ? {} : { seed }),
  };
}

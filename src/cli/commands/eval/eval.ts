/** `agoge eval`: policies on panels of tasks. Prints one table per environment; the folder has everything behind it. */
import type { Command } from '@commander-js/extra-typings';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpisodeLimits } from '../../../agent/limits.ts';
import type { Prompting } from '../../../agent/prompting.ts';
import { AgogeError } from '../../../core/error.ts';
import type { Environment } from '../../../envs/environment.ts';
import type { PanelRequest } from '../../../eval/evaluate.ts';
import { policyHelp } from '../../../policy/spec.ts';
import { chaosHelp, evalUnderChaos } from '../chaos.ts';
import { noViewHelp, showRun, viewHelp } from '../../terminal/dashboard.ts';
import { interruption } from '../../terminal/signals.ts';
import { collect, serverHelp, settingsByEnvironment } from '../../options/settings.ts';
import { createProgress, RunningSuccess } from '../../terminal/eval-progress.ts';
import { print, printJson, tell } from '../../terminal/print.ts';
import { openRewardNamed } from '../../options/reward-option.ts';
import { deviceHelp, deviceName } from '../../options/device.ts';
import { ownEnvironments } from '../../options/own-environments.ts';
import { promptingFor } from '../../options/prompt-options.ts';
import { onOff, prices, real, whole } from '../../options/values.ts';

export function register(program: Command): void {
  program
    .command('eval')
    .description('evaluate policies: success and reward with intervals, per category, paired by task')
    .argument('<environments...>', 'textcraft, textcraft@http://host:36001 for one on a server, or your own ./my-env.ts')
    .option('-p, --policy <name>', `whom to evaluate (repeatable): ${policyHelp}`, collect, [])
    .option('--split <name>', 'split of the tasks', 'test')
    .option('--tasks <list>', 'which tasks: 0-99, 3,5,7-9, all, or a file of rows or item ids (train.parquet)', 'all')
    .option('--limit <n>', 'at most so many tasks of a file', whole(1))
    .option('--interactions <file>', "verl's interaction file: servers and time-outs by name (webshop, webshop_2)")
    .option('--samples <k>', 'episodes per task and seed', whole(1), 1)
    .option('--seeds <n>', 'how many seeds', whole(1), 1)
    .option('--seed <number>', 'the first seed', whole(0), 0)
    .option('--max-turns <n>', 'replies per episode (default: what the field uses for the environment)', whole(1))
    .option('--max-tokens <n>', 'tokens per reply (default: what is usual for the environment, else 512)', whole(1))
    .option('--max-total-tokens <n>', 'sampled tokens per episode', whole(1))
    .option('--max-context <n>', 'tokens of the whole conversation', whole(1))
    .option(
      '-f, --format <name>',
      'react, direct, adapt, function_calling, code, tools (default: what checkpoints were taught; react for endpoints; direct)',
    )
    .option('--few-shot', "put the environment's worked example into the prompt")
    .option(
      '--prompt <file>',
      'your own prompt; may use {{task}}, {{actions}}, {{example}}; or `row`: what the rows of a file say',
    )
    .option('--chat-template <file>', "a Jinja chat template in place of the model's own, or `plain`")
    .option('--thinking <on|off>', 'ask the chat template for replies with or without thinking', onOff)
    .option('-t, --temperature <number>', 'sampling temperature; 0 is greedy', real(0), 1)
    .option('--top-p <number>', 'nucleus sampling', real(0, 1))
    .option('--top-k <n>', 'sample from the k likeliest tokens', whole(1))
    .option('--min-p <number>', 'leave out tokens less likely than this share of the likeliest', real(0, 1))
    .option(
      '--reward <name>',
      'what is paid for: a score, ./my-reward.ts, or a recipe with reward: (default: what the environment pays)',
    )
    .option(
      '--judge <policy>',
      'instead of playing: how far this model agrees with a gold set, a file of { prompt, chosen, rejected } or { prompt, answer, score }',
    )
    .option('--rubric <text>', 'of --judge: what makes an answer good')
    .option('--baseline <name>', 'compare each policy with this one, paired by task')
    .option('--device <name>', `of models in this process: ${deviceHelp}`, deviceName)
    .option('--concurrency <n>', 'episodes at once', whole(1), 256)
    .option('--retries <n>', 'further tries of an episode whose environment or policy failed', whole(0), 2)
    .option('--step-timeout <seconds>', 'for one call of an environment', real(0.001), 60)
    .option('--reply-timeout <seconds>', 'for one reply, its retries included', real(0.001), 300)
    .option('--price <in,out>', 'dollars per million tokens of an endpoint, to count the cost', prices)
    .option(
      '--tokenizer <folder>',
      "the served model's, a folder or hf:owner/name: endpoints (vLLM, SGLang, agoge serve) get and give token ids, kept with log-probabilities",
    )
    .option('--server <key=value>', serverHelp, collect, [])
    .option('--set <env.key=value>', 'a setting of an environment (repeatable)', collect, [])
    .option('-o, --out <folder>', 'where results go (default: outputs/eval-<hash of the request>)')
    .option('--fresh', 'start anew: removes what an evaluation has written to the folder, and nothing else')
    .option('--view', viewHelp)
    .option('--no-view', noViewHelp)
    .option('--chaos <seed[:profile]>', chaosHelp)
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge eval textcraft --policy base --policy expert
  agoge eval textcraft --policy run:outputs/textcraft-grpo@all --baseline base --policy base
  agoge eval textcraft webshop --policy openai:qwen3@http://127.0.0.1:8000/v1 --samples 8 --format react
  agoge eval textcraft@http://127.0.0.1:36001 --policy random --tasks 0-19
  agoge eval gold.jsonl --judge openai:qwen3@http://127.0.0.1:8000/v1     how far a judge agrees with people

Interrupted or with failed episodes: the same command again plays only what is missing.
`,
    )
    .action(async (names, options) => {
      const stop = interruption();
      if (options.judge !== undefined) {
        const { printAgreement } = await import('./judge.ts');
        await printAgreement(names, { ...options, judge: options.judge });
        return;
      }
      if (options.chaos !== undefined) return evalUnderChaos(options.chaos, options);
      const policies = options.policy.length > 0 ? options.policy : ['base'];
      if (options.baseline !== undefined && !policies.includes(options.baseline)) policies.unshift(options.baseline);
      const { factsOf } = await import('../../../envs/lookup.ts');
      const [{ parseEnvironmentSpec }, { Environments }, { expandPolicies, identifyPolicy, openPolicy }] = await Promise.all([
        import('../../../gym/client/connect.ts'),
        import('../../../agent/environments.ts'),
        import('../../../agent/open-policy.ts'),
      ]);
      const [{ evaluate }, { evaluationText }] = await Promise.all([
        import('../../../eval/evaluate.ts'),
        import('../../../eval/table.ts'),
      ]);
      const servers = (await import('../../../config/recipe/servers.ts')).parseServers(options.server);
      const interactions =
        options.interactions === undefined
          ? []
          : await (await import('../../../agent/interaction-config.ts')).readInteractions(options.interactions);
      // An interaction's name stands for its server; any other name is an environment's.
      const specs = names.map((name) =>
        interactions.some((each) => each.name === name) ? { name } : { name: parseEnvironmentSpec(name).name },
      );
      const settings = settingsByEnvironment(
        options.set,
        specs.map(({ name }) => name),
      );
      const expanded = (await Promise.all(policies.map(expandPolicies))).flat();
      const [baseline] = options.baseline === undefined ? [] : await expandPolicies(options.baseline);
      const asked = await askedByRows(options);
      const { prompting, notices, gaps } = await promptingFor([...new Set(expanded)], options, asked);
      const { format, template, thinking } = prompting;
      const open = {
        ...(template === undefined ? {} : { template }),
        ...(thinking === undefined ? {} : { thinking }),
        ...(options.tokenizer === undefined ? {} : { tokenizer: options.tokenizer }),
        ...(options.device === undefined ? {} : { device: options.device }),
        endpoint: {
          timeout: options.replyTimeout * 1000,
          maxAnswer: servers.maxAnswer,
          ...(options.price ? { prices: options.price } : {}),
        },
      };
      const progress = createProgress(options.json === true);
      await using opened = new Environments({
        signal: stop,
        interactions,
        servers,
        notice: (text) => progress.say(text),
        // One call may take as long as a step may, unless the servers' own time-out was given.
        ...(options.server.some((text) => text.startsWith('timeout=')) ? {} : { timeout: options.stepTimeout * 1000 }),
      });
      const environments = await Promise.all(
        names.map((env, at) => opened.open({ env, settings: settings.get(specs[at]?.name ?? env) ?? {} })),
      );
      try {
        for (const notice of notices) progress.say(notice);
        const panels = (
          await Promise.all(
            environments.map(async (environment, at) => {
              const name = specs[at]?.name ?? environment.name;
              const said = opened.limits(name);
              const usual = factsOf(environment).limits ?? {};
              const turns = options.maxTurns ?? Math.min(usual.turns ?? 30, said.turns ?? Infinity);
              const limits = {
                turns,
                tokensPerTurn: options.maxTokens ?? usual.tokens ?? 512,
                ...(options.maxTotalTokens === undefined ? {} : { tokens: options.maxTotalTokens }),
                ...(options.maxContext === undefined ? {} : { context: options.maxContext }),
                stepDeadline: said.stepDeadline ?? options.stepTimeout * 1000,
                replyDeadline: options.replyTimeout * 1000,
              };
              return panelsOf(environment, name, limits, prompting, options);
            }),
          )
        ).flat();
        const unique = [...new Set(expanded)];
        const evaluated = await Promise.all(
          unique.map(async (id) => ({ id, identity: await identifyPolicy(id, open), open: () => openPolicy(id, open) })),
        );
        const sampling = {
          temperature: options.temperature,
          ...(options.topP === undefined ? {} : { topP: options.topP }),
          ...(options.topK === undefined ? {} : { topK: options.topK }),
          ...(options.minP === undefined ? {} : { minP: options.minP }),
        };
        const repeats = { samples: options.samples, seeds: options.seeds, seed: options.seed };
        const reward = options.reward === undefined ? undefined : await openRewardNamed(options.reward);
        const folder =
          options.out ??
          join(
            'outputs',
            `eval-${requestHash({ names, unique, split: options.split, tasks: options.tasks, repeats, sampling, format: format.name, reward: reward?.identity })}`,
          );
        const { view } = options;
        const own = ownEnvironments(names.map((env) => ({ env })));
        const { stderr: stream } = process;
        await using _ = await showRun({ folder, among: 'outputs', view, stream, quiet: options.json === true, own });
        let success = new RunningSuccess(0, []);
        const evaluation = await evaluate(
          {
            panels,
            policies: evaluated,
            format,
            gaps,
            sampling,
            repeats,
            reward,
            baseline,
            folder,
            fresh: options.fresh,
            stamp: (options.fresh === true ? undefined : await earlierStamp(folder)) ?? timeStamp(new Date()),
            concurrency: options.concurrency,
            retries: options.retries,
            signal: stop,
          },
          {
            onPanel(panel, policy, total, ready) {
              success = new RunningSuccess(total, ready);
              progress.start(`${panel.env} ${policy}`, total, ready.length);
            },
            onEpisode({ outcome }) {
              progress.advance(success.add(outcome));
            },
            onNotice: (notice) => progress.say(notice),
          },
          program.version() ?? '',
        ).catch((thrown: unknown) => {
          progress.stop();
          if (stop.aborted) tell(`finished episodes are kept in ${folder}: run the same command again to go on`);
          throw thrown;
        });
        progress.stop();
        const lost = evaluation.scores.reduce((total, score) => total + score.episodes - score.scored, 0);
        if (options.json === true) printJson(evaluation);
        else print(`\n${evaluationText(evaluation)}\n\nresults in ${folder}`);
        if (lost > 0) {
          throw new AgogeError(
            'EVAL_INCOMPLETE',
            `${lost} episodes have no result: run the same command again to redo only those (see ${folder}/logs)`,
          );
        }
      } finally {
        progress.stop();
      }
    });
}

/** The format that rows ask for, where their prompts open the episodes. */
async function askedByRows({
  tasks,
  prompt,
}: {
  readonly tasks: string;
  readonly prompt?: string | undefined;
}): Promise<string | undefined> {
  if (prompt !== 'row') return undefined;
  const [{ isTaskFile }, { formatOfRows }] = await Promise.all([
    import('../../../data/tasks/task-rows.ts'),
    import('../../../data/tasks/asked-format.ts'),
  ]);
  return isTaskFile(tasks) ? (await formatOfRows([tasks]))?.format : undefined;
}

/** The tasks of a split, or those that the rows of a file name. */
async function panelsOf(
  environment: Environment,
  name: string,
  limits: EpisodeLimits,
  prompting: Prompting,
  { tasks, split, limit }: { readonly tasks: string; readonly split: string; readonly limit?: number | undefined },
): Promise<PanelRequest[]> {
  const [{ isTaskFile }, { fileTasks }, { parseTasks }] = await Promise.all([
    import('../../../data/tasks/task-rows.ts'),
    import('../../../data/tasks/task-panels.ts'),
    import('../../../eval/panel.ts'),
  ]);
  if (!isTaskFile(tasks)) return [{ environment, split, tasks: parseTasks(tasks, environment.tasks(split).size), limits }];
  const found = await fileTasks(tasks, name, environment, prompting, limit);
  return found.map((part) => ({ environment, split: part.split, tasks: part.indices, limits, prompts: part }));
}

function requestHash(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 8);
}

/** The stamp of the first start, so that a resumed evaluation keeps its file names. */
async function earlierStamp(folder: string): Promise<string | undefined> {
  const logs = await readdir(join(folder, 'logs')).catch(() => []);
  return logs.map((name) => /^eval_(\d{8}_\d{6})\.log$/.exec(name)?.[1]).find(Boolean);
}

function timeStamp(date: Date): string {
  return date
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[-:]/g, '')
    .replace('T', '_');
}

/** `agoge eval`: policies on panels of tasks. Prints one table per environment; the folder has everything behind it. */
import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { parsePolicy, policyHelp } from '../policy/spec.ts';
import { noViewHelp, showRun, viewHelp } from './dashboard.ts';
import { interruption } from './signals.ts';
import { collect, serverHelp, settingsByEnvironment } from './settings.ts';
import { createProgress } from './eval-progress.ts';
import { print, printJson, tell } from './print.ts';
import { onOff, prices } from './values.ts';

/** Turns that the field's evaluations allow. */
const usualTurns: Readonly<Record<string, number>> = {
  textcraft: 30,
  babyai: 20,
  webshop: 10,
  alfworld: 30,
  sciworld: 30,
  sqlgym: 1,
  searchqa: 5,
  webarena: 15,
};

export function register(program: Command): void {
  program
    .command('eval')
    .description('evaluate policies: success and reward with intervals, per category, paired by task')
    .argument('<environments...>', 'textcraft, textcraft@http://host:36001 for one on a server, or your own ./my-env.ts')
    .option('-p, --policy <name>', `whom to evaluate (repeatable): ${policyHelp}`, collect, [])
    .option('--split <name>', 'split of the tasks', 'test')
    .option('--tasks <list>', 'which tasks: 0-99, 3,5,7-9 or all', 'all')
    .option('--samples <k>', 'episodes per task and seed', whole(1), 1)
    .option('--seeds <n>', 'how many seeds', whole(1), 1)
    .option('--seed <number>', 'the first seed', whole(0), 0)
    .option('--max-turns <n>', 'replies per episode (default: what the field uses for the environment)', whole(1))
    .option('--max-tokens <n>', 'tokens per reply', whole(1), 512)
    .option('--max-total-tokens <n>', 'sampled tokens per episode', whole(1))
    .option('--max-context <n>', 'tokens of the whole conversation', whole(1))
    .option(
      '-f, --format <name>',
      'react, direct, adapt, function_calling, code, tools (default: react for endpoints, else direct)',
    )
    .option('--few-shot', "put the environment's worked example into the prompt")
    .option('--prompt <file>', 'your own prompt; may use {{task}}, {{actions}}, {{example}}')
    .option('--chat-template <file>', "a Jinja chat template in place of the model's own, or `plain`")
    .option('--thinking <on|off>', 'ask the chat template for replies with or without thinking', onOff)
    .option('-t, --temperature <number>', 'sampling temperature; 0 is greedy', real(0), 1)
    .option('--top-p <number>', 'nucleus sampling', real(0))
    .option('--top-k <n>', 'sample from the k likeliest tokens', whole(1))
    .option('--min-p <number>', 'leave out tokens less likely than this share of the likeliest', real(0))
    .option('--baseline <name>', 'compare each policy with this one, paired by task')
    .option('--concurrency <n>', 'episodes at once', whole(1), 256)
    .option('--retries <n>', 'further tries of an episode whose environment or policy failed', whole(0), 2)
    .option('--step-timeout <seconds>', 'for one call of an environment', real(0.001), 60)
    .option('--reply-timeout <seconds>', 'for one reply, its retries included', real(0.001), 300)
    .option('--price <in,out>', 'dollars per million tokens of an endpoint, to count the cost', prices)
    .option('--server <key=value>', serverHelp, collect, [])
    .option('--set <env.key=value>', 'a setting of an environment (repeatable)', collect, [])
    .option('-o, --out <folder>', 'where results go (default: outputs/eval-<hash of the request>)')
    .option('--fresh', 'start anew: removes what an evaluation has written to the folder, and nothing else')
    .option('--view', viewHelp)
    .option('--no-view', noViewHelp)
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge eval textcraft --policy base --policy expert
  agoge eval textcraft --policy run:outputs/textcraft-grpo@all --baseline base --policy base
  agoge eval textcraft webshop --policy openai:qwen3@http://127.0.0.1:8000/v1 --samples 8 --format react
  agoge eval textcraft@http://127.0.0.1:36001 --policy random --tasks 0-19

Interrupted or with failed episodes: the same command again plays only what is missing.
`,
    )
    .action(async (names, options) => {
      const stop = interruption();
      const policies = options.policy.length > 0 ? options.policy : ['base'];
      if (options.baseline !== undefined && !policies.includes(options.baseline)) policies.unshift(options.baseline);
      await import('../envs/builtin.ts');
      const [
        { openEnvironment, parseEnvironmentSpec },
        { expandPolicies, identifyPolicy, openPolicy },
        { createFormat, withPrompt },
      ] = await Promise.all([
        import('../gym/connect.ts'),
        import('../agent/open-policy.ts'),
        import('../agent/formats/index.ts'),
      ]);
      const [{ evaluate }, { clearEvaluation }, { parseTasks }, { evaluationText }] = await Promise.all([
        import('../eval/evaluate.ts'),
        import('../eval/evaluation-folder.ts'),
        import('../eval/panel.ts'),
        import('../eval/table.ts'),
      ]);
      const servers = (await import('../config/servers.ts')).parseServers(options.server);
      const specs = names.map(parseEnvironmentSpec);
      const settings = settingsByEnvironment(
        options.set,
        specs.map(({ name }) => name),
      );
      const named = options.format ?? (policies.every((name) => parsePolicy(name).kind === 'openai') ? 'react' : 'direct');
      const plain = createFormat(named, { ...(options.fewShot === true ? { fewShot: true } : {}) });
      const format = options.prompt === undefined ? plain : withPrompt(plain, await text(options.prompt));
      const template = options.chatTemplate === undefined ? undefined : await templateText(options.chatTemplate);
      const open = {
        ...(template === undefined ? {} : { template }),
        ...(options.thinking === undefined ? {} : { thinking: options.thinking }),
        endpoint: {
          timeout: options.replyTimeout * 1000,
          maxAnswer: servers.maxAnswer,
          ...(options.price ? { prices: options.price } : {}),
        },
      };
      const expanded = (await Promise.all(policies.map(expandPolicies))).flat();
      const [baseline] = options.baseline === undefined ? [] : await expandPolicies(options.baseline);
      const environments = await Promise.all(
        specs.map((spec) => openEnvironment(spec, settings.get(spec.name), { ...servers, signal: stop })),
      );
      const progress = createProgress(options.json === true);
      try {
        const panels = environments.map((environment) => ({
          environment,
          split: options.split,
          tasks: parseTasks(options.tasks, environment.tasks(options.split).size),
          limits: {
            turns: options.maxTurns ?? usualTurns[environment.name] ?? 30,
            tokensPerTurn: options.maxTokens,
            ...(options.maxTotalTokens === undefined ? {} : { tokens: options.maxTotalTokens }),
            ...(options.maxContext === undefined ? {} : { context: options.maxContext }),
            stepDeadline: options.stepTimeout * 1000,
            replyDeadline: options.replyTimeout * 1000,
          },
        }));
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
        const folder =
          options.out ??
          join(
            'outputs',
            `eval-${requestHash({ names, unique, split: options.split, tasks: options.tasks, repeats, sampling, named })}`,
          );
        if (options.fresh === true) await clearEvaluation(folder);
        const { view } = options;
        await using _ = await showRun({ folder, among: 'outputs', view, stream: process.stderr, quiet: options.json === true });
        let solved = 0;
        let counted = 0;
        const evaluation = await evaluate(
          {
            panels,
            policies: evaluated,
            format,
            sampling,
            repeats,
            baseline,
            folder,
            stamp: (await earlierStamp(folder)) ?? timeStamp(new Date()),
            concurrency: options.concurrency,
            retries: options.retries,
            signal: stop,
          },
          {
            onPanel(panel, policy, total, ready) {
              [solved, counted] = [0, 0];
              progress.start(`${panel.env} ${policy}`, total, ready);
            },
            onEpisode({ outcome }) {
              if (outcome.kind !== 'failed') counted++;
              if (outcome.kind === 'finished' && outcome.success) solved++;
              progress.advance(counted > 0 ? `success ${(solved / counted).toFixed(3)}` : '');
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
        for (const environment of environments) await environment.close?.();
      }
    });
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

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw new AgogeError('CLI_USAGE_FILE', `${file} cannot be read: give the path of a text file`, { cause: thrown });
  }
}

async function templateText(file: string): Promise<string> {
  if (file !== 'plain') return text(file);
  const { plainTemplate } = await import('../policy/chat-template.ts');
  return plainTemplate;
}

function whole(least: number): (value: string) => number {
  return (value) => {
    const parsed = Number(value);
    if (!/^\d+$/.test(value) || parsed < least) throw new InvalidArgumentError(`Give a whole number from ${least}.`);
    return parsed;
  };
}

function real(least: number): (value: string) => number {
  return (value) => {
    const parsed = Number(value);
    if (value.trim() === '' || !(parsed >= least)) throw new InvalidArgumentError(`Give a number from ${least}.`);
    return parsed;
  };
}

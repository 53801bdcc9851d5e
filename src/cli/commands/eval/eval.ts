/** `agoge eval`: policies on panels of tasks. Prints one table per environment; the folder has everything behind it. */
import type { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../../core/error.ts';
import type { Evaluation, EvaluationEvents, EvaluationRequest } from '../../../eval/evaluate.ts';
import { policyHelp } from '../../../policy/spec.ts';
import { chaosHelp, evalUnderChaos } from '../chaos.ts';
import { noViewHelp, showRun, viewHelp } from '../../terminal/dashboard.ts';
import { interruption } from '../../terminal/signals.ts';
import { collect, generatedHelp, serverHelp } from '../../options/settings.ts';
import { createProgress, RunningSuccess, type Progress } from '../../terminal/eval-progress.ts';
import { print, printJson, tell } from '../../terminal/print.ts';
import { cardMemoryHelp, deviceHelp, deviceName, gibibytes } from '../../options/device.ts';
import { ownEnvironments } from '../../options/own-environments.ts';
import { onOff, prices, real, stopText, whole } from '../../options/values.ts';
import { version } from '../../version.ts';
import type { EvalOptions } from './evaluation-plan.ts';

export function register(command: Command): void {
  command
    .argument('<environments...>', 'textcraft, textcraft@http://host:36001 for one on a server, or your own ./my-env.ts')
    .option('-p, --policy <name>', `whom to evaluate (repeatable): ${policyHelp}`, collect, [])
    .option('--split <name>', 'split of the tasks', 'test')
    .option('--tasks <list>', 'which tasks: 0-99, 3,5,7-9, all, or a file of rows or item ids (train.parquet)', 'all')
    .option('--limit <n>', 'at most so many tasks of a file', whole(1))
    .option('--strict', 'refuse a file with rows whose task does not exist (default: they are passed over and counted)')
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
      'react, direct, adapt, adapt-last, function_calling, code, tools (default: what checkpoints were taught; react for endpoints; direct)',
    )
    .option('--stop <text>', 'a text that ends a reply (repeatable); \\n stands for a new line', stopText, [])
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
    .option('--card-memory <gib>', `with --device cuda: ${cardMemoryHelp}`, gibibytes)
    .option('--threads <n>', 'of models in this process; default: all cores', whole(1))
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
    .option('--generated', generatedHelp)
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
    .action((names, options) => evaluatePolicies(names, options, version));
}

/** Everything behind the words of the command. */
async function evaluatePolicies(names: readonly string[], options: EvalOptions, agoge: string): Promise<void> {
  const stop = interruption();
  if (options.judge !== undefined) {
    const { printAgreement } = await import('./judge.ts');
    return printAgreement(names, { ...options, judge: options.judge });
  }
  if (options.chaos !== undefined) return evalUnderChaos(options.chaos, options);
  const [
    { evaluationChoices, evaluationPlan, namedEnvironments, openEnvironments },
    { evaluationRequest },
    { undeclaredLimits },
  ] = await Promise.all([
    import('./evaluation-plan.ts'),
    import('../../../eval/evaluation-request.ts'),
    import('../../../eval/request-panels.ts'),
  ]);
  const quiet = options.json === true;
  const progress = createProgress(quiet);
  const notice = (text: string): void => progress.say(text);
  const plan = await evaluationPlan(names, options);
  await using opened = openEnvironments(plan, options, { signal: stop, notice });
  let shown: Promise<AsyncDisposable> | undefined;
  try {
    const choices = await evaluationChoices(options, plan, stop);
    const request = await evaluationRequest(() => namedEnvironments(plan, opened), choices, notice);
    const { folder } = request;
    for (const { environment } of request.panels) {
      const open = undeclaredLimits(environment, options);
      if (open !== undefined) progress.say(open);
    }
    const own = ownEnvironments(names.map((env) => ({ env })));
    const { stderr: stream } = process;
    // Where a policy or a task is refused, there is nothing to watch.
    const begins = (): void => void (shown ??= showRun({ folder, among: 'outputs', view: options.view, stream, quiet, own }));
    await printEvaluation(await played(request, progress, agoge, begins), folder, quiet);
  } finally {
    progress.stop();
    await (await shown)?.[Symbol.asyncDispose]();
  }
}

/** Plays what is missing, with a bar; tells where the rest is kept if it is interrupted. */
async function played(request: EvaluationRequest, progress: Progress, agoge: string, begins: () => void): Promise<Evaluation> {
  const { evaluate } = await import('../../../eval/evaluate.ts');
  let success = new RunningSuccess(0, []);
  const events: EvaluationEvents = {
    onPanel(panel, policy, total, ready) {
      begins();
      success = new RunningSuccess(total, ready);
      progress.start(`${panel.env} ${policy}`, total, ready.length, panel.limits.turns);
    },
    onTurn: () => progress.turn(),
    onEpisode({ outcome }) {
      progress.advance(success.add(outcome));
    },
    onNotice: (notice) => progress.say(notice),
  };
  try {
    return await evaluate(request, events, agoge).finally(() => progress.stop());
  } catch (thrown) {
    if (request.signal?.aborted === true)
      tell(`finished episodes are kept in ${request.folder}: run the same command again to go on`);
    throw thrown;
  }
}

async function printEvaluation(evaluation: Evaluation, folder: string, json: boolean): Promise<void> {
  const { evaluationText } = await import('../../../eval/table.ts');
  if (json) printJson(evaluation);
  else print(`\n${evaluationText(evaluation)}\n\nresults in ${folder}`);
  const lost = evaluation.scores.reduce((total, score) => total + score.episodes - score.scored, 0);
  if (lost > 0) {
    throw new AgogeError(
      'EVAL_INCOMPLETE',
      `${lost} episodes have no result: run the same command again to redo only those (see ${folder}/logs)`,
    );
  }
}

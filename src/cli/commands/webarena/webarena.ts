/** `agoge webarena`: the original's evaluation (`run`), signing in (`auto-login`), whether its sites are up (`check`), its shipped tasks (`tasks`). */
import { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../../core/error.ts';
import { print, printJson, tell } from '../../terminal/print.ts';
import { collect, settingsByEnvironment } from '../../options/settings.ts';
import { interruption } from '../../terminal/signals.ts';
import { autoLogin } from './auto-login.ts';
import { harnessOptions, type HarnessFlags, readHarnessOptions } from './options.ts';

export function register(webarena: Command): void {
  const run: Command = new Command('run')
    .description('play tasks with an agent and score them; a folder that has results goes on where it ended')
    .option('--set <webarena.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .option('--json', 'print one JSON line per task')
    .addHelpText(
      'after',
      '\nThe options of WebArena’s run.py are accepted in its own spelling too.\n\nExamples:\n' +
        '  agoge webarena run --agent-type teacher_forcing --test-start-idx 10000 --test-end-idx 10020\n' +
        '  agoge webarena run --instruction_path p_cot_id_actree_2s.py --model gpt-4o --test_start_idx 0 --test_end_idx 10 \\\n' +
        '    --set webarena.tasks=config_files/test.raw.json --result_dir results     (SHOPPING, REDDIT, … set)\n',
    );
  for (const option of harnessOptions()) run.addOption(option);
  run.action(async () => {
    const given = run.opts() as Readonly<Record<string, unknown>>;
    await play(readHarnessOptions(given), given['set'] as string[], given['json'] === true);
  });
  webarena.addCommand(run);
  webarena.addCommand(autoLogin());
  webarena
    .command('check')
    .description('say which of the official sites answer (SHOPPING, REDDIT, … or --set webarena.shopping=…)')
    .option('--set <webarena.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .option('--json', 'print the findings as JSON')
    .action(async (options) => {
      await check(options.set, options.json === true);
    });
  webarena
    .command('tasks')
    .description('print the shipped tasks as the original’s test.raw.json has them, reference actions included')
    .option('--split <name>', 'train, test or unseen; all of them by default')
    .action(async ({ split }) => {
      await printTasks(split);
    });
}

async function play(flags: HarnessFlags, set: readonly string[], json: boolean): Promise<void> {
  const signal = interruption();
  const [{ webArena }, { runHarness, isScored }, { wilson }] = await Promise.all([
    import('../../../envs/webarena/webarena.ts'),
    import('../../../eval/webarena/run.ts'),
    import('../../../learn/statistics.ts'),
  ]);
  const environment = await webArena({ ...settingsOf(flags), ...settingsByEnvironment(set, ['webarena']).get('webarena') });
  try {
    const tasks = environment.tasksBetween(flags['test-start-idx'], flags['test-end-idx']);
    if (tasks.length === 0) {
      throw new AgogeError(
        'CLI_USAGE_OPTION',
        `no task has a number from ${flags['test-start-idx']} to ${flags['test-end-idx'] - 1}: ${environment.numbers}`,
      );
    }
    const folder = flags['result-dir'] ?? `outputs/webarena_${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
    await using agents = await openAgents(flags, environment);
    await keepConfig(folder, flags);
    tell(`${tasks.length} tasks, results in ${folder}`);
    const results = await runHarness({
      environment,
      tasks,
      agent: (task) => agents.agent(task),
      limits: {
        steps: flags['max-steps'],
        parsingFailures: flags['parsing-failure-th'],
        repeated: flags['repeating-action-failure-th'],
      },
      folder,
      parallel: flags.parallel,
      screenshots: flags['render-screenshot'] || flags['observation-type'] === 'image',
      traces: flags['save-trace-enabled'],
      signal,
      onResult: (result) => {
        if (json) printJson(result);
        else if (isScored(result)) print(`${result.score === 1 ? 'PASS' : 'FAIL'}   ${result.task_id}  ${result.steps} steps`);
        else print(`BROKEN ${result.task_id}  ${result.error.message}`);
      },
    });
    const scored = results.filter(isScored);
    const sum = scored.reduce((total, { score }) => total + score, 0);
    const { low, high } = wilson(sum, scored.length);
    const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
    const broken = results.length - scored.length;
    const summary = { n: scored.length, score: scored.length === 0 ? null : sum / scored.length, low, high, broken };
    if (json) printJson(summary);
    else if (summary.score !== null)
      print(`${percent(summary.score)} of ${scored.length} tasks (95 %: ${percent(low)} to ${percent(high)})`);
    if (broken > 0) {
      throw new AgogeError(
        'EVAL_WEBARENA',
        `${broken} tasks could not be played or judged and have no score: see ${folder}/error.txt, then run the same command again`,
      );
    }
  } finally {
    await environment.close();
  }
}

/** What the flags mean to the environment. */
function settingsOf(flags: HarnessFlags): Record<string, string> {
  const observation = flags['observation-type'];
  const sleep = flags['sleep-after-execution'];
  const window = `${flags['viewport-width']}x${flags['viewport-height']}`;
  const settings = {
    ...(observation !== undefined && observation !== 'image' && { observation }),
    ...(window !== '1280x720' && { viewport: window }),
    ...(sleep !== undefined && { sleep: String(sleep) }),
    ...(flags['whole-page'] && { whole_page: 'true' }),
  };
  // Pictures, traces and the original's texts need a browser; the shipped sites are otherwise played without one.
  const browser =
    Object.keys(settings).length > 0 ||
    flags['save-trace-enabled'] ||
    flags['render-screenshot'] ||
    observation === 'image' ||
    flags['action-set-tag'] === 'playwright';
  return { ...settings, ...(browser && { lane: 'browser' }) };
}

type Environment = Awaited<ReturnType<typeof import('../../../envs/webarena/webarena.ts').webArena>>;
type Agents = AsyncDisposable & {
  agent(task: ReturnType<Environment['task']>): import('../../../eval/webarena/agents.ts').Agent;
};

async function openAgents(flags: HarnessFlags, environment: Environment): Promise<Agents> {
  const { promptAgent, teacherAgent } = await import('../../../eval/webarena/agents.ts');
  const { addresses } = environment;
  if (flags['agent-type'] === 'teacher_forcing') {
    return {
      agent: (task) => teacherAgent(environment.teacher(task), addresses),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const [{ openModel }, { readInstruction }, { readFile }] = await Promise.all([
    import('../../../eval/webarena/models/open-model.ts'),
    import('../../../envs/webarena/prompts/instruction.ts'),
    import('node:fs/promises'),
  ]);
  const file = flags['instruction-path'];
  if (file === undefined) {
    throw new AgogeError(
      'CLI_USAGE_OPTION',
      'a prompt agent needs --instruction-path: give a file of WebArena’s agent/prompts (raw or JSON)',
    );
  }
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AgogeError('CLI_USAGE_OPTION', `--instruction-path ${file} cannot be read: give a prompt file`, { cause });
  });
  const instruction = readInstruction(text, file);
  const model = await openModel({
    policy: flags.policy,
    provider: flags.provider,
    model: flags.model,
    endpoint: flags['model-endpoint'],
    mode: flags.mode,
    tokenizer: flags.tokenizer,
    counts: flags['max-obs-length'] > 0,
  });
  const options = {
    model,
    instruction,
    addresses,
    actionSet: flags['action-set-tag'],
    temperature: flags.temperature,
    topP: flags['top-p'],
    maxTokens: flags['max-tokens'],
    stop: flags['stop-token'],
    tries: flags['max-retry'],
    maxObservation: flags['max-obs-length'],
    seed: flags.seed,
  };
  return { agent: () => promptAgent(options), [Symbol.asyncDispose]: () => model[Symbol.asyncDispose]() };
}

async function keepConfig(folder: string, flags: HarnessFlags): Promise<void> {
  const [{ writeFile }, { makeFolder }] = await Promise.all([import('node:fs/promises'), import('../../../core/make-folder.ts')]);
  await makeFolder(folder);
  const theirs = Object.entries(flags).map(([name, value]) => [name.replaceAll('-', '_'), value ?? null]);
  await writeFile(`${folder}/config.json`, `${JSON.stringify(Object.fromEntries(theirs), null, 4)}\n`);
}

/** Sites stand in it by their placeholders, as in the original's file. */
async function printTasks(split: string | undefined): Promise<void> {
  const { siteSplits, siteTasks, webTask } = await import('../../../envs/webarena/sites/tasks/index.ts');
  if (split !== undefined && !siteSplits.some((known) => known === split))
    throw new AgogeError('CLI_USAGE_OPTION', `--split ${split} is none of ${siteSplits.join(', ')}: choose one of them`);
  const tasks = siteTasks().filter((task) => split === undefined || task.split === split);
  print(
    JSON.stringify(
      tasks.map((task) => webTask(task)),
      null,
      2,
    ),
  );
}

async function check(set: readonly string[], json: boolean): Promise<void> {
  const [{ checkSites }, { officialAddresses }] = await Promise.all([
    import('../../../envs/webarena/browser/health.ts'),
    import('../../../envs/webarena/tasks/sites.ts'),
  ]);
  const addresses = officialAddresses(settingsByEnvironment(set, ['webarena']).get('webarena') ?? {}, process.env);
  if (!addresses) {
    throw new AgogeError(
      'CLI_USAGE_OPTION',
      'no site has an address: set SHOPPING, SHOPPING_ADMIN, REDDIT, GITLAB, WIKIPEDIA, MAP and HOMEPAGE (docs/webarena.md)',
    );
  }
  const findings = await checkSites(addresses);
  if (json) printJson(findings);
  else
    for (const { site, address, problem } of findings)
      print(
        `${problem === undefined ? 'ok     ' : 'MISSING'}  ${site.padEnd(15)} ${address}${problem === undefined ? '' : `  ${problem}`}`,
      );
  const missing = findings.filter(({ problem }) => problem !== undefined);
  if (missing.length > 0) {
    throw new AgogeError(
      'ENV_WEBARENA_SITE_MISSING',
      `${missing.map(({ site }) => site).join(', ')} did not answer: start the containers (docs/webarena.md) and check again`,
    );
  }
}

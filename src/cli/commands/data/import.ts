/** `agoge data import`: a product's logged conversations become tasks, demonstrations and recipes. */
import type { Command } from '@commander-js/extra-typings';
import type { ImportReport } from '../../../data/traces/import.ts';
import { real } from '../../options/values.ts';
import { interruption } from '../../terminal/signals.ts';
import { print, printJson, tell } from '../../terminal/print.ts';

export function registerImport(data: Command): void {
  data
    .command('import')
    .description(
      "make tasks and demonstrations of a product's logged conversations: OpenAI chat logs, AI SDK telemetry, OpenTelemetry spans",
    )
    .argument('<files...>', 'logs as JSON or JSONL')
    .option('--out <folder>', 'folder to make (default: named after the first file)')
    .option('--name <name>', 'name of the environment (default: that of the folder)')
    .option('--reward <name>', 'how conversations are judged: ./my-reward.ts, or a score (default: what the log says of them)')
    .option('--judge <policy>', 'a model judges them: openai:<model>@<url>, hf:…')
    .option('--rubric <text>', 'by what the model judges')
    .option('--min-reward <number>', 'conversations that earned at least this went well', real(), 0.5)
    .option('--validation <share>', 'share of the tasks for evaluations while training', real(0, 1), 0.1)
    .option('--test <share>', 'share of the tasks that training never sees', real(0, 1), 0.2)
    .option('--force', 'replace what the folder has')
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge data import traces.jsonl                                       rewards from the log (reward, score, success)
  agoge data import traces.jsonl --reward ./reward.ts --out support
  agoge data import spans.json --judge openai:qwen3@http://127.0.0.1:8000/v1 --rubric 'The question is answered.'
`,
    )
    .action(async (files, options) => {
      const [{ importTraces }, { openReward }, { rewardSchema }, { AgogeError }, path] = await Promise.all([
        import('../../../data/traces/import.ts'),
        import('../../../rewards/open.ts'),
        import('../../../config/recipe/reward-config.ts'),
        import('../../../core/error.ts'),
        import('node:path'),
      ]);
      const { judge, rubric, reward } = options;
      if (judge !== undefined && reward !== undefined)
        throw new AgogeError('CLI_USAGE_IMPORT', 'choose one: --judge asks a model, --reward a function');
      if (rubric !== undefined && judge === undefined)
        throw new AgogeError('CLI_USAGE_IMPORT', '--rubric says by what a model judges: give --judge as well');
      if (options.validation + options.test >= 1)
        throw new AgogeError('CLI_USAGE_IMPORT', '--validation and --test leave nothing to train on: make them smaller');
      const out = options.out ?? path.basename(files[0] ?? '').replace(/\.(jsonl?|ndjson)(\.gz)?$/i, '');
      const name = (options.name ?? path.basename(path.resolve(out))).toLowerCase().replace(/[^a-z0-9-]+/g, '-');
      const asked = judge === undefined ? reward : [{ use: 'judge', model: judge, ...(rubric === undefined ? {} : { rubric }) }];
      const report = await importTraces(files, {
        name,
        out,
        reward: asked === undefined ? undefined : await openReward(rewardSchema.parse(asked)),
        recipeReward: recipeReward(asked, (file) => path.relative(out, file)),
        minReward: options.minReward,
        heldOut: { validation: options.validation, test: options.test },
        force: options.force,
        signal: interruption(),
      });
      if (options.json) printJson(report);
      else describe(report, options.minReward);
    });
}

type Asked = string | readonly Readonly<Record<string, string>>[] | undefined;

/** For the recipe in the new folder: files as seen from there. JSON is YAML too. */
function recipeReward(asked: Asked, seen: (file: string) => string): string | undefined {
  if (typeof asked !== 'string') return asked === undefined ? undefined : JSON.stringify(asked);
  return /^\.|[/\\]/.test(asked) ? seen(asked) : asked;
}

function describe(report: ImportReport, least: number): void {
  const { out, calls, conversations, judged, good, tasks, demonstrations, others, unjudgeable } = report;
  print(`${conversations} conversations out of ${calls} calls; ${good} went well (at least ${least})`);
  if (judged === 0) tell('nothing says how they went: all count as having gone well; --reward or --judge would choose');
  if (others > 0) tell(`${others} records hold no call of a model and were left out`);
  for (const why of unjudgeable.slice(0, 3)) tell(`not judged, and left out: ${why}`);
  print(
    `${tasks.train} tasks to train on, ${tasks.validation} for validation, ${tasks.test} held out; ${demonstrations} demonstrations`,
  );
  for (const file of report.files) print(`wrote ${out}/${file}`);
  print(
    `next: cd ${out} && agoge eval ./env.ts --split test --policy expert --policy base, then agoge sft sft.yaml, agoge train train.yaml`,
  );
}

/** `agoge data inspect` and `agoge data validate`: what is in files, and whether it holds. */
import type { Command } from '@commander-js/extra-typings';
import { collect, generatedHelp } from '../../options/settings.ts';
import { oneOf, whole } from '../../options/values.ts';
import { print, printJson } from '../../terminal/print.ts';
import { interruption } from '../../terminal/signals.ts';
import { environments, tokenCounter } from './open.ts';
import { bigints, describeInspection, describeValidation, Progress } from './print.ts';

export function registerInspect(data: Command): void {
  data
    .command('inspect')
    .description('what is in files: format, counts, roles, lengths, categories, three rows, problems')
    .argument('<paths...>', 'files or folders')
    .option('--policy <name>', 'count lengths in tokens of this policy (base, run:…, hf:…)')
    .option('--samples <rows>', 'how many rows to show', whole(0), 3)
    .option('--json', 'report as JSON')
    .addHelpText('after', '\nExample:\n  agoge data inspect AgentTraj-L/textcraft_train.json --policy base\n')
    .action(async (paths, options) => {
      const [{ dataFiles }, { inspectFile }, { formatNamed }] = await Promise.all([
        import('../../../data/read.ts'),
        import('../../../data/inspect.ts'),
        import('../../../data/formats/formats.ts'),
      ]);
      await using counter = await tokenCounter(options.policy);
      const category = (await environments({ set: [] })).categories();
      const signal = interruption();
      for (const file of await dataFiles(paths)) {
        const progress = Progress.start(options.json === true);
        const found = await inspectFile(file, {
          count: counter.count,
          category: await category(file),
          samples: options.samples,
          onShare: (share) => progress.update(share, file),
          signal,
        }).finally(() => progress.stop());
        const title = found.format === undefined ? 'no rows' : formatNamed(found.format).title;
        if (options.json) printJson(found, bigints);
        else print(describeInspection(found, title));
      }
    });
}

export function registerValidate(data: Command): void {
  data
    .command('validate')
    .description('check every row: is it readable, does its task exist, does it replay with the recorded answers and reward')
    .argument('<paths...>', 'files or folders')
    .option(
      '--set <env.key=value>',
      'a setting of an environment, such as webshop.products=products_1k.json (repeatable)',
      collect,
      [],
    )
    .option('--generated', generatedHelp)
    .option(
      '--env <environment>',
      'an environment of your own that rows come from: ./my-env.ts or a package (repeatable)',
      collect,
      [],
    )
    .option(
      '--reader <name>',
      'how replies are read: auto (as they replay), 2024, 2025, adapt (first command), adapt-last (last line), direct, anywhere, interaction, first-action',
      oneOf('auto', '2024', '2025', 'adapt', 'adapt-last', 'direct', 'anywhere', 'interaction', 'first-action'),
      'auto',
    )
    .option('--fix <folder>', 'write good rows (wrong labels put right) and bad rows into this folder')
    .option('--show <rows>', 'how many bad rows to print', whole(0), 20)
    .option('--force', 'replace outputs that exist')
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  agoge data validate AgentTraj-L/textcraft_train.json\n  agoge data validate sampled.jsonl --fix checked\n',
    )
    .action(async (paths, options) => {
      const [{ dataFiles }, { validateFile }, path] = await Promise.all([
        import('../../../data/read.ts'),
        import('../../../data/validate.ts'),
        import('node:path'),
      ]);
      const { load } = await environments(options, options.env);
      const signal = interruption();
      let problems = 0;
      for (const file of await dataFiles(paths)) {
        const progress = Progress.start(options.json === true);
        const name = path.basename(file);
        const report = await validateFile(file, {
          load,
          reader: options.reader,
          ...(options.fix === undefined
            ? {}
            : {
                fix: {
                  good: path.join(options.fix, name),
                  bad: path.join(options.fix, `${name}.bad.jsonl`),
                  force: options.force,
                },
              }),
          onShare: (share) => progress.update(share, file),
          signal,
        }).finally(() => progress.stop());
        problems += report.problems.length;
        if (options.json) printJson(report);
        else print(describeValidation(report, options.show));
      }
      if (problems > 0 && options.fix === undefined) process.exitCode = 1;
    });
}

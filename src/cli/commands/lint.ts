/** `agoge lint`: is this an environment? Checks the laws and prints each with what it was checked on. */
import type { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../core/error.ts';
import { interruption } from '../terminal/signals.ts';
import { whole } from '../options/values.ts';
import { collect, settingsByEnvironment } from '../options/settings.ts';
import { print, printJson } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .argument('<environment>', 'a name (textcraft), or a file that exports an environment (./my-env.ts)')
    .option('--cases <number>', 'generated cases per law', whole(1, 1_000_000), 60)
    .option('--tasks <number>', 'tasks per split that the expert must solve', whole(1, 1_000_000), 1000)
    .option(
      '--steps <number>',
      'steps of the memory law; default: 100000, fewer where they take over 30 s',
      whole(100, 100_000_000),
    )
    .option('--answer-within <seconds>', 'longest wait for one answer', whole(1, 100_000), 60)
    .option('--seed <number>', 'another seed gives other cases', whole(0, Number.MAX_SAFE_INTEGER), 1)
    .option('--set <env.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .option('--json', 'print one JSON line per law')
    .addHelpText('after', '\nExamples:\n  agoge lint textcraft\n  agoge lint ./my-env.ts --cases 500\n')
    .action(async (spec, options) => {
      const signal = interruption();
      const [{ checkLaws, explain }, { openEnvironment, parseEnvironmentSpec }] = await Promise.all([
        import('../../lint/laws.ts'),
        import('../../gym/client/connect.ts'),
        import('../../envs/builtin.ts'),
      ]);
      const { name } = parseEnvironmentSpec(spec);
      const environment = await openEnvironment(spec, settingsByEnvironment(options.set, [name]).get(name), { signal });
      const { cases, seed, tasks: expertTasks, steps } = options;
      const thorough = { cases, seed, expertTasks, answerWithin: options.answerWithin * 1000, signal };
      // Steps that are asked for are played, however long they take.
      const asked = steps === undefined ? {} : { memorySteps: steps, memoryWithin: Infinity };
      const broken: string[] = [];
      for await (const report of checkLaws(environment, { ...thorough, ...asked })) {
        if (report.violation) broken.push(report.law);
        if (options.json) {
          printJson(report);
          continue;
        }
        const mark = report.violation ? 'BROKEN' : 'kept  ';
        const seconds = (report.milliseconds / 1000).toFixed(1);
        print(`${mark}  ${report.law.padEnd(13)} ${report.says} (${report.checked}, ${seconds} s)`);
        if (report.violation) print(`        ${explain(report.violation)}`);
      }
      await environment.close?.();
      if (broken.length > 0) {
        throw new AgogeError(
          'ENV_LAW_BROKEN',
          `${environment.name} breaks ${broken.join(', ')}: the counter-examples above show how`,
        );
      }
    });
}

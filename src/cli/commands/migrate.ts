/** `agoge migrate`: recipes and run folders of an earlier version, in today's words. */
import type { Command } from '@commander-js/extra-typings';
import type { Migrated } from '../../train/migrate.ts';
import { print, printJson } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .argument('<paths...>', 'recipes, and folders of runs')
    .option('--keep', 'write into recipes what defaults were before, where they have changed; runs keep them in any case')
    .option('--dry-run', 'say what would change and write nothing')
    .option('--json', 'print changes and new texts as JSON')
    .addHelpText(
      'after',
      `
What changed is said; the file of before stays beside the new one as <name>.before.yaml. Comments stay.

Examples:
  agoge migrate mine.yaml --dry-run
  agoge migrate mine.yaml --keep
  agoge migrate outputs/textcraft-grpo
`,
    )
    .action(async (paths, { keep = false, dryRun = false, json = false }) => {
      const { migrate } = await import('../../train/migrate.ts');
      const done: Migrated[] = [];
      for (const path of paths) {
        const migrated = await migrate(path, { write: !dryRun, keepDefaults: keep });
        done.push(migrated);
        if (!json) for (const line of await inWords(migrated, dryRun)) print(line);
      }
      if (json) printJson(done);
    });
}

async function inWords({ path, changes, text, wrote, before, resume }: Migrated, dryRun: boolean): Promise<string[]> {
  const { changeInWords } = await import('../../config/recipe/upgrade.ts');
  const edited = changes.some(({ edits }) => edits.length > 0);
  const verdict =
    changes.length === 0 ? 'nothing to change' : edited ? 'what changed' : 'is taken as it is, and means something else';
  const lines = [`${path}: ${verdict}`, ...changes.map((change) => `  ${changeInWords(change)}`)];
  if (edited && text === undefined) lines.push('  this is a program: change it by hand');
  else if (!dryRun && edited) lines.push(`  wrote ${wrote.join(', ')}; what was there before: ${before ?? ''}`);
  if (resume !== undefined) {
    const from = resume.step === undefined ? 'it begins again, since nothing was saved' : `it goes on after step ${resume.step}`;
    lines.push(`  ${from}: agoge ${resume.command} --resume ${path}`);
  }
  return lines;
}

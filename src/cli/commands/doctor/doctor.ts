/** `agoge doctor`: what works on this machine, and what to do about the rest. Fails only where Agoge itself would. */
import type { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../../core/error.ts';
import { print, printJson } from '../../terminal/print.ts';

export function register(program: Command): void {
  program
    .command('doctor')
    .description('say what works on this machine, and what to do about the rest')
    .option('--model <policy>', 'also say how much memory this model needs to be sampled and trained: base, run:…, hf:…, gguf:…')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExamples:\n  agoge doctor\n  agoge doctor --model gguf:SmolLM2-135M-Instruct.Q4_1.gguf\n')
    .action(async (options) => {
      const { examine } = await import('./examine.ts');
      const findings = [...(await examine())];
      if (options.model !== undefined) {
        const { examineModel } = await import('./examine-model.ts');
        findings.push(...(await examineModel(options.model)));
      }
      if (options.json) printJson(findings, undefined, 2);
      else {
        const mark = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' };
        for (const { level, what, found, remedy } of findings) {
          print(`${mark[level]}  ${what.padEnd(16)} ${found}`);
          if (remedy !== undefined) print(`${' '.repeat(26)}→ ${remedy}`);
        }
      }
      const problems = findings.filter(({ level }) => level === 'problem');
      if (problems.length > 0) {
        throw new AgogeError(
          'CLI_DOCTOR',
          `${problems.map(({ what }) => what).join(', ')} will not work here: do what the arrows say`,
        );
      }
    });
}

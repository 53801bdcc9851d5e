/** `agoge gpu`: which card is here and what it lacks; and the libraries that the engine needs on one, fetched into a folder of their own. */
import type { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../core/error.ts';
import { interruption } from '../terminal/signals.ts';
import { print, printJson, tell } from '../terminal/print.ts';
import { printFindings } from './doctor/print-findings.ts';

export function register(gpu: Command): void {
  gpu.addHelpText('after', '\nExamples:\n  agoge gpu status\n  agoge gpu install\n');
  gpu
    .command('status')
    .description('which card, driver and library are here, and the one command that mends what is missing')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExample:\n  agoge gpu status --json\n')
    .action(async (options) => {
      const { examineCard } = await import('./doctor/examine-card.ts');
      const findings = examineCard(true);
      if (options.json) printJson(findings, undefined, 2);
      else printFindings(findings);
      const problems = findings.filter(({ level }) => level === 'problem');
      if (problems.length > 0)
        throw new AgogeError('CLI_DOCTOR', 'engine.device: cuda will not work here: do what the arrows say');
    });
  gpu
    .command('install')
    .description(
      'fetch ONNX Runtime for cards, and those CUDA libraries that are not here, with your own pip; nothing is written elsewhere',
    )
    .option('--from <path>', 'a folder of wheels, or one wheel, instead of pip')
    .option('--json', 'print what was installed as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge gpu install                      about 1.5 GB; CUDA's own libraries only where no Python environment has them
  agoge gpu install --from wheels/       on a machine without a network
`,
    )
    .action(async (options) => {
      const { installGpu } = await import('../../engine/embedded/runtime/cuda/install.ts');
      const installed = await installGpu({ from: options.from, say: tell, signal: interruption() });
      const { version, cuda, library } = installed;
      if (options.json) printJson(installed);
      else print(`ONNX Runtime ${version} for CUDA ${cuda}: ${library}\nuse it with engine: { device: cuda }, or --device cuda`);
    });
  for (const command of gpu.commands) command.exitOverride();
}

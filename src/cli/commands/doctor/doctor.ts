/** `agoge doctor`: what works on this machine, and what to do about the rest. Fails only where Agoge itself would. */
import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../../core/error.ts';
import { deviceHelp, deviceName } from '../../options/device.ts';
import { printJson } from '../../terminal/print.ts';
import { printFindings } from './print-findings.ts';

export function register(program: Command): void {
  program
    .command('doctor')
    .description('say what works on this machine, and what to do about the rest')
    .option(
      '--model <policy>',
      'also say how much memory this model needs to be sampled and trained: base, run:…, hf:…, gguf:…, or a shape without files: shape:llama-8b',
    )
    .option('--device <name>', `${deviceHelp}; with --model: what of it fits on the card`, deviceName)
    .option('--card-memory <gib>', 'count for a card with so many GiB free instead of the one that is here', gibibytes)
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  agoge doctor\n  agoge doctor --model gguf:SmolLM2-135M-Instruct.Q4_1.gguf\n  agoge doctor --model shape:llama-8b --device cuda --card-memory 80\n',
    )
    .action(async (options) => {
      const { examine } = await import('./examine.ts');
      const { examineCard } = await import('./examine-card.ts');
      const onCard = options.device === 'cuda' || options.cardMemory !== undefined;
      const findings = [...(await examine()), ...examineCard(options.device === 'cuda' && options.cardMemory === undefined)];
      if (options.model !== undefined) {
        const { examineModel } = await import('./examine-model.ts');
        findings.push(...(await examineModel(options.model, onCard ? { free: options.cardMemory } : undefined)));
      }
      if (options.json) printJson(findings, undefined, 2);
      else printFindings(findings);
      const problems = findings.filter(({ level }) => level === 'problem');
      if (problems.length > 0) {
        throw new AgogeError(
          'CLI_DOCTOR',
          `${problems.map(({ what }) => what).join(', ')} will not work here: do what the arrows say`,
        );
      }
    });
}

function gibibytes(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('give a number of GiB, such as 80');
  return value * 2 ** 30;
}

/**
 * `agoge doctor`: what works on this machine, and what to do about the rest; fails only where Agoge itself would. `agoge doctor <env>`: can a
 * policy learn this environment.
 */
import { type Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../../core/error.ts';
import { deviceHelp, deviceName, gibibytes } from '../../options/device.ts';
import { collect, settingsByEnvironment } from '../../options/settings.ts';
import { real, whole } from '../../options/values.ts';
import { printJson, tell } from '../../terminal/print.ts';
import { answering, interruption } from '../../terminal/signals.ts';
import type { ExamineOptions } from './examine-environment.ts';
import { printFindings } from './print-findings.ts';

export function register(command: Command): void {
  command
    .argument('[env]', 'an environment: a name, a file of your own (./env.ts), a server (textcraft@http://…)')
    .option(
      '--policy <name>',
      'with an environment: who should learn it: base, reader, run:…, hf:…, gguf:…; openai:NAME@URL is played and scored; default: whom its recipe starts from',
    )
    .option('--split <name>', 'with an environment: whose tasks; default: train')
    .option('--format <name>', 'with an environment: how replies are written; default: as the policy was taught, else direct')
    .option('--max-turns <n>', 'with an environment: replies of an episode', whole(1))
    .option('--minutes <n>', 'with an environment: how long the check-up takes, about', real(0.005, 60), 1)
    .option('--level <share>', 'with an environment: the success that counts as learned', real(0.01, 1), 0.5)
    .option(
      '--horizon <minutes>',
      'with an environment: also the success expected after so many minutes of imitation',
      real(0.01),
    )
    .option('--threads <n>', 'with an environment: of the engine; default: all cores', whole(1))
    .option('--set <env.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .option(
      '--model <policy>',
      'also say how much memory this model needs to be sampled and trained: base, run:…, hf:…, gguf:…, or a shape without files: shape:llama-8b',
    )
    .option('--device <name>', `${deviceHelp}; with --model: what of it fits on the card`, deviceName)
    .option('--card-memory <gib>', 'count for a card with so many GiB free instead of the one that is here', gibibytes)
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  agoge doctor\n  agoge doctor ./env.ts                       can the policy that its sft.yaml starts from learn it, in how many minutes?\n  agoge doctor textcraft --policy reader\n  agoge doctor --model gguf:SmolLM2-135M-Instruct.Q4_1.gguf\n  agoge doctor --model shape:llama-8b --device cuda --card-memory 80\n',
    )
    .action(async (env, options, itself) => {
      refuseOthers(env !== undefined, (name) => itself.getOptionValueSource(name) === 'cli');
      if (env !== undefined) return checkEnvironment(env, options);
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

const withEnvironment = ['policy', 'split', 'format', 'maxTurns', 'minutes', 'level', 'horizon', 'threads', 'set'];
const withoutEnvironment = ['model', 'cardMemory'];

/** An option of the other question would be passed over. */
function refuseOthers(environment: boolean, given: (option: string) => boolean): void {
  const other = (environment ? withoutEnvironment : withEnvironment).find(given);
  if (other === undefined) return;
  const flag = `--${other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new AgogeError(
    'CLI_USAGE',
    environment
      ? `${flag} counts memory and goes without an environment: name who should learn it with --policy, or leave the environment out`
      : `${flag} goes with an environment: agoge doctor ENV ${flag} …`,
  );
}

interface EnvironmentOptions extends Omit<ExamineOptions, 'policy' | 'settings' | 'signal' | 'onStage'> {
  readonly policy?: string | undefined;
  readonly set: readonly string[];
  readonly json?: true | undefined;
}

async function checkEnvironment(env: string, options: EnvironmentOptions): Promise<void> {
  const [{ examineEnvironment }, { printCheckup }] = await Promise.all([
    import('./examine-environment.ts'),
    import('./print-checkup.ts'),
  ]);
  const { parseEnvironmentSpec } = await import('../../../gym/client/connect.ts');
  const { name, file } = parseEnvironmentSpec(env);
  const settings = { ...settingsByEnvironment(options.set, [name]).get(name) };
  const quiet = options.json === true;
  const onStage = (stage: string): void => {
    if (!quiet) tell(`… ${stage}`);
  };
  let { policy } = options;
  if (policy === undefined) {
    const start = await (await import('./start-policy.ts')).startPolicyOf(file ?? name);
    onStage(`the policy is ${start.policy}, ${start.because}; --policy names another`);
    ({ policy } = start);
  }
  const found = await answering(examineEnvironment(env, { ...options, policy, settings, signal: interruption(), onStage }));
  if (quiet) printJson(found, undefined, 2);
  else printCheckup(found);
}

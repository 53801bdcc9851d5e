/** `agoge doctor <env>`: opens the environment and the policy, and asks whether the one learns the other. */
import { AgogeError } from '../../../core/error.ts';
import type { Settings } from '../../../envs/settings.ts';
import { parsePolicy } from '../../../policy/spec.ts';
import type { Checkup } from '../../../train/checkup/checkup.ts';

export interface ExamineOptions {
  readonly policy: string;
  readonly split?: string | undefined;
  readonly format?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly minutes: number;
  readonly level: number;
  readonly horizon?: number | undefined;
  readonly threads?: number | undefined;
  readonly device?: string | undefined;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly onStage: (stage: string) => void;
}

export async function examineEnvironment(name: string, options: ExamineOptions): Promise<Checkup> {
  const [{ Environments }, { openPolicy }, { agentRecordOf, pinnedPolicy }, { checkup }] = await Promise.all([
    import('../../../agent/environments.ts'),
    import('../../../agent/open-policy.ts'),
    import('../../../agent/policy-files.ts'),
    import('../../../train/checkup/checkup.ts'),
  ]);
  const { signal, settings, minutes, onStage } = options;
  const { kind } = parsePolicy(options.policy);
  const learns = ['base', 'reader', 'run', 'hf', 'gguf'].includes(kind);
  if (!learns && kind !== 'openai')
    throw new AgogeError(
      'CLI_USAGE',
      `${options.policy} does not learn: name a policy with weights, such as base, reader, run:… or gguf:…`,
    );
  const policy = await pinnedPolicy(options.policy);
  await using environments = new Environments({ signal });
  const environment = await environments.open({ env: name, settings });
  const format = options.format ?? (await agentRecordOf(policy))?.format ?? 'direct';
  const asked = { ...options, environment, name, format, seconds: 60 * minutes, onStage };
  if (!learns) {
    await using opened = await openPolicy(policy);
    return await checkup(opened, policy, asked);
  }
  const [{ openEngine }, { engineSchema }] = await Promise.all([
    import('../../../train/run/open-parts.ts'),
    import('../../../config/recipe/shared-keys.ts'),
  ]);
  const config = engineSchema.parse({
    threads: options.threads ?? null,
    ...(options.device === undefined ? {} : { device: options.device }),
  });
  onStage('the policy is loaded');
  await using engine = await openEngine(policy, { config, seed: 1 });
  return await checkup(engine, policy, asked);
}

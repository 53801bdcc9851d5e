/**
 * How the policies of a command are asked: what the command line says, else what their checkpoints were taught, else the usual.
 * Checkpoints of different formats are not asked in one of them without being told so.
 */
import { writtenAlike } from './formats/detect.ts';
import type { Prompting } from './prompting.ts';
import { AgogeError } from '../core/error.ts';
import { parsePolicy } from '../policy/spec.ts';
import type { FormatGap } from '../run/layout.ts';

export interface PromptOptions {
  readonly format?: string | undefined;
  readonly fewShot?: true | undefined;
  readonly prompt?: string | undefined;
  readonly thinking?: boolean | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly chatTemplate?: string | undefined;
}

export interface Asked {
  readonly prompting: Prompting;
  /** What the user should know: a policy that was taught another format. */
  readonly notices: readonly string[];
  readonly gaps: readonly FormatGap[];
}

/** `usual` is the format of policies that were taught none; without it, react for endpoints and direct for the others. */
export async function promptingFor(policies: readonly string[], options: PromptOptions, usual?: string): Promise<Asked> {
  const [{ agentRecordOf }, { openPrompting }] = await Promise.all([import('./policy-files.ts'), import('./prompting.ts')]);
  const kinds = policies.map((policy) => parsePolicy(policy).kind);
  refuseForEndpoints(policies, options);
  const records = await Promise.all(policies.map(async (policy) => ({ policy, record: await agentRecordOf(policy) })));
  const taught = records.flatMap(({ policy, record }) => (record ? [{ policy, record }] : []));
  const formats = [...new Set(taught.map(({ record }) => record.format))];
  if (options.format === undefined && formats.length > 1) {
    const each = taught.map(({ policy, record }) => `${policy}: ${record.format}`).join(', ');
    throw new AgogeError(
      'CLI_USAGE_FORMAT',
      `the policies were taught different formats (${each}): name one with --format, or evaluate them apart and compare`,
    );
  }
  const untaught = usual ?? (kinds.every((kind) => kind === 'openai') ? 'react' : 'direct');
  const format = options.format ?? formats[0] ?? untaught;
  const gaps = taught
    .filter(({ record }) => !writtenAlike(record.format, format))
    .map(({ policy, record }) => ({ asked: format, found: record.format, where: policy }));
  const notices = gaps.map(({ found, where }) => `${where} was taught the format ${found} and is asked in ${format}`);
  // Where all checkpoints were taught alike, their own prompt is theirs to be asked with.
  const [first] = taught;
  const same = first && taught.every(({ record }) => JSON.stringify(record) === JSON.stringify(first.record));
  const own = same === true && first.record.format === format ? first.record : undefined;
  const prompting = await openPrompting({
    format,
    few_shot: options.fewShot ?? own?.few_shot ?? null,
    prompt: options.prompt ?? null,
    ...(options.prompt === undefined && own?.prompt ? { prompt_text: own.prompt } : {}),
    thinking: options.thinking ?? own?.thinking ?? null,
    stop: options.stop !== undefined && options.stop.length > 0 ? options.stop : own?.stop,
    chat_template: options.chatTemplate ?? null,
  });
  return { prompting, notices, gaps };
}

/** An endpoint renders its own template: what cannot reach it is refused, not ignored. */
function refuseForEndpoints(policies: readonly string[], { chatTemplate, thinking }: PromptOptions): void {
  for (const policy of policies) {
    const spec = parsePolicy(policy);
    if (spec.kind !== 'openai') continue;
    if (chatTemplate !== undefined) {
      throw new AgogeError(
        'CLI_USAGE_TEMPLATE',
        `${policy} renders its own chat template: leave --chat-template out, or set it where the endpoint is served`,
      );
    }
    if (thinking !== undefined && spec.baseUrl.includes('api.openai.com')) {
      throw new AgogeError(
        'CLI_USAGE_THINKING',
        `${policy} takes no chat_template_kwargs: leave --thinking out; a vLLM, SGLang or Agoge endpoint takes it`,
      );
    }
  }
}

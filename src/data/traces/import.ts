/**
 * Logs of a product become an environment: conversations are put together from single calls, judged, and those that went well become tasks
 * (some held out) and demonstrations. The folder has what `agoge eval`, `agoge sft` and `agoge train` take.
 */
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { noTruth } from '../../rewards/reward.ts';
import type { OpenReward } from '../../rewards/open.ts';
import { defineEnvironment } from '../../envs/define.ts';
import type { TraceTask } from '../../gym/agents/trace-task.ts';
import { jsonValues } from '../json-stream.ts';
import { Output, refuseExisting } from '../output.ts';
import { formatNamed } from '../formats/formats.ts';
import { RowWriter } from '../write.ts';
import { aiSdkCall } from './ai-sdk-span.ts';
import { Conversations } from './conversations.ts';
import { traceFiles } from './files.ts';
import { genAiCall } from './gen-ai-span.ts';
import { fieldsOf, type LoggedCall } from './logged-call.ts';
import { openAiCall } from './openai-log.ts';
import { spansOf } from './spans.ts';
import { demonstrationOf, traceTask, trajectoryOf, type HeldOut } from './trace-tasks.ts';

export interface ImportOptions {
  /** Name of the environment. */
  readonly name: string;
  /** Folder that is made. */
  readonly out: string;
  /** Judges the conversations; without it, what the log says of them. */
  readonly reward?: OpenReward | undefined;
  /** How the recipe names the reward; undefined: what the environment pays. */
  readonly recipeReward?: string | undefined;
  /** A conversation that earned at least this went well. */
  readonly minReward: number;
  readonly heldOut: HeldOut;
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ImportReport {
  readonly out: string;
  readonly files: readonly string[];
  /** Records that hold no call of a model. */
  readonly others: number;
  readonly calls: number;
  readonly conversations: number;
  /** Where nothing said how they went, all of them count as having gone well. */
  readonly judged: number;
  readonly unjudgeable: readonly string[];
  readonly good: number;
  readonly tasks: Readonly<Record<TraceTask['split'], number>>;
  readonly demonstrations: number;
}

interface Judged {
  readonly call: LoggedCall;
  readonly task: TraceTask;
}

export async function importTraces(paths: readonly string[], options: ImportOptions): Promise<ImportReport> {
  await refuseExisting(options.out, options);
  const { conversations, calls, others } = await readCalls(paths, options.signal);
  const found = conversations.flatMap((call): Judged[] => {
    const task = traceTask(call, options.heldOut);
    return task ? [{ call, task }] : [];
  });
  if (found.length === 0)
    throw new AgogeError(
      'DATA_EMPTY',
      `${paths.join(', ')} holds no conversation of a model (of ${calls + others} records ${others} are something else): ` +
        'give chat completions as { request, response }, or spans with messages in their attributes',
    );
  const { judged, failed } = await judge(found, options);
  const known = judged.filter(({ task }) => task.reward !== undefined);
  const good = judged.filter(({ task: { reward } }) => reward === undefined || reward >= options.minReward);
  const unique = [...new Map(good.map((one) => [one.task.id, one])).values()];
  if (unique.length === 0)
    throw new AgogeError(
      'DATA_EMPTY',
      `of ${judged.length} conversations none earned ${options.minReward}: lower --min-reward, or judge them by another --reward`,
    );
  const trained = unique.filter(({ task }) => task.split === 'train');
  await writeTasks(join(options.out, 'tasks.jsonl'), unique, options);
  await writeDemonstrations(join(options.out, 'demonstrations.jsonl'), trained, options);
  for (const [name, text] of Object.entries(traceFiles(options.name, options.recipeReward)))
    await writeText(join(options.out, name), text, options);
  const count = (split: TraceTask['split']): number => unique.filter(({ task }) => task.split === split).length;
  return {
    out: options.out,
    files: ['tasks.jsonl', 'demonstrations.jsonl', ...Object.keys(traceFiles(options.name, options.recipeReward))],
    others,
    calls,
    conversations: found.length,
    judged: known.length,
    unjudgeable: failed,
    good: good.length,
    tasks: { train: count('train'), validation: count('validation'), test: count('test') },
    demonstrations: trained.length,
  };
}

async function readCalls(paths: readonly string[], signal: AbortSignal | undefined) {
  const conversations = new Conversations();
  let [calls, others] = [0, 0];
  for (const path of paths) {
    for await (const batch of jsonValues(path, signal ? { signal } : {})) {
      for (const { value } of batch) {
        const found = callsOf(value);
        if (found.length === 0) others++;
        for (const call of found) {
          calls++;
          conversations.add(call);
        }
      }
    }
  }
  return { conversations: conversations.conversations(), calls, others };
}

/** Calls of one record, in their order: a chat completion, or the spans that are model calls. */
export function callsOf(value: unknown): LoggedCall[] {
  const record = fieldsOf(value);
  if (!record) return [];
  const logged = openAiCall(record);
  if (logged) return [logged];
  const spans = spansOf(record).sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  return spans.flatMap((span) => aiSdkCall(span) ?? genAiCall(span) ?? []);
}

/** Those that a reward could be had for; why it could not of the others. */
async function judge(found: readonly Judged[], { reward, name, signal }: ImportOptions) {
  if (!reward) return { judged: found, failed: [] };
  const judged: Judged[] = [];
  const failed: string[] = [];
  for (const [index, one] of found.entries()) {
    const trajectory = trajectoryOf(one.task, one.call, name, index);
    const [scored] = await reward.apply(logged(name), [trajectory], signal);
    if (!scored || scored.outcome.kind === 'failed')
      failed.push(scored?.outcome.kind === 'failed' ? scored.outcome.error.message : '');
    else judged.push({ ...one, task: { ...one.task, reward: scored.outcome.reward } });
  }
  if (judged.length === 0)
    throw new AgogeError('DATA_EMPTY', `no conversation could be judged (${failed[0] ?? ''}): correct the reward and try again`);
  return { judged, failed: [...new Set(failed)] };
}

/** Rewards ask an environment for what is right; a log knows nothing of it yet. */
function logged(name: string) {
  const environment = defineEnvironment({
    name,
    splits: { train: Infinity },
    instructions: '',
    start: () => ({ state: 0, observation: '' }),
    step: () => ({ observation: '' }),
  });
  return { ...environment, truth: () => ({ ...noTruth, dataSource: name }) };
}

async function writeTasks(path: string, found: readonly Judged[], options: ImportOptions): Promise<void> {
  await writeText(path, found.map(({ task }) => `${JSON.stringify(task)}\n`).join(''), options);
}

async function writeDemonstrations(path: string, found: readonly Judged[], options: ImportOptions): Promise<void> {
  await using writer = await RowWriter.open(path, formatNamed('chat'), options);
  for (const { task, call } of found) await writer.add(demonstrationOf(task, call));
  await writer.finish();
}

async function writeText(path: string, text: string, options: ImportOptions): Promise<void> {
  await using output = await Output.open(path, options);
  await output.write(new TextEncoder().encode(text));
  await output.finish();
}

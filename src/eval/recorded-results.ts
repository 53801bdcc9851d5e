/**
 * Result folders of others' evaluation scripts as rows of a summary: `eval_results_TS.jsonl` or `eval_TS_results.jsonl`, one episode a
 * line, with the model's name in the summary beside it. A line that cannot be read is an error with its place.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import { environmentOfPrefix } from '../envs/registry.ts';
import { mean } from '../learn/rows.ts';
import { shareInterval } from '../learn/statistics.ts';
import type { SummaryRow } from './summary.ts';

const line = z.object({
  item_id: z.string(),
  reward: z.number(),
  success: z.union([z.boolean(), z.number()]).transform(Boolean),
  num_turns: z.number().optional(),
});
type Line = z.infer<typeof line>;

/** The result files below a folder, in the order of their names. */
export async function resultFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => /^eval_(?:results_[\d_-]+|[\d_-]+_results)\.jsonl$/.test(basename(name)))
    .sort()
    .map((name) => join(folder, name));
}

/** One row for each environment of a result file. */
export async function resultRows(file: string): Promise<SummaryRow[]> {
  const lines = await readLines(file);
  const model = modelOf(file) ?? dirname(file);
  // Where the model's own name has no step, its folder may: SFT-global_step_80.
  const [checkpoint = ''] =
    /(?:global_step|step|epoch)_\d+/.exec(model) ?? /(?:global_step|step|epoch)_\d+/.exec(dirname(file)) ?? [];
  const envs = [...new Set(lines.map(envOf))];
  return envs.map((env) => {
    const own = lines.filter((one) => envOf(one) === env);
    const tasks = [...new Set(own.map(({ item_id }) => item_id))];
    const outcomes = tasks.map((id) => own.filter(({ item_id }) => item_id === id).map(({ success }) => Number(success)));
    const { low, high } = shareInterval(outcomes, Random.of(0, file, env));
    const turns = own.flatMap(({ num_turns }) => num_turns ?? []);
    return {
      env,
      split: 'recorded',
      model,
      checkpoint,
      seed: '',
      episodes: own.length,
      missing: 0,
      success: mean(outcomes.flat()),
      low,
      high,
      reward: mean(own.map(({ reward }) => reward)),
      ...(turns.length > 0 && { turns: mean(turns) }),
      panel: basename(file),
    };
  });
}

async function readLines(file: string): Promise<Line[]> {
  const found: Line[] = [];
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number++;
    if (text.trim() === '') continue;
    found.push(parsed(text, `${file}: line ${number}`));
  }
  if (found.length > 0) return found;
  throw new AgogeError('EVAL_UNREADABLE', `${file} holds no episodes: check that the evaluation was finished`);
}

function parsed(text: string, where: string): Line {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new AgogeError('EVAL_UNREADABLE', `${where} is not whole JSON: leave it out, or fetch the file again`, { cause });
  }
  const read = line.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const what = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  throw new AgogeError('EVAL_UNREADABLE', `${where} is no episode (${what}): give item_id, reward and success`);
}

function envOf({ item_id }: Line): string {
  return environmentOfPrefix(item_id.replace(/_\d+$/, ''));
}

/** What the summary beside the results says of the model; undefined where there is none. */
function modelOf(file: string): string | undefined {
  const base = file.replace(/\.jsonl$/, '');
  const beside = [
    `${base}_summary.txt`,
    base.replace(/_results$/, '_summary') + '.txt',
    base.replace('eval_results_', 'eval_summary_') + '.txt',
  ];
  const summary = beside.find((path) => path !== file && existsSync(path));
  if (summary === undefined) return undefined;
  return /^(?:Model|模型): *(\S.*)$/m.exec(readFileSync(summary, 'utf8'))?.[1]?.trim();
}

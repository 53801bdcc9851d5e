/** A WebArena task in the official JSON schema (`config_files/*.json`, `test.raw.json`), read with a check of every field that is used. */
import * as z from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { fillAddresses, type SiteAddresses } from './sites.ts';

const requiredContents = z.union([z.object({ exact_match: z.string() }), z.object({ must_include: z.array(z.string()) })]);

const htmlTarget = z.looseObject({
  url: z.string(),
  locator: z.string().default(''),
  required_contents: requiredContents,
  prep_actions: z.array(z.string()).optional(),
});

const answers = z.object({
  exact_match: z.string().optional(),
  must_include: z.array(z.string()).optional(),
  fuzzy_match: z.union([z.array(z.string()), z.literal('N/A')]).optional(),
});

/** The keys stay in the file's order, in which the evaluator goes through them; a schema would put them in its own. */
const referenceAnswers = z.record(z.string(), z.unknown()).transform((given, context): z.infer<typeof answers> => {
  const read = answers.safeParse(given);
  if (read.success) return Object.fromEntries(Object.keys(given).flatMap((key) => (key in read.data ? [[key, given[key]]] : [])));
  for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

const evaluation = z.looseObject({
  eval_types: z.array(z.enum(['string_match', 'url_match', 'program_html'])),
  reference_answers: z.union([referenceAnswers, z.array(z.string())]).nullish(),
  reference_url: z.string().nullish(),
  url_note: z.string().optional(),
  string_note: z.string().optional(),
  program_html: z.array(z.unknown()).nullish(),
});

const task = z.looseObject({
  task_id: z.number().int().nonnegative(),
  sites: z.array(z.string()),
  intent: z.string(),
  start_url: z.string(),
  storage_state: z.string().nullish(),
  require_login: z.boolean().optional(),
  geolocation: z.object({ latitude: z.number(), longitude: z.number() }).nullish(),
  intent_template: z.string().optional(),
  intent_template_id: z.number().optional(),
  eval: evaluation,
  reference_action_sequence: z
    .object({
      action_set_tag: z.enum(['id_accessibility_tree', 'playwright']),
      action_sequence: z.union([z.string(), z.array(z.string())]),
    })
    .nullish(),
});

export type HtmlTarget = z.infer<typeof htmlTarget>;
export type ReferenceAnswers = z.infer<typeof referenceAnswers>;
export type WebTask = z.infer<typeof task>;

/** Reads one task; `where` names the file for an error. */
export function readTask(json: unknown, where: string): WebTask {
  const read = task.safeParse(json);
  if (!read.success) throw badTask(where, read.error);
  return read.data;
}

/** Reads a file of one task or of a list of them, with the sites' addresses filled in. */
export function readTasks(text: string, where: string, addresses?: SiteAddresses): readonly WebTask[] {
  let json: unknown;
  try {
    json = JSON.parse(addresses ? fillAddresses(text, addresses) : text);
  } catch (cause) {
    throw new AgogeError('ENV_WEBARENA_BAD_TASK', `${where} is not JSON: give a file in the form of test.raw.json`, { cause });
  }
  const list: readonly unknown[] = Array.isArray(json) ? json : [json];
  return list.map((item, index) => readTask(item, list.length > 1 ? `${where}[${index}]` : where));
}

/** What program_html looks at. Tasks without that evaluator may carry empty targets, which are not read. */
export function htmlTargets(of: WebTask): readonly HtmlTarget[] {
  return (of.eval.program_html ?? []).map((target, index) => {
    const read = htmlTarget.safeParse(target);
    if (!read.success) throw badTask(`task ${of.task_id}, program_html[${index}]`, read.error);
    return read.data;
  });
}

/** The pages that are open when a task starts: the first is in front. */
export function startUrls(of: WebTask): readonly string[] {
  return of.start_url === '' ? [] : of.start_url.split(' |AND| ');
}

function badTask(where: string, error: z.ZodError): AgogeError {
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  const problem = `${field}: ${issue?.message ?? 'unreadable'}`;
  return new AgogeError(
    'ENV_WEBARENA_BAD_TASK',
    `${where} is not a WebArena task (${problem}): correct it after the official schema`,
  );
}

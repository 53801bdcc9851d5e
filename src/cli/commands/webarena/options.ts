/** Options of `agoge webarena run`: the original's, with dashes for its underscores; its own spelling is accepted as well. */
import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { ACTION_SETS } from '../../../envs/webarena/actions/action.ts';

/** Nothing is no number: coercion alone would make it 0. */
const given = z.string().regex(/\S/, 'it is empty');
const count = (least: number) => given.pipe(z.coerce.number<string>().int().min(least));
const amount = (least: number, most: number) => given.pipe(z.coerce.number<string>().min(least).max(most));

/** Flag, what it takes, what it does, how it is read. A flag that takes nothing is true or absent. */
const table = {
  'agent-type': [
    '<type>',
    'prompt, or teacher_forcing (a task’s reference actions, or the expert of the shipped sites)',
    z.enum(['prompt', 'teacher_forcing']).default('prompt'),
  ],
  policy: [
    '<policy>',
    'who is asked: openai:<model>[@<base URL>], hf:…, run:… (default: by --provider and --model)',
    z.string().optional(),
  ],
  provider: [
    '<name>',
    'openai, or huggingface (a local model, or a text-generation server at --model-endpoint)',
    z.enum(['openai', 'huggingface'], 'the providers are openai and huggingface').default('openai'),
  ],
  model: [
    '<name>',
    'model of the provider; with huggingface a folder or a name on the hub',
    z.string().default('gpt-3.5-turbo-0613'),
  ],
  'model-endpoint': [
    '<url>',
    'address that has the model: …/v1 of an OpenAI-compatible server, or a text-generation server',
    z.string().default(''),
  ],
  mode: ['<mode>', 'chat or completion', z.enum(['chat', 'completion']).default('chat')],
  'instruction-path': ['<file>', 'prompt file, in the raw form (.py) or as JSON', z.string().optional()],
  temperature: ['<number>', 'of sampling', amount(0, 2).prefault('1')],
  'top-p': ['<number>', 'of sampling', amount(0, 1).prefault('0.9')],
  'max-tokens': ['<number>', 'longest reply', count(1).prefault('384')],
  'stop-token': ['<text>', 'text that ends a reply', z.string().optional()],
  'max-retry': ['<number>', 'replies asked for while none holds an action', count(1).prefault('1')],
  'max-obs-length': ['<tokens>', 'cut pages to so many tokens of the model (0: never)', count(0).prefault('1920')],
  tokenizer: [
    '<folder>',
    'folder or hub name of the tokenizer that pages are counted with (default: the model’s own)',
    z.string().optional(),
  ],
  'context-length': ['<tokens>', 'accepted; the model’s own context is what counts', count(0).prefault('0')],
  'max-steps': ['<number>', 'actions per task', count(1).prefault('30')],
  'parsing-failure-th': ['<number>', 'replies without an action in a row that end a task', count(1).prefault('3')],
  'repeating-action-failure-th': ['<number>', 'equal actions that end a task', count(1).prefault('3')],
  'test-start-idx': ['<number>', 'first task', count(0).prefault('0')],
  'test-end-idx': ['<number>', 'task after the last', count(0).prefault('1000')],
  'result-dir': ['<folder>', 'where results go (default: outputs/webarena_<time>)', z.string().optional()],
  'action-set-tag': [
    '<tag>',
    'id_accessibility_tree, or playwright (elements by Playwright’s locators, in a browser)',
    z.enum(ACTION_SETS).default('id_accessibility_tree'),
  ],
  'observation-type': [
    '<type>',
    'accessibility_tree, html, image (text as well, with pictures), plain (default on the shipped sites)',
    z.enum(['accessibility_tree', 'html', 'image', 'plain']).optional(),
  ],
  'current-viewport-only': ['', 'show what is in the window (this is the default; see --whole-page)', z.boolean().optional()],
  'whole-page': ['', 'show all of a page', z.boolean().default(false)],
  'viewport-width': ['<pixels>', 'of the window', count(100).prefault('1280')],
  'viewport-height': ['<pixels>', 'of the window', count(100).prefault('720')],
  'sleep-after-execution': [
    '<seconds>',
    'wait so long after each action (default: until the page is quiet)',
    amount(0, 600).optional(),
  ],
  'save-trace-enabled': ['', 'keep Playwright’s traces', z.boolean().default(false)],
  'render-screenshot': ['', 'put pictures into the pages of trajectories', z.boolean().default(false)],
  render: ['', 'accepted; browsers run without a window', z.boolean().optional()],
  'slow-mo': ['<milliseconds>', 'accepted; see --sleep-after-execution', count(0).prefault('0')],
  parallel: ['<number>', 'tasks at once', count(1).prefault('1')],
  seed: ['<number>', 'of sampling', count(0).prefault('1')],
} as const satisfies Readonly<Record<string, readonly [string, string, z.ZodType]>>;

type Table = typeof table;
export type HarnessFlags = { readonly [K in keyof Table]: z.infer<Table[K][2]> };

/** Every option, and the original's spelling of those that have one, unseen in the help. */
export function harnessOptions(): readonly Option[] {
  return Object.entries(table).flatMap(([name, [takes, says, schema]]) => {
    const usual = schema.safeParse(undefined).data;
    const shown = usual === undefined || usual === false || usual === '' ? says : `${says} (default: ${String(usual)})`;
    const flag = takes === '' ? '' : ` ${takes}`;
    const option = new Option(`--${name}${flag}`, shown);
    return name.includes('-') ? [option, new Option(`--${name.replaceAll('-', '_')}${flag}`).hideHelp()] : [option];
  });
}

/** The values as given in either spelling; throws CLI_USAGE_OPTION with the flag that is wrong. */
export function readHarnessOptions(given: Readonly<Record<string, unknown>>): HarnessFlags {
  const entries = Object.entries(table).map(([name, [, , schema]]) => {
    const ours = given[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    const read = schema.safeParse(ours ?? given[name.replaceAll('-', '_')]);
    if (read.success) return [name, read.data] as const;
    throw new AgogeError(
      'CLI_USAGE_OPTION',
      `--${name} ${String(ours ?? given[name.replaceAll('-', '_')])} will not do (${read.error.issues[0]?.message ?? 'unreadable'}): see agoge webarena run --help`,
    );
  });
  return Object.fromEntries(entries) as HarnessFlags;
}

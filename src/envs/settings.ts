/**
 * Settings of environments as zod shapes: read once, and typed from there on. A value comes as YAML has it, or as the text of
 * `--set env.key=value`: a schema of numbers takes the text "3", one of words takes the number 2025.
 */
import * as z from 'zod';
import { AgogeError } from '../core/error.ts';
import { issueInWords } from '../core/issue-words.ts';
import { choice } from '../core/nearest.ts';

/** Settings by name. What each is for stands in its description (`.describe(…)`). */
export type SettingsShape = Readonly<Record<string, z.ZodType>>;

/** Settings as an environment gets them. */
export type SettingsOf<S extends SettingsShape> = z.output<z.ZodObject<S>>;

/** Settings as recipes and command lines give them. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** Throws ENV_UNKNOWN_SETTING and ENV_BAD_SETTING, with what a setting may be. */
export function readSettings<S extends SettingsShape>(env: string, shape: S, given: Settings): SettingsOf<S> {
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(shape, key)) continue;
    const known = Object.keys(shape);
    const remedy = known.length === 0 ? 'it has none, leave it out' : choice(key, known);
    throw new AgogeError('ENV_UNKNOWN_SETTING', `${env} has no setting "${key}": ${remedy}`);
  }
  const read = Object.entries(shape).map(([key, schema]) => [key, readSetting(env, key, schema, given[key])] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as SettingsOf<S>;
}

/** The error for a setting that cannot be what it is. */
export function badSetting(env: string, key: string, value: Settings[string] | undefined, remedy: string): AgogeError {
  const shown = value === undefined ? 'absent' : JSON.stringify(String(value));
  return new AgogeError('ENV_BAD_SETTING', `${env}.${key} is ${shown}: set it to ${remedy}`);
}

/** One of some words. */
export function oneOf<const W extends string>(words: readonly W[]): z.ZodEnum<{ [K in W]: K }> {
  return z.enum(words, { error: toBe(words.join(' or ')) });
}

/** A whole number. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): z.ZodInt {
  const error = toBe(
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`,
  );
  return z.int({ error }).min(least, { error }).max(most, { error });
}

/** Any number between two. */
export function between(least: number, most: number): z.ZodNumber {
  const error = toBe(`a number from ${least} to ${most}`);
  return z.number({ error }).min(least, { error }).max(most, { error });
}

export function flag(): z.ZodBoolean {
  return z.boolean({ error: toBe('true or false') });
}

/** Words separated by commas. */
export function words(): z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>> {
  return z.string().transform((text) => text.split(',').map((word) => word.trim()));
}

/** `3`, or a range such as `1-3`; of whole numbers unless `parts` are asked for. */
export function range(
  least: number,
  most: number,
  { parts = false } = {},
): z.ZodPipe<z.ZodString, z.ZodTransform<readonly [number, number], string>> {
  const form = parts ? /^(\d*\.?\d+)(?:-(\d*\.?\d+))?$/ : /^(\d+)(?:-(\d+))?$/;
  return z.string().transform((text, context) => {
    const [, first, last] = form.exec(text.trim()) ?? [];
    const [low, high] = [Number(first), Number(last ?? first)];
    const fits = low >= least && high >= low && high <= most;
    if (!fits) context.addIssue({ code: 'custom', message: toBe(`a number or a range within ${least}-${most}`) });
    return [low, high] as const;
  });
}

const toBe = (what: string): string => `set it to ${what}`;

function readSetting(env: string, key: string, schema: z.ZodType, value: Settings[string] | undefined): unknown {
  const forms = [value, ...(value === undefined ? [] : otherForms(value))];
  const tries = forms.map((form) => schema.safeParse(form, { error: issueInWords }));
  const fitting = tries.find(({ success }) => success);
  if (fitting) return fitting.data;
  const shown = value === undefined ? 'absent' : JSON.stringify(String(value));
  throw new AgogeError(
    'ENV_BAD_SETTING',
    `${env}.${key} is ${shown}: ${remedyOf(tries.flatMap(({ error }) => error?.issues ?? []))}`,
  );
}

/** What our schemas say of themselves, else the complaint that says most: a number out of range before "give a number". */
function remedyOf(issues: readonly z.core.$ZodIssue[]): string {
  const ours = issues.find(({ message }) => message.startsWith('set it to '));
  const { code, message = 'set it to what fits' } = ours ?? issues.find((one) => one.code !== 'invalid_type') ?? issues[0] ?? {};
  // What was given, or that nothing was, has been said already. A sentence of the schema's author names no remedy.
  if (code === 'custom') return message.startsWith('set it to ') ? message : `${message}: set it to what fits`;
  return message.replace(/^(?:it is missing|"[^"]*" is not known): |, not .*$/gs, '');
}

/** The number or truth value that a text says; the text of anything else. */
function otherForms(value: Settings[string]): unknown[] {
  if (typeof value !== 'string') return [String(value)];
  if (value === 'true' || value === 'false') return [value === 'true'];
  return value.trim() === '' || Number.isNaN(Number(value)) ? [] : [Number(value)];
}

/** Zod's findings in our words: what is wanted, and what was given. For one parse (its `error`), or for all of a program (`z.config`). */
import type { z } from 'zod';
import { choice } from './nearest.ts';

/** The sentence; undefined where zod's own, or a schema's, is to stay. */
export function issueInWords(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return wanted(kindOf(issue.expected), input);
    case 'too_small':
      return beyond(issue.origin, Number(issue.minimum), issue.inclusive === true ? 'at least' : 'above', input);
    case 'too_big':
      return beyond(issue.origin, Number(issue.maximum), issue.inclusive === true ? 'at most' : 'below', input);
    case 'invalid_value': {
      const names = issue.values.map(String);
      if (typeof input === 'string' && names.length > 1) return `"${input}" is not known: ${choice(input, names)}`;
      return wanted(either(issue.values.map(shown)), input);
    }
    case 'invalid_union': {
      const forms = issue.errors.flatMap((branch) => (branch.length === 1 && branch[0] ? formOf(branch[0]) : []));
      return forms.length > 0 ? wanted(either([...new Set(forms)]), input) : undefined;
    }
    default:
      return undefined;
  }
}

/** What one form of several takes. */
function formOf(issue: z.core.$ZodIssue): string[] {
  if (issue.path.length > 0) return [];
  if (issue.code === 'invalid_type') return [kindOf(issue.expected)];
  if (issue.code === 'invalid_value') return issue.values.map(shown);
  return [];
}

function beyond(origin: string, limit: number, how: string, input: unknown): string {
  if (origin === 'array' || origin === 'string' || origin === 'set' || origin === 'map') {
    const what = origin === 'string' ? 'characters' : 'entries';
    return limit === 1 && how === 'at least' ? 'it is empty: give at least one' : `give ${how} ${limit} ${what}`;
  }
  return wanted(how === 'at least' || how === 'at most' ? `${how} ${limit}` : `a number ${how} ${limit}`, input);
}

function wanted(what: string, input: unknown): string {
  return input === undefined ? `it is missing: give ${what}` : `give ${what}, not ${shown(input)}`;
}

function either(forms: readonly string[]): string {
  const last = forms.at(-1) ?? '';
  return forms.length < 2 ? last : `${forms.slice(0, -1).join(', ')} or ${last}`;
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values ({ key: value })',
  record: 'keys with values ({ key: value })',
  null: 'null',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? expected;
}

function shown(input: unknown): string {
  if (typeof input === 'number' || typeof input === 'bigint') return String(input);
  // Functions and symbols have no JSON, which its types do not say.
  const text = (JSON.stringify(input) as string | undefined) ?? String(input);
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}

/**
 * OmegaConf's interpolation, as far as verl's files use it: ${a.b}, ${.sibling}, ${..above}, ${oc.select:path,default},
 * ${oc.env:NAME,default} (the default: what a variable says on another machine is not known here), one inside another. A text
 * with a reference that leads nowhere stays as it is.
 */
import { readValue } from './value.ts';

export type Tree = Readonly<Record<string, unknown>>;

/** References to references end here; what goes on is a circle. */
const deepest = 10;
/** References that are followed in one file; a file of a few lines can ask for far more than verl's thousand. */
const most = 10_000;
/** Texts that refer to texts many times over grow without bound. */
const longest = 2_000;

interface Walk {
  readonly root: Tree;
  followed: number;
}

export function interpolate(root: Tree): Tree {
  return walk(root, [], { root, followed: 0 }, 0) as Tree;
}

function walk(value: unknown, path: readonly string[], state: Walk, depth: number): unknown {
  if (typeof value === 'string') return resolve(value, path, state, depth);
  if (Array.isArray(value)) return value.map((item, i) => walk(item, [...path, String(i)], state, depth));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key], state, depth)]));
  }
  return value;
}

/** A text that is one reference takes the value it names; references inside a text are put into it, the innermost first. */
function resolve(text: string, path: readonly string[], state: Walk, depth: number): unknown {
  let said = text;
  while (said.includes('${')) {
    const [whole, reference] = /\$\{([^${}]+)\}/.exec(said) ?? [];
    if (whole === undefined || reference === undefined) return text;
    if (depth > deepest || said.length > longest || state.followed++ > most) return text;
    const found = lookUp(reference, path, state, depth + 1);
    if (found === undefined || (typeof found === 'string' && found.includes('${'))) return text;
    if (whole === said) return found;
    if (typeof found === 'object' && found !== null) return text;
    said = said.replace(whole, () => (typeof found === 'string' ? found : JSON.stringify(found)));
  }
  return said;
}

/** Undefined where there is nothing; null is a value. */
function lookUp(reference: string, path: readonly string[], state: Walk, depth: number): unknown {
  const [, call, target = '', fallback] = /^(oc\.select|oc\.env):([^,]+)(?:,(.*))?$/s.exec(reference) ?? [];
  if (call === 'oc.env') return fallback === undefined ? undefined : defaultOf(fallback);
  const found = valueAt((call === undefined ? reference : target).trim(), path, state, depth);
  return call === undefined ? found : (found ?? (fallback === undefined ? null : defaultOf(fallback)));
}

function defaultOf(text: string): unknown {
  try {
    return readValue(text);
  } catch {
    return undefined; // the reference stays, and whoever needs its value says so
  }
}

/** References of what is found count from where it stands. */
function valueAt(reference: string, path: readonly string[], state: Walk, depth: number): unknown {
  const dots = /^\.*/.exec(reference)?.[0].length ?? 0;
  const base = dots === 0 ? [] : path.slice(0, Math.max(0, path.length - dots));
  const keys = [...base, ...reference.slice(dots).split('.')];
  let here: unknown = state.root;
  for (const key of keys)
    here = typeof here === 'object' && here !== null && Object.hasOwn(here, key) ? (here as Tree)[key] : undefined;
  return here === undefined ? undefined : walk(here, keys, state, depth);
}

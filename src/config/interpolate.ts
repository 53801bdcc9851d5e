/** OmegaConf's interpolation, as far as the seeds use it: ${a.b}, ${.sibling}, ${oc.select:path,default}, ${oc.env:NAME,default}. */
export type Tree = Readonly<Record<string, unknown>>;

export function interpolate(root: Tree): Tree {
  return walk(root, [], root) as Tree;
}

function walk(value: unknown, path: readonly string[], root: Tree): unknown {
  if (typeof value === 'string') return resolve(value, path, root, 0);
  if (Array.isArray(value)) return value.map((item, i) => walk(item, [...path, String(i)], root));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key], root)]));
  }
  return value;
}

/** A text that is one reference takes the value it names; references inside a text are put into it. Unknown ones stay. */
function resolve(text: string, path: readonly string[], root: Tree, depth: number): unknown {
  if (depth > 10) return text;
  const whole = /^\$\{([^{}]+)\}$/.exec(text)?.[1];
  if (whole !== undefined) {
    const found = lookUp(whole, path, root);
    return typeof found === 'string' && found.includes('${') ? resolve(found, path, root, depth + 1) : (found ?? text);
  }
  return text.replace(/\$\{([^{}]+)\}/g, (all, reference: string) => {
    const found = lookUp(reference, path, root);
    const value = typeof found === 'string' ? resolve(found, path, root, depth + 1) : found;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : all;
  });
}

function lookUp(reference: string, path: readonly string[], root: Tree): unknown {
  const call = /^(oc\.select|oc\.env):([^,]+)(?:,(.*))?$/.exec(reference);
  if (call) {
    const [, name, target = '', fallback] = call;
    return (name === 'oc.env' ? undefined : at(root, target.trim().split('.'))) ?? fallback ?? null;
  }
  const dots = /^\.+/.exec(reference)?.[0].length ?? 0;
  const base = dots === 0 ? [] : path.slice(0, Math.max(0, path.length - dots));
  return at(root, [...base, ...reference.slice(dots).split('.')]);
}

function at(root: unknown, path: readonly string[]): unknown {
  let here = root;
  for (const key of path) here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[key] : undefined;
  return here;
}

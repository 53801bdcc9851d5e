/** What a run is called. An evaluation whose folder is only a hash goes by what was evaluated and when, its hash beside. */
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { asPhrase, usePhrases } from '../language.ts';
import { Breakable } from './breakable.tsx';
import { when } from './numbers.ts';

const hashed = /^eval-[0-9a-f]{6,}$/;

/** Environments and policies, the first two of each. */
export function nameOf({ id, kind, recipe, startedAt, updatedAt }: RunSummary): string {
  const folder = id.split('/').at(-1) ?? id;
  if (kind !== 'eval' || !hashed.test(folder) || recipe === '') return id;
  const parts = recipe
    .split(' · ')
    .slice(1)
    .map((part) => few(part.split(', ')));
  return [...parts, when(startedAt ?? updatedAt)].join(' · ');
}

export function RunName({ run }: { readonly run: RunSummary }) {
  const name = nameOf(run);
  return (
    <>
      <Breakable text={name} />
      {name !== run.id && <code class="muted"> {run.id}</code>}
    </>
  );
}

/** What was run: the algorithm or `evaluation`, the environments, the policies; of an evaluation the first few of each. */
export function RunTitle({ run }: { readonly run: RunSummary }) {
  const t = usePhrases();
  const parts = run.recipe.split(' · ');
  const [first = '', ...rest] = run.kind === 'eval' ? parts.map((part) => few(part.split(', '), 3)) : parts;
  const phrase = asPhrase(first);
  return <Breakable text={[phrase ? t(phrase) : first, ...rest].join(' · ')} />;
}

/** `textcraft/test, maze/test +7` */
export function few(words: readonly string[], most = 2): string {
  const rest = words.length - most;
  return `${words.slice(0, most).join(', ')}${rest > 0 ? ` +${String(rest)}` : ''}`;
}

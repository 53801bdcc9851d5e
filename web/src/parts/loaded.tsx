/** Waiting for data, failing to get it, and getting it again when it changed. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePhrases } from '../language.ts';

export type Loaded<T> = { readonly value: T } | { readonly error: string } | undefined;

/** Loads now and whenever `dependencies` change; what was shown stays until the new value is there. */
export function useLoaded<T>(load: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>();
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && setLoaded({ value }),
      (error: unknown) => current && setLoaded({ error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      current = false;
    };
  }, dependencies);
  return loaded;
}

/** A number that grows whenever the source says that the run changed; put it among the dependencies of `useLoaded`. */
export function useChanges(follow: (changed: () => void) => () => void, dependencies: readonly unknown[]): number {
  const [count, setCount] = useState(0);
  useEffect(() => follow(() => setCount((before) => before + 1)), dependencies);
  return count;
}

export function Show<T>({ of, children }: { readonly of: Loaded<T>; readonly children: (value: T) => ComponentChildren }) {
  const t = usePhrases();
  if (of === undefined)
    return (
      <p class="empty" aria-busy="true">
        {t('Loading…')}
      </p>
    );
  if ('error' in of) {
    return (
      <p class="empty" role="alert">
        {t('Something went wrong:')} {of.error}
      </p>
    );
  }
  return <>{children(of.value)}</>;
}

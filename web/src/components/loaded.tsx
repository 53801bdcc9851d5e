/** Waiting for data, failing to get it, and getting it again when it changed. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorInChinese } from '../chinese.ts';
import { asPhrase, useLanguage, usePhrases } from '../language.ts';

export type Loaded<T> = { readonly value: T } | { readonly error: string; readonly code?: string } | undefined;

/** Loads now and whenever `dependencies` change; what was shown stays until the new value is there. */
export function useLoaded<T>(load: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>();
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && setLoaded({ value }),
      (error: unknown) => current && setLoaded(problemOf(error)),
    );
    return () => {
      current = false;
    };
  }, dependencies);
  return loaded;
}

function problemOf(error: unknown): { error: string; code?: string } {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.message, ...(typeof error.cause === 'string' && { code: error.cause }) };
}

/** A number that grows whenever the source says that the run changed; put it among the dependencies of `useLoaded`. */
export function useChanges(follow: (changed: () => void) => () => void, dependencies: readonly unknown[]): number {
  const [count, setCount] = useState(0);
  useEffect(() => follow(() => setCount((before) => before + 1)), dependencies);
  return count;
}

export function Show<T>({ of, children }: { readonly of: Loaded<T>; readonly children: (value: T) => ComponentChildren }) {
  const t = usePhrases();
  const chinese = useLanguage() === 'zh';
  if (of === undefined)
    return (
      <p class="empty" aria-busy="true">
        {t('Loading…')}
      </p>
    );
  if ('error' in of) {
    const phrase = asPhrase(of.error);
    return (
      <p class="empty" role="alert">
        {of.code !== undefined && chinese ? `${errorInChinese(of.code)}：` : t('Something went wrong:')}{' '}
        {phrase ? t(phrase) : <span lang="en">{of.error}</span>}
      </p>
    );
  }
  return <>{children(of.value)}</>;
}

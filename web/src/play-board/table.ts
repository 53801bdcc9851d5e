/** What a player does at the table (act, ask the expert, watch it, save) and what came of it. */
import { useEffect, useState } from 'preact/hooks';
import type { Hint } from '../../../src/envs/hint.ts';
import { usePhrases, type Phrase } from '../language.ts';
import type { Play } from '../play.ts';
import type { Source } from '../source.ts';

/** Milliseconds between two actions of an expert that is watched. */
const pace = 900;

export interface Table {
  /** What there is to tell: a hint, a file, an error. */
  readonly said: string;
  readonly watching: boolean;
  readonly send: (action: string) => void;
  readonly hint: () => void;
  readonly expert: () => void;
  readonly watch: (on: boolean) => void;
  readonly save: () => void;
}

/** What can be done at the table, and what came of it. */
export function useTable(play: Play, source: Source): Table {
  const t = usePhrases();
  const [, redraw] = useState(0);
  const [said, setSaid] = useState('');
  const [watching, setWatching] = useState(false);
  const after = (done: Promise<string>): void => {
    done
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then(
        (text) => {
          setSaid(text);
          redraw((count) => count + 1);
        },
        () => undefined,
      );
  };
  const advised = (hint: Hint, before: string): string => ('action' in hint ? before + hint.action : t(refusals[hint.none]));
  const expert = async (): Promise<string> => {
    const hint = await play.expertStep();
    if (!('action' in hint)) setWatching(false);
    return 'action' in hint ? '' : advised(hint, '');
  };
  useEffect(() => {
    if (!watching || play.done) return undefined;
    const timer = setTimeout(() => after(expert()), play.turns.length === 0 ? 0 : pace);
    return () => clearTimeout(timer);
  });
  return {
    said,
    watching: watching && !play.done,
    send: (action) => after(play.step(action).then(() => '')),
    hint: () => after(play.hint().then((hint) => advised(hint, `${t('The expert would do')}: `))),
    expert: () => after(expert()),
    watch: setWatching,
    save: () => after((source.save?.(play.demonstration()) ?? Promise.resolve('')).then((file) => `${t('Saved as')} ${file}`)),
  };
}

const refusals: Readonly<Record<Extract<Hint, { none: string }>['none'], Phrase>> = {
  'no-expert': 'This environment has no expert.',
  'own-way': 'This expert follows its own plan only, and the play has left it: restart to watch it.',
  'gave-up': 'The expert does not know how to go on from here.',
};

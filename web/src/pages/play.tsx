/** A person plays a task in the page itself, from its start or from any turn of a recorded episode, and may keep the play. */
import { loadEnvironment } from '../../../src/envs/registry.ts';
import { formatTask, parseTask } from '../../../src/core/task.ts';
import { usePhrases } from '../language.ts';
import { Show, useLoaded } from '../components/loaded.tsx';
import { Board } from '../play-board/board.tsx';
import { Chooser } from '../play-board/chooser.tsx';
import { OwnPlay, ServedPlay } from '../play.ts';
import type { Route } from '../route.ts';
import type { Source } from '../source.ts';

/** What a visitor finds on the table. */
const firstTask = 'textcraft/test#0';

export function PlayPage({ route, source }: { readonly route: Route; readonly source: Source }) {
  const t = usePhrases();
  const asked = route.query.get('task');
  const set = route.query.get('set');
  const from = route.query.get('from');
  const opened = useLoaded(async () => {
    const task = parseTask(asked ?? firstTask);
    const actions = from === null ? [] : actionsOf(from);
    const own = (await source.worlds?.()) ?? [];
    const served = own.some(({ name }) => name === task.env);
    try {
      if (served && source.playOut) return { task, own, ...(await ServedPlay.start(source.playOut, task, actions)) };
      const world = await loadEnvironment(task.env, settingsOf(set));
      return { task, own, world, play: await OwnPlay.start(world, task, actions) };
    } catch (thrown) {
      // What a page cannot run (a database, files) the server can, in the world that it has by default.
      if (served || !source.playOut || set !== null) throw thrown;
      return { task, own, ...(await ServedPlay.start(source.playOut, task, actions)) };
    }
  }, [asked, set, from]);
  return (
    <>
      <h1>{t('Play')}</h1>
      <Show of={opened}>
        {({ task, own, world, play }) => (
          <>
            <Chooser key={world.name} environment={world} task={task} own={own} />
            <Board key={`${formatTask(task)} ${from ?? ''}`} play={play} environment={world} source={source} />
          </>
        )}
      </Show>
    </>
  );
}

function settingsOf(set: string | null): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(set ?? '{}');
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
      : {};
  } catch {
    return {};
  }
}

function actionsOf(from: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(from);
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

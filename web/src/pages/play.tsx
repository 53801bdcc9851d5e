/** A person plays a task in the page itself, from its start or from any turn of a recorded episode, and may keep the play. */
import { useEffect, useRef, useState } from 'preact/hooks';
import '../../../src/envs/builtin.ts';
import { environmentEntries, loadEnvironment } from '../../../src/envs/registry.ts';
import { formatTask, parseTask, type TaskRef } from '../../../src/core/task.ts';
import { usePhrases } from '../language.ts';
import { RewardLine, Said } from '../components/conversation.tsx';
import { Show, useLoaded } from '../components/loaded.tsx';
import { short } from '../components/numbers.ts';
import { Picture } from '../pictures/picture.tsx';
import { visible } from '../components/visible.ts';
import { OwnPlay, ServedPlay, type Play, type World } from '../play.ts';
import { go, type Route } from '../route.ts';
import type { Source } from '../source.ts';
import type { OwnWorld } from '../../../src/dashboard/model.ts';

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

interface Choice {
  readonly environment: World;
  readonly task: TaskRef;
  readonly own: readonly OwnWorld[];
}

function Chooser({ environment, task, own }: Choice) {
  const t = usePhrases();
  const [split, setSplit] = useState(task.split);
  const [index, setIndex] = useState(task.index);
  const start = (env: string, chosen: string, number: number): void =>
    go(['play'], { task: formatTask({ env, split: chosen, index: number }) });
  return (
    <form
      class="controls"
      onSubmit={(event) => {
        event.preventDefault();
        start(environment.name, split, index);
      }}
    >
      <label>
        {t('Environment')}
        <select
          value={environment.name}
          onChange={({ currentTarget: { value } }) => start(value, splitOf(own.find(({ name }) => name === value)), 0)}
        >
          {[...new Set([...own, ...environmentEntries()].map(({ name }) => name))].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('Split')}
        <select value={split} onChange={(event) => setSplit(event.currentTarget.value)}>
          {environment.splits.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        {t('Number')}
        <input
          type="number"
          min="0"
          step="1"
          value={index}
          onInput={(event) => setIndex(Math.max(0, Math.trunc(Number(event.currentTarget.value))))}
        />
      </label>
      <button class="primary" type="submit">
        {t('Start')}
      </button>
    </form>
  );
}

function Board({ play, environment, source }: { readonly play: Play; readonly environment: World; readonly source: Source }) {
  const t = usePhrases();
  const [, redraw] = useState(0);
  const [text, setText] = useState('');
  const [kept, setKept] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const turns = play.turns.length;
  const actions = [...new Set(play.actions)];
  useEffect(() => {
    if (turns > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  const send = (action: string): void => {
    play.step(action).then(
      () => {
        setText('');
        redraw((count) => count + 1);
        input.current?.focus();
      },
      (error: unknown) => setKept(error instanceof Error ? error.message : String(error)),
    );
  };
  const save = (): void => {
    source.save?.(play.demonstration()).then(
      (file) => setKept(`${t('Saved as')} ${file}`),
      (error: unknown) => setKept(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <div class="play" data-environment={environment.name}>
      <div>
        <details open={turns === 0}>
          <summary>{t('How to act')}</summary>
          <pre class="file">{visible(environment.instructions.task)}</pre>
          <ul class="plain">
            {environment.instructions.actions.map((action) => (
              <li key={action.name}>
                <code>{action.template}</code>{' '}
                {action.description !== action.template && <span class="muted">{action.description}</span>}
              </li>
            ))}
          </ul>
        </details>
        <ol class="conversation" aria-live="polite">
          <li class="turn">
            <Said what={t('Observation')} kind="observation" text={play.observation} />
          </li>
          {play.turns.map((turn, i) => (
            <li class="turn" key={i}>
              <div class="turn-number" aria-hidden="true">
                {i + 1}
              </div>
              <Said what={t('Action')} kind="action" text={turn.action} />
              <Said what={t('Observation')} kind="observation" text={turn.observation} />
              <RewardLine reward={turn.reward} breakdown={turn.breakdown} />
            </li>
          ))}
        </ol>
        {play.done ? (
          <p role="status">
            <strong>{play.success ? t('The task is solved.') : t('The episode is over.')}</strong>
          </p>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (text.trim() !== '') send(text);
            }}
          >
            <input
              ref={input}
              aria-label={t('Your action')}
              placeholder={t('Your action')}
              value={text}
              list="possible-actions"
              autocomplete="off"
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <datalist id="possible-actions">
              {actions.map((action) => (
                <option key={action} value={action} />
              ))}
            </datalist>
            <button class="primary" type="submit">
              {t('Send')}
            </button>
          </form>
        )}
        <div ref={end} />
      </div>
      <aside>
        <p>
          {t('Score')} <strong>{short(play.reward)}</strong> · {t('Turns')} {play.turns.length}
        </p>
        <Picture environment={environment.name} state={play.state} />
        {actions.length > 0 && !play.done && (
          <>
            <h2>{t('Possible actions')}</h2>
            <div class="admissible">
              {actions.slice(0, 60).map((action) => (
                <button type="button" key={action} onClick={() => send(action)}>
                  {action}
                </button>
              ))}
            </div>
          </>
        )}
        {source.save && play.turns.length > 0 && (
          <button type="button" onClick={save}>
            {t('Save as demonstration')}
          </button>
        )}
        <p role="status">{kept}</p>
      </aside>
    </div>
  );
}

/** Where a visit begins: at the test tasks, or at the first there are. */
function splitOf(own: OwnWorld | undefined): string {
  return own === undefined || own.splits.includes('test') ? 'test' : (own.splits[0] ?? 'test');
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

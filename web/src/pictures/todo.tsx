/** The to-do lists as they stand: projects with their tasks, ticked where they are done, late ones marked. */
import { visible } from '../components/visible.ts';
import { isFields, isList, ToolFrame, wordsOf, type Drawn } from './tool-frame.tsx';

export function TodoPicture({ state }: Drawn) {
  return (
    <ToolFrame
      state={state}
      draw={({ world }) => {
        if (!isFields(world) || !isList(world['projects'])) return null;
        const today = wordsOf(world['date']);
        return (
          <>
            <p class="muted">{today}</p>
            {world['projects'].filter(isFields).map(({ name, favourite, tasks }, i) => (
              <section class="card" key={i}>
                <strong>
                  {wordsOf(name)} {favourite === true && '★'}
                </strong>
                <ul class="checks">
                  {(isList(tasks) ? tasks : []).filter(isFields).map((task, j) => {
                    const due = wordsOf(task['due']);
                    const done = task['completed'] === true;
                    return (
                      <li key={j} class={done ? 'done' : due < today ? 'late' : ''}>
                        <span>
                          {done ? '☑' : '☐'} {visible(wordsOf(task['content']))}
                        </span>
                        <small>{due}</small>
                      </li>
                    );
                  })}
                </ul>
              </section>
            ))}
          </>
        );
      }}
    />
  );
}

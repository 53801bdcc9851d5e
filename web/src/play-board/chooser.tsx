/** Which task is played: environment, split and number. */
import { useState } from 'preact/hooks';
import '../../../src/envs/builtin.ts';
import { environmentEntries } from '../../../src/envs/registry.ts';
import { formatTask, type TaskRef } from '../../../src/core/task.ts';
import type { OwnWorld } from '../../../src/dashboard/play-model.ts';
import { usePhrases } from '../language.ts';
import type { World } from '../play.ts';
import { go } from '../route.ts';

interface Choice {
  readonly environment: World;
  readonly task: TaskRef;
  readonly own: readonly OwnWorld[];
}

export function Chooser({ environment, task, own }: Choice) {
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

/** Where a visit begins: at the test tasks, or at the first there are. */
function splitOf(own: OwnWorld | undefined): string {
  return own === undefined || own.splits.includes('test') ? 'test' : (own.splits[0] ?? 'test');
}

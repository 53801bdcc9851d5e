/** What the pictures of the tool environments share: the goal, what was asked last, and how it ended. */
import type { ComponentChildren } from 'preact';
import type { ToolState } from '../../../src/envs/tools/core/episode.ts';
import { isToolState } from '../../../src/envs/tools/core/draw.ts';
import { visible } from '../components/visible.ts';

type Plain = NonNullable<ToolState['found']>['result'];
export type Fields = Readonly<Record<string, Plain>>;

export interface Drawn {
  readonly state: unknown;
}

/** The state with `draw`'s picture of it; nothing where it is none of a tool environment. */
export function ToolFrame({ state, draw }: Drawn & { readonly draw: (state: ToolState) => ComponentChildren }) {
  if (!isToolState(state)) return null;
  const { goal, found, answer, solved } = state;
  return (
    <div class="picture tool">
      <p class="goal">{visible(goal)}</p>
      {found && (
        <p class="muted call">
          {visible(found.tool)} {isFields(found.input) && Object.values(found.input).map((value) => ` · ${wordsOf(value)}`)}
        </p>
      )}
      {draw(state)}
      {solved !== undefined && (
        <p class={solved ? 'good' : 'bad'}>
          {solved ? '✓' : '✗'} {answer !== undefined && answer.length < 200 && visible(answer)}
        </p>
      )}
    </div>
  );
}

/** Anything as a small table of its names and values, lists as rows: what has no better picture. */
export function Facts({ value }: { readonly value: Plain | undefined }) {
  if (value === undefined) return null;
  if (isList(value))
    return (
      <ul class="chips">
        {value.slice(0, 30).map((one, i) => (
          <li key={i}>{wordsOf(one)}</li>
        ))}
      </ul>
    );
  if (!isFields(value)) return <p class="figure">{wordsOf(value)}</p>;
  return (
    <dl class="facts">
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>{visible(name.replaceAll('_', ' '))}</dt>
          <dd>{isList(one) ? <Facts value={one} /> : wordsOf(one)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function isFields(value: Plain | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Plain | undefined): value is readonly Plain[] {
  return Array.isArray(value);
}

/** A value in one line: of a thing with a name, its name. */
export function wordsOf(value: Plain | undefined): string {
  if (value === undefined || value === null) return '–';
  if (isList(value)) return value.map(wordsOf).join(', ');
  if (!isFields(value)) return visible(String(value));
  const name = value['title'] ?? value['name'] ?? value['content'];
  const beside = value['character'] ?? value['job'];
  if (name !== undefined) return beside === undefined ? wordsOf(name) : `${wordsOf(name)} (${wordsOf(beside)})`;
  return Object.values(value).map(wordsOf).join(' · ');
}

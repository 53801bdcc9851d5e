/** A row of a data set: the question, the tools that were asked, and the answer with what it was worth. */
import type { DataState } from '../../../src/envs/data/data.ts';
import { short } from '../components/numbers.ts';
import { visible } from '../components/visible.ts';

export function AnswerPicture({ state }: { readonly state: unknown }) {
  const { question, calls = [], answer, score, solved } = state as Partial<DataState>;
  if (typeof question !== 'string') return null;
  return (
    <div class="picture tool">
      <p class="goal">{visible(question)}</p>
      {calls.length > 0 && (
        <ol class="asked">
          {calls.map(({ name, given, answer: told }, i) => (
            <li key={i}>
              <code>{visible(`${name}(${given})`)}</code> = {visible(told)}
            </li>
          ))}
        </ol>
      )}
      {answer !== undefined && <pre class="card">{visible(answer)}</pre>}
      {solved !== undefined && (
        <p class={solved ? 'good' : 'bad'}>
          {solved ? '✓' : '✗'} {short(score)}
        </p>
      )}
    </div>
  );
}

/** SearchQA's reading: the last search, the passages it found with those marked that hold the answer, and the answer that was given. */
import type { SearchQAState } from '../../../src/envs/searchqa/episode.ts';
import { visible } from '../components/visible.ts';

export function PassagesPicture({ state }: { readonly state: unknown }) {
  const { question, query, passages = [], answer, solved } = state as Partial<SearchQAState>;
  if (typeof question !== 'string') return null;
  return (
    <div class="picture passages">
      <p class="bar">
        <strong>{visible(question)}</strong>
      </p>
      {query !== undefined && <p class="field">{visible(query)}</p>}
      <ol>
        {passages.map(({ title, text, hit }, i) => (
          <li key={i} class={hit ? 'hit' : ''}>
            <strong>{visible(title)}</strong> {visible(text)}
          </li>
        ))}
      </ol>
      {answer !== undefined && (
        <p class={solved === true ? 'good' : 'bad'}>
          {visible(answer)} {solved === true ? '✓' : '✗'}
        </p>
      )}
    </div>
  );
}

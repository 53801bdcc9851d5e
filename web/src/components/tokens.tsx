/** The tokens of an episode, coloured by log-probability, by the episode's advantage, or by what the loss sees. */
import { useState } from 'preact/hooks';
import type { EpisodeView, TokenView } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { short } from './numbers.ts';
import { visible } from './visible.ts';

const colourings = ['log-probability', 'advantage', 'mask'] as const;
type Colouring = (typeof colourings)[number];

export function Tokens({ episode }: { readonly episode: EpisodeView }) {
  const t = usePhrases();
  const [by, setBy] = useState<Colouring>('log-probability');
  if (episode.tokensTaken.length === 0)
    return <p class="empty">{t('This episode has no tokens: its policy answers in text.')}</p>;
  return (
    <div class="tokens">
      <label>
        {t('Colour by')}
        <select value={by} onChange={(event) => setBy(colourings.find((one) => one === event.currentTarget.value) ?? 'mask')}>
          {colourings.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </select>
      </label>
      {episode.advantage !== undefined && (
        <span class="muted">
          {t('advantage')} {short(episode.advantage)}
        </span>
      )}
      <p class="token-text">
        {episode.tokensTaken.map((token, i) => (
          <span
            key={i}
            class={token.learned ? 'token learned' : 'token'}
            style={styleOf(token, episode.advantage, by)}
            title={titleOf(token)}
          >
            {visible(token.text)}
          </span>
        ))}
      </p>
    </div>
  );
}

/** Orange where the policy was surprised or is held back, blue where it is pushed; the text itself keeps full contrast. */
function styleOf(token: TokenView, advantage: number | undefined, by: Colouring): string {
  if (!token.learned) return '';
  if (by === 'mask') return 'background: rgb(37 99 235 / 25%)';
  const strength = by === 'advantage' ? Math.min(1, Math.abs(advantage ?? 0) / 2) : Math.min(1, -(token.logprob ?? 0) / 4);
  const colour = by === 'advantage' && (advantage ?? 0) >= 0 ? '37 99 235' : '234 88 12';
  return `background: rgb(${colour} / ${(10 + 50 * strength).toFixed(0)}%)`;
}

function titleOf(token: TokenView): string {
  return token.logprob === undefined ? '' : `log p = ${short(token.logprob)}, p = ${short(Math.exp(token.logprob))}`;
}

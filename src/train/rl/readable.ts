/**
 * Prompt and reader agree, or the run does not start: where rows ask for one format and replies are read in another, every score is 0 and
 * nothing says why. What the words do not tell, the first batch does.
 */
import type { Prompting } from '../../agent/prompting.ts';
import { AgogeError } from '../../core/error.ts';
import { refuseContradiction } from '../../data/tasks/asked-format.ts';
import type { Message } from '../../policy/conversation.ts';
import type { Renderer } from '../../policy/renderer.ts';
import type { TaskDeck } from '../tasks/deck.ts';
import { allEpisodes, type Batch } from './batch.ts';

/** Throws DATA_FORMAT for rows whose prompts ask for replies that would not be read. Words that the model's template leaves out ask for nothing. */
export function refuseUnreadablePrompts(deck: TaskDeck, prompting: Prompting, renderer: Renderer): void {
  const seen = new Set<string>();
  for (let position = 0; position < deck.size && position < looked; position++) {
    const { prompt, environment } = deck.at(position);
    if (!prompt) continue;
    const key = JSON.stringify(prompt);
    if (seen.has(key)) continue;
    seen.add(key);
    refuseContradiction(shown(prompt, renderer), prompting.formatOf({ prompt }), environment.instructions, {
      where: `the prompt of row ${position + 1} of ${deck.name}`,
      remedy: (asked) =>
        `Set agent.format=${asked} or leave it out, or set agent.prompt=null to ask in the words of ${prompting.format.name}`,
    });
  }
}

/** Rows of a deck that are looked at. */
const looked = 2000;

/** A system message that costs no tokens is not part of what the model reads (the plain template). */
function shown(prompt: readonly Message[], renderer: Renderer): readonly Message[] {
  const bare = prompt.filter(({ role }) => role !== 'system');
  const tokens = (messages: readonly Message[]): number => {
    const last = messages.at(-1);
    return renderer.open(last?.role === 'user' ? messages : [...messages, { role: 'user', text: 'x' }]).flat().length;
  };
  return bare.length < prompt.length && tokens(bare) === tokens(prompt) ? bare : prompt;
}

/** Throws TRAIN_UNREADABLE where no reply of a batch could be read, with what was asked, said and wanted side by side. */
export function refuseUnreadableBatch(batch: Batch): void {
  const episodes = allEpisodes(batch).map(({ trajectory }) => trajectory);
  const turns = episodes.flatMap(({ turns }) => turns);
  const [turn] = turns;
  if (!turn || turns.some(({ action }) => action !== null)) return;
  const told = episodes[0]?.segments.find(({ role }) => role !== 'assistant')?.text ?? '';
  throw new AgogeError(
    'TRAIN_UNREADABLE',
    `none of the ${turns.length} replies of the first step could be read as ${episodes[0]?.format ?? 'actions'}, so nothing was played.\n` +
      `  the agent was told: ${cut(told, 'end')}\n` +
      `  it replied: ${cut(turn.reply, 'start')}\n` +
      `  it was answered: ${cut(turn.problem ?? turn.observation, 'start')}\n` +
      'Choose the agent.format that the prompt asks for, teach the policy the format with agoge sft, or set stop.unreadable=false where a reward teaches it',
  );
}

/** The part of a text that says how to reply stands at its end; a reply says what it is at its start. */
function cut(text: string, keep: 'start' | 'end'): string {
  const most = 300;
  if (text.length <= most) return JSON.stringify(text);
  return JSON.stringify(keep === 'end' ? `…${text.slice(-most)}` : `${text.slice(0, most)}…`);
}

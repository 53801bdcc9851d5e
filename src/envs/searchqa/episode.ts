/** One play of one question: search as often as one likes, answer until it is right. */
import type { Episode, Step } from '../environment.ts';
import { correct, invalid, openingText, wrong } from './prompt.ts';
import type { Question } from './questions.ts';
import type { Passage, Retriever } from '../../retrieval/retriever.ts';
import { informationText } from './information.ts';
import { lastAnswer, normalizeAnswer, readMove, scoreReply } from './scoring.ts';

/** What viewers may draw: the question, the last search with its passages, the last answer. */
export interface SearchQAState {
  readonly question: string;
  readonly query?: string;
  readonly passages?: readonly { readonly title: string; readonly text: string; readonly hit: boolean }[];
  readonly answer?: string;
  readonly solved?: boolean;
}

/** What an agent gets to see: passages of a search, and the question alone in place of AgentGym's opening. */
export interface Shown {
  readonly passages: number;
  readonly short: boolean;
}

const DRAWN_TEXT = 600;

export class SearchQAEpisode implements Episode {
  readonly observation: string;
  state: SearchQAState;
  private ended: Step | undefined;

  constructor(
    private readonly question: Question,
    private readonly retriever: Retriever,
    private readonly shown: Shown,
    private readonly signal?: AbortSignal,
  ) {
    this.observation = shown.short ? question.text : openingText(question.text);
    this.state = { question: question.text };
  }

  step(reply: string): Step | Promise<Step> {
    if (this.ended) return this.ended;
    const step = this.play(reply);
    return step instanceof Promise ? step.then((ready) => this.note(ready)) : this.note(step);
  }

  /** As `step`, but goes on after the right answer, as AgentGym's server does. */
  play(reply: string): Step | Promise<Step> {
    const move = readMove(reply);
    switch (move.kind) {
      case 'neither':
        return { observation: invalid, reward: 0, done: false };
      case 'answer': {
        const reward = scoreReply(reply, this.question.answers);
        this.state = { ...this.state, answer: lastAnswer(reply) ?? '', solved: reward === 1 };
        return { observation: reward === 1 ? correct : wrong, reward, done: reward === 1 };
      }
      case 'search': {
        const found = this.retriever.search(move.query, this.shown.passages, this.signal);
        return found instanceof Promise ? found.then((ready) => this.found(move.query, ready)) : this.found(move.query, found);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }

  private found(query: string, passages: readonly Passage[]): Step {
    const golden = this.question.answers.map(normalizeAnswer).filter((one) => one !== '');
    const drawn = passages.map(({ contents }) => {
      const [title = '', ...rest] = contents.split('\n');
      const text = rest.join('\n');
      const plain = normalizeAnswer(contents);
      return {
        title: title.replace(/^"|"$/g, ''),
        text: text.slice(0, DRAWN_TEXT),
        hit: golden.some((one) => plain.includes(one)),
      };
    });
    this.state = { question: this.question.text, query, passages: drawn };
    return { observation: informationText(passages), reward: 0, done: false };
  }

  private note(step: Step): Step {
    if (!step.done) return step;
    this.ended = { ...step, reward: 0, success: true };
    return { ...step, success: true };
  }
}

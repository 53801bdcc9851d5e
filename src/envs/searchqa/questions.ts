/** What SearchQA asks, by AgentGym's item numbers: seven test sets one after the other, then two training sets. */
import { pythonStrip } from '../../core/python/strings.ts';

export interface Question {
  readonly item: number;
  /** Ends with a question mark. */
  readonly text: string;
  readonly answers: readonly string[];
  /** What results are broken down by: the data set, or how many passages an answer needs. */
  readonly category: string;
  /** Searches that lead to the answer, where they are known. */
  readonly searches?: readonly string[];
}

export interface Questions {
  readonly source: string;
  readonly splits: ReadonlyMap<string, readonly number[]>;
  /** Throws ENV_UNKNOWN_TASK. */
  question(item: number): Question;
}

/** First item and the one after the last of each data set. */
export const testItems: Readonly<Record<string, readonly [number, number]>> = {
  nq: [0, 3610],
  triviaqa: [3610, 14_923],
  popqa: [14_923, 29_190],
  hotpotqa: [29_190, 36_595],
  '2wikimultihopqa': [36_595, 49_171],
  musique: [49_171, 51_588],
  bamboogle: [51_588, 51_713],
};

export const trainItems: Readonly<Record<string, readonly [number, number]>> = {
  nq: [51_713, 130_881],
  hotpotqa: [130_881, 221_328],
};

/** The data set of an item; `questions` for items beyond AgentGym's. */
export function dataSetOf(item: number): string {
  for (const items of [testItems, trainItems]) {
    for (const [name, [first, end]] of Object.entries(items)) if (item >= first && item < end) return name;
  }
  return 'questions';
}

/** As the original asks: without blanks around it, and with a question mark. */
export function asked(text: string): string {
  const trimmed = pythonStrip(text);
  return trimmed.endsWith('?') ? trimmed : `${trimmed}?`;
}

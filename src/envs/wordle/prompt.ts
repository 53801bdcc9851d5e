/** What an agent is told about Wordle before the first observation, in our own words. */
import type { Instructions } from '../environment.ts';
import { words } from './game.ts';

export const instructions: Instructions = {
  task: [
    'Guess a hidden word of five letters in at most six tries. Write a guess as letters with spaces between them: s h i r e.',
    'The answer has one letter for each of yours: g where it is right, y where it stands elsewhere in the word, b where it is not in the word.',
    `Only these words are accepted, and the hidden word is one of them: ${words.join(', ')}.`,
    'Anything else is answered by "invalid word" and costs a try.',
  ].join('\n'),
  actions: [
    {
      name: 'guess',
      template: '{word}',
      description: 'Guess a word.',
      parameters: { word: 'five letters separated by spaces' },
    },
  ],
  example: [
    { observation: "Let's start Wordle!", thought: 'A word with common letters first.', action: 's h i r e' },
    {
      observation: 'b b b y g\n',
      thought: 'It ends with e, and r stands in the first three places or not fourth.',
      action: 't r o v e',
    },
  ],
};

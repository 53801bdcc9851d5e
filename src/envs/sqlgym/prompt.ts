/** What an agent is told about SQLGym before the first observation, in our own words. */
import type { Instructions } from '../environment.ts';

const example = {
  observation:
    'zoo contains tables such as keeper, animal. Table keeper has columns such as id, name. id is the primary key. Table animal has columns such as id, name, kind, keeper_id. id is the primary key. The keeper_id of animal is the foreign key of id of keeper.\n\nHow many animals does the keeper named Ida Moss look after?',
  sql: "SELECT COUNT(*) FROM animal AS T1 INNER JOIN keeper AS T2 ON T1.keeper_id = T2.id WHERE T2.name = 'Ida Moss'",
};

export const instructions: Instructions = {
  task: [
    'You are given the description of a SQLite database and a question. Answer with one SQL statement.',
    'Your statement is run once, and that ends the task. You are rewarded when its rows are the right ones; their order does not matter, the order of columns does.',
  ].join('\n'),
  actions: [
    {
      name: 'query',
      template: '{sql}',
      description: 'One SQL statement that answers the question.',
      parameters: { sql: 'a statement in the dialect of SQLite' },
    },
  ],
  example: [
    { observation: example.observation, thought: 'Animals point to their keeper; I count those of one.', action: example.sql },
  ],
};

export const turnsInstructions: Instructions = {
  task: [
    'You are asked a question about a SQLite database. Look at its schema, try statements, and answer with one SQL statement.',
    'You are rewarded when the rows of your answer are the right ones; their order does not matter, the order of columns does.',
  ].join('\n'),
  actions: [
    {
      name: 'schema',
      template: 'schema {table}',
      description: 'The columns of a table, or the names of all tables where none is given.',
      parameters: { table: 'name of a table, or nothing' },
    },
    {
      name: 'query',
      template: 'query {sql}',
      description: 'Run a statement and see its rows or its error.',
      parameters: { sql: 'a statement in the dialect of SQLite' },
    },
    {
      name: 'answer',
      template: 'answer {sql}',
      description: 'Answer the question with a statement; this ends the task.',
      parameters: { sql: 'a statement in the dialect of SQLite' },
    },
  ],
  example: [
    { observation: 'Database zoo, 10 turns.\n\nHow many animals are there?', thought: 'I need the tables.', action: 'schema' },
    { observation: 'Tables: keeper, animal.', thought: 'Animals have a table.', action: 'answer SELECT COUNT(*) FROM animal' },
  ],
};

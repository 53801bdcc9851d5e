/** Questions about a table in the prompt, one after another: by key, by value, counting rows, the largest and the smallest number. */
import { columnWords, type Kind, type Sketch } from '../world.ts';

interface Question {
  readonly text: string;
  readonly answer: string;
}

/** What is asked, given a table with its key in the first column. */
type Asking = (sketch: Sketch, columns: readonly string[], rows: readonly (readonly string[])[]) => Question;

const cell = (row: readonly string[] | undefined, column: number): string => row?.[column] ?? '';

const byKey: Asking = (sketch, columns, rows) => {
  const row = sketch.random.pick(rows);
  const column = 1 + sketch.random.below(columns.length - 1);
  const [name, what] = [cell(row, 0), columns[column] ?? ''];
  const text = sketch.say(
    `What is the ${what} of ${name}?`,
    `${name}: ${what}?`,
    `Tell the ${what} of ${name}.`,
    `Which ${what} does ${name} have?`,
    `Give me ${name}'s ${what}.`,
  );
  return { text, answer: cell(row, column) };
};

const byValue: Asking = (sketch, columns, rows) => {
  const column = 1 + sketch.random.below(columns.length - 1);
  const alone = rows.filter((row) => rows.every((other) => other === row || cell(other, column) !== cell(row, column)));
  if (alone.length === 0) return byKey(sketch, columns, rows);
  const row = sketch.random.pick(alone);
  const [thing, what, value] = [columns[0] ?? '', columns[column] ?? '', cell(row, column)];
  const text = sketch.say(
    `Which ${thing} has the ${what} ${value}?`,
    `The ${what} is ${value}. Name the ${thing}.`,
    `Find the ${thing} whose ${what} is ${value}.`,
  );
  return { text, answer: cell(row, 0) };
};

const count: Asking = (sketch, columns, rows) => {
  const column = 1 + sketch.random.below(columns.length - 1);
  const value = cell(sketch.random.pick(rows), column);
  const many = rows.filter((row) => cell(row, column) === value).length;
  const what = columns[column] ?? '';
  const text = sketch.say(
    `How many have the ${what} ${value}?`,
    `Count those with ${what} ${value}.`,
    `${what} ${value}: how many?`,
  );
  return { text, answer: String(many) };
};

const extreme: Asking = (sketch, columns, rows) => {
  const column = columns.length - 1;
  const most = sketch.chance(0.5);
  const sorted = [...rows].sort((a, b) => (most ? -1 : 1) * (Number(cell(a, column)) - Number(cell(b, column))));
  const [thing, what] = [columns[0] ?? '', columns[column] ?? ''];
  const word = most ? sketch.say('largest', 'highest', 'greatest') : sketch.say('smallest', 'lowest', 'least');
  const text = sketch.say(`Which ${thing} has the ${word} ${what}?`, `Name the ${thing} with the ${word} ${what}.`);
  return { text, answer: cell(sorted[0], 0) };
};

function questions(
  asking: Asking,
  options: { readonly rows: number; readonly unlike: boolean; readonly numbers?: boolean },
): Kind {
  return (sketch) => {
    const { words } = sketch;
    const many = sketch.size(options.rows > 8 ? 1 : 2, options.rows);
    const width = options.numbers === true ? 1 + sketch.size(0, 1, 0.3) : sketch.size(1, 4, 0.05);
    const columns = sketch.some(columnWords, width + 1);
    const names = words.names(many);
    const values = columns.slice(1).map((_, i) => {
      if (options.numbers === true && i === width - 1) return numbers(sketch, many);
      return options.unlike ? words.names(many) : sketch.column(many);
    });
    const rows = names.map((name, row) => [name, ...values.map((column) => column[row] ?? '')]);
    const asked = Array.from({ length: sketch.size(1, 8) }, () => asking(sketch, columns, rows));
    const answer = sketch.tool('answer', answerVerbs, sketch.say('answers the question', 'gives the answer'), ['answer']);
    const heading = sketch.say('', 'Here is what is known.\n', 'Data:\n', `List of each ${columns[0] ?? ''}:\n`);
    let at = 0;
    return {
      tools: [answer],
      story: sketch.say('Answer the questions about the list.', 'Read the data and answer.', 'Questions about a table.'),
      opening: `${heading}${sketch.write({ columns, rows })}\n\n${asked[0]?.text ?? ''}`,
      answer({ values: [said] }) {
        if (said !== asked[at]?.answer) return { text: sketch.say('Wrong.', 'No.', 'That is not it.'), solved: false };
        at++;
        const following = asked[at];
        if (!following) return { text: sketch.say('Correct.', 'Right.', 'Yes, all done.'), solved: true };
        return { text: `${sketch.say('', 'Right. ', 'Correct.\n')}${following.text}` };
      },
      next: () => ({ id: 'answer', values: [asked[at]?.answer ?? ''] }),
    };
  };
}

function numbers(sketch: Sketch, count: number): string[] {
  const drawn = new Set<number>();
  const most = sketch.random.pick([20, 100, 1000]);
  while (drawn.size < count) drawn.add(1 + sketch.random.below(most));
  return [...drawn].map(String);
}

export const answerVerbs: readonly string[] = 'answer say reply tell report submit write state give finish respond return'.split(
  ' ',
);

export const lookup = questions(byKey, { rows: 16, unlike: true });
export const reverse = questions(byValue, { rows: 12, unlike: true });
export const counting = questions(count, { rows: 8, unlike: false });
export const extremes = questions(extreme, { rows: 6, unlike: true, numbers: true });

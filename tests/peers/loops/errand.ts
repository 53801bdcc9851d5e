/** An errand that takes three tools in turn: whose box, what is in it, what that costs. The clients of tool-loops.test.ts run it. */

/** What a client's loop is given. Facts are what its tools answer: by the tool, then by its only argument. */
export interface Errand {
  readonly system: string;
  readonly question: string;
  readonly tools: readonly Tool[];
  readonly facts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly answer: string;
  /** The calls that lead there. */
  readonly calls: readonly (readonly [tool: string, argument: string])[];
}

/** As much of a `Random` as is needed here. */
interface Dice {
  pick<T>(from: readonly T[]): T;
  shuffle<T>(of: readonly T[]): T[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly type: 'object'; readonly properties: object; readonly required: readonly string[] };
}

/** The only argument of each tool. */
export const argumentOf = { box_of: 'person', look: 'box', price: 'thing' };
const tools = [
  toolOf('box_of', 'The box of a person.'),
  toolOf('look', 'Look into a box.'),
  toolOf('price', 'What a thing costs.'),
];

function toolOf(name: keyof typeof argumentOf, description: string): Tool {
  const of = argumentOf[name];
  const parameters = {
    type: 'object' as const,
    properties: { [of]: { type: 'string' } },
    required: [of],
    additionalProperties: false,
  };
  return { name, description, parameters };
}

const people = ['Ann', 'Bob', 'Cleo'];
const boxes = ['red', 'green', 'blue'];
const things = ['lamp', 'apple', 'stone'];
const prices = ['two', 'five', 'seven'];

/** An errand whose facts are drawn anew. */
export function errandOf(random: Dice): Errand {
  const person = random.pick(people);
  const map = (keys: readonly string[], values: readonly string[]): Record<string, string> => {
    const mixed = random.shuffle(values);
    return Object.fromEntries(keys.map((key, at) => [key, mixed[at] ?? '']));
  };
  const facts = { box_of: map(people, boxes), look: map(boxes, things), price: map(things, prices) };
  const calls: [string, string][] = [];
  let found = person;
  for (const [tool, known] of Object.entries(facts)) {
    calls.push([tool, found]);
    found = known[found] ?? '';
  }
  return { system: 'Use the tools.', question: `What does ${person} have to pay?`, tools, facts, answer: found, calls };
}

/** Following pointers: all in the prompt, or each found only by going there; and ways through rooms by a guide. */
import { columnWords, type Kind } from '../world.ts';
import { answerVerbs } from './questions.ts';

const goVerbs: readonly string[] = 'go open visit follow enter read view move walk select'.split(' ');

/** The prompt has the whole table; every move is the line of where one stands. */
export const chain: Kind = (sketch) => {
  const { words } = sketch;
  const hops = sketch.size(1, 6);
  const names = words.names(hops + 1 + sketch.size(0, 10));
  const rows = names.slice(0, -1).map((name, i) => [name, i < hops ? (names[i + 1] ?? '') : sketch.random.pick(names)]);
  const columns = sketch.some(columnWords, 2);
  const go = sketch.tool('go', goVerbs, sketch.say('goes to the next one', 'moves there'), ['name']);
  const stands = (name: string, left: number): string =>
    sketch.say(`You are at ${name}. Moves left: ${left}.`, `Now at ${name}, ${left} to go.`, `At ${name}.`);
  let at = 0;
  return {
    tools: [go],
    story: sketch.say(
      'Every entry leads to another one. Follow them from the start.',
      'Look up where you are in the list and go to what stands beside it.',
    ),
    opening: `${sketch.write({ columns, rows: sketch.random.shuffle(rows) })}\n\n${stands(names[0] ?? '', hops)}`,
    answer({ values: [to] }) {
      if (to !== names[at + 1]) return { text: sketch.say(`There is no way from here to ${to ?? ''}.`, 'That is not next.') };
      at++;
      if (at === hops) return { text: 'You have arrived.', solved: true };
      return { text: stands(to ?? '', hops - at) };
    },
    next: () => ({ id: 'go', values: [names[at + 1] ?? ''] }),
  };
};

/** The prompt has a table or two; the answer is two or three lines away and asked for at once. */
export const hops: Kind = (sketch) => {
  const { words } = sketch;
  const steps = sketch.size(1, 3);
  const many = sketch.size(2, 8);
  const columns = sketch.some(columnWords, steps + 1);
  const levels = columns.map(() => words.names(many));
  const maps = Array.from({ length: steps }, () => sketch.random.shuffle(Array.from({ length: many }, (_, i) => i)));
  const tables = maps.map((map, step) =>
    sketch.write({
      columns: [columns[step] ?? '', columns[step + 1] ?? ''],
      rows: sketch.random
        .shuffle(map.map((to, from) => [from, to] as const))
        .map(([from, to]) => [levels[step]?.[from] ?? '', levels[step + 1]?.[to] ?? '']),
    }),
  );
  const start = sketch.random.below(many);
  let at = start;
  for (const map of maps) at = map[at] as number;
  const answer = levels[steps]?.[at] ?? '';
  const name = levels[0]?.[start] ?? '';
  const path = columns
    .slice(1)
    .reverse()
    .map((column) => `the ${column} of`)
    .join(' ');
  const tool = sketch.tool('answer', answerVerbs, 'gives the answer', ['answer']);
  return {
    tools: [tool],
    story: sketch.say('Answer the question; look one thing up with the other.', 'Find the answer in the lists.'),
    opening: `${tables.join('\n\n')}\n\n${sketch.say(`What is ${path} ${name}?`, `Tell ${path} ${name}.`)}`,
    answer: ({ values: [said] }) => ({ text: said === answer ? 'Right.' : 'Wrong.', solved: said === answer }),
    next: () => ({ id: 'answer', values: [answer] }),
  };
};

/** Each pointer is told only where it lies, among others that do not matter. */
export const trail: Kind = (sketch) => {
  const { words } = sketch;
  const length = sketch.size(1, 6);
  const names = words.names(length + 1);
  const others = words.names(4);
  const [what = 'page', mark = 'code'] = sketch.some(columnWords, 2);
  const secret = words.names(1)[0] ?? '';
  const go = sketch.tool('go', goVerbs, `opens a ${what}`, [what]);
  const end = sketch.tool('answer', answerVerbs, `tells the ${mark} that was found`, [mark]);
  const text = (at: number): string => {
    const noise = sketch.random.shuffle(others).slice(0, sketch.size(0, 3));
    const line =
      at === length
        ? sketch.say(`The ${mark} is ${secret}.`, `${mark}: ${secret}`, `You found the ${mark} ${secret}.`)
        : sketch.say(
            `Go on with ${names[at + 1] ?? ''}.`,
            `next: ${names[at + 1] ?? ''}`,
            `It points to ${names[at + 1] ?? ''}.`,
          );
    const head = sketch.say(`This is ${names[at] ?? ''}.`, `${what} ${names[at] ?? ''}`, '');
    const around = noise.length === 0 ? '' : sketch.say(`Seen before: ${noise.join(', ')}.`, `(not: ${noise.join(', ')})`);
    return [head, ...sketch.random.shuffle([line, around])].filter(Boolean).join(sketch.say(' ', '\n'));
  };
  let at = -1;
  return {
    tools: [go, end],
    story: sketch.say(
      `Follow the trail from one ${what} to the next until you find the ${mark}, then tell it.`,
      `Somewhere is a ${mark}. Every ${what} says which one comes next.`,
    ),
    opening: sketch.say(`Begin with the ${what} ${names[0] ?? ''}.`, `Start: ${names[0] ?? ''}`, `First: ${names[0] ?? ''}.`),
    answer({ id, values: [said] }) {
      if (id === 'answer') return { text: said === secret ? 'Correct.' : 'Wrong.', solved: said === secret };
      const to = names.indexOf(said ?? '');
      if (to < 0 || to > at + 1) return { text: sketch.say(`There is no ${what} called ${said ?? ''}.`, 'Nothing found.') };
      at = to;
      return { text: text(at) };
    },
    next: () => (at === length ? { id: 'answer', values: [secret] } : { id: 'go', values: [names[at + 1] ?? ''] }),
  };
};

/** Rooms with exits in four directions; a guide in the prompt names the next room, the observation says which exit leads there. */
export const rooms: Kind = (sketch) => {
  const { words, random } = sketch;
  const length = sketch.size(1, 8);
  const names = words.names(length + 1 + sketch.size(1, 5));
  const ways = random.pick([
    ['north', 'south', 'east', 'west'],
    ['left', 'right', 'ahead', 'back'],
    ['up', 'down', 'in', 'out'],
  ]);
  const go = sketch.tool('go', goVerbs, 'leaves the room that way', ['direction']);
  const guide = names.slice(0, length).map((name, i) => [name, names[i + 1] ?? '']);
  const exits = names.slice(0, length).map((_, i) => {
    const doors = random.shuffle(ways).slice(0, sketch.size(1, 4));
    const right = random.below(doors.length);
    const others = random.shuffle(names.filter((name) => name !== names[i + 1] && name !== names[i]));
    return doors.map((way, door) => ({ way, to: door === right ? (names[i + 1] ?? '') : (others[door] ?? '') }));
  });
  const stands = (at: number): string => {
    const doors = (exits[at] ?? []).map(({ way, to }) => sketch.say(`${way} to ${to}`, `${way}: ${to}`));
    return sketch.say(`You are in ${names[at] ?? ''}. Exits: ${doors.join(', ')}.`, `${names[at] ?? ''}\n${doors.join('\n')}`);
  };
  const first = stands(0);
  let at = 0;
  return {
    tools: [go],
    story: sketch.say(
      `Reach ${names[length] ?? ''}.`,
      `Your goal is ${names[length] ?? ''}. The guide says which room comes next.`,
    ),
    opening: `${sketch.write({ columns: ['room', 'next'], rows: random.shuffle(guide) })}\n\n${first}`,
    answer({ values: [way] }) {
      const door = exits[at]?.find((exit) => exit.way === way);
      if (!door) return { text: sketch.say(`No exit ${way ?? ''}.`, 'There is a wall.') };
      const to = names.indexOf(door.to);
      if (to !== at + 1) return { text: sketch.say('You got lost and came back.', 'That way is closed.') };
      at = to;
      return at === length ? { text: 'You are there.', solved: true } : { text: stands(at) };
    },
    next: () => ({ id: 'go', values: [exits[at]?.find(({ to }) => to === names[at + 1])?.way ?? ''] }),
  };
};

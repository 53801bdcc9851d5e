/** Errands with things and places: fetching from a list or by asking, gathering until there is enough, doing first what an error asks for. */
import { at } from '../../../core/at.ts';
import { columnWords, type Kind } from '../world.ts';

const takeVerbs: readonly string[] = 'take fetch get grab pick collect load pull carry remove bring'.split(' ');
const askVerbs: readonly string[] = 'find locate search query where lookup ask check scan trace'.split(' ');
const endVerbs: readonly string[] = 'ship finish send deliver done close submit complete leave pay seal'.split(' ');
const doVerbs: readonly string[] =
  'start run make build open use mount deploy cast brew launch activate prepare repair paint'.split(' ');
const placeWords: readonly string[] = 'shelf place room box bin rack bay drawer floor aisle zone dock cabinet'.split(' ');
const thingWords: readonly string[] = 'item thing part product tool object article good piece parcel'.split(' ');

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

/** Things lie in places; the list is in the prompt, or each place has to be asked for. */
export const fetch: Kind = (sketch) => {
  const { words } = sketch;
  const wanted = sketch.size(1, 4);
  const asks = sketch.chance(0.55);
  const many = wanted + sketch.size(0, asks ? 3 : 10);
  const things = words.names(many);
  const places = words.names(Math.max(2, many));
  const [thing, place] = [words.frame(thingWords), words.frame(placeWords)];
  const of = new Map(things.map((name, i) => [name, places[i] ?? '']));
  const order = sketch.some(things, wanted);
  const both = sketch.chance(0.7);
  const ask = sketch.tool('ask', askVerbs, sketch.say(`tells the ${place} of a ${thing}`, 'says where it lies'), [thing]);
  const take = both
    ? sketch.tool(
        'take',
        takeVerbs,
        `takes the ${thing} from its ${place}`,
        [thing, place],
        [sketch.say('from', 'at', 'in', 'off')],
      )
    : sketch.tool('take', takeVerbs, `takes what lies there`, [place]);
  const end = sketch.tool('end', endVerbs, 'ends the errand when you have everything');
  const ends = sketch.chance(0.7);
  const held = new Set<string>();
  const known = new Set<string>();
  const told = (name: string): string =>
    sketch.say(
      `${name} lies in ${of.get(name) ?? ''}.`,
      `${name}: ${of.get(name) ?? ''}`,
      `The ${place} of ${name} is ${of.get(name) ?? ''}.`,
      `In ${of.get(name) ?? ''}.`,
      `${place} ${of.get(name) ?? ''}`,
    );
  const first = sketch.chance(0.5); // asks for everything first, or one by one
  const goal = sketch.say(
    `Bring ${listed(order)}.`,
    `Order: ${order.join(', ')}`,
    `Wanted: ${listed(order)}.`,
    `Please collect ${listed(order)}.`,
  );
  const table = sketch.write({
    columns: [thing, place],
    rows: sketch.random.shuffle(things.map((name) => [name, of.get(name) ?? ''])),
  });
  return {
    tools: [...(asks ? [ask] : []), take, ...(ends ? [end] : [])],
    story: sketch.say(
      `Collect what is ordered${ends ? ', then finish' : ''}.`,
      `You work in a store. Every ${thing} has its ${place}.`,
      `Get each ${thing} from its ${place}${asks ? '; ask where it is' : ''}.`,
    ),
    opening: asks ? goal : sketch.chance(0.5) ? `${table}\n\n${goal}` : `${goal}\n\n${table}`,
    answer({ id, values }) {
      const name = (id === 'take' && !both ? things.find((each) => of.get(each) === values[0]) : values[0]) ?? '';
      if (id === 'end') {
        const solved = order.every((each) => held.has(each));
        return solved ? { text: 'Done.', solved } : { text: sketch.say('Something is missing.', 'Not complete.') };
      }
      const where = of.get(name);
      if (where === undefined) return { text: sketch.say(`There is no ${values[0] ?? ''}.`, 'Unknown.') };
      if (id === 'ask') {
        known.add(name);
        return { text: told(name) };
      }
      if (both && values[1] !== where) return { text: sketch.say(`${name} is not in ${values[1] ?? ''}.`, `Not there.`) };
      held.add(name);
      if (!ends && order.every((each) => held.has(each))) return { text: 'You have everything.', solved: true };
      return { text: sketch.say(`You have ${name}.`, `Taken: ${name}.`, 'OK.', `${held.size} of ${wanted}.`) };
    },
    next() {
      const open = order.filter((name) => !held.has(name));
      const unknown = open.filter((name) => asks && !known.has(name));
      const [name = ''] = open;
      if (open.length === 0) return { id: 'end', values: [] };
      if (first && unknown.length > 0) return { id: 'ask', values: [unknown[0] ?? ''] };
      if (unknown.includes(name)) return { id: 'ask', values: [name] };
      return { id: 'take', values: both ? [name, of.get(name) ?? ''] : [of.get(name) ?? ''] };
    },
  };
};

/** One more each time until there are enough; the answer says how many there are. */
export const gather: Kind = (sketch) => {
  const { words } = sketch;
  const kinds = words.names(sketch.size(1, 3));
  const need = kinds.map(() => sketch.size(1, 4));
  const have = kinds.map(() => 0);
  const add = sketch.tool('take', takeVerbs, 'takes one more', ['what']);
  const end = sketch.tool('end', endVerbs, 'ends it when the numbers are right');
  const goal = kinds.map((name, i) => `${at(need, i)} ${name}`);
  return {
    tools: [add, end],
    story: sketch.say('Take exactly as many as are wanted, then end.', 'Not more and not fewer than asked for.'),
    opening: sketch.say(
      `Wanted: ${goal.join(', ')}.`,
      `You need ${listed(goal)}.`,
      sketch.write({ columns: ['what', 'number'], rows: kinds.map((name, i) => [name, String(need[i])]) }),
    ),
    answer({ id, values: [name = ''] }) {
      if (id === 'end') {
        const solved = have.every((count, i) => count === need[i]);
        return { text: solved ? 'Good.' : 'The numbers are wrong.', solved };
      }
      const place = kinds.indexOf(name);
      if (place < 0) return { text: `There is no ${name}.` };
      const now = at(have, place) + 1;
      have[place] = now;
      return { text: sketch.say(`${now} ${name}`, `You have ${now} ${name}.`, `${name}: ${now}`) };
    },
    next() {
      const short = kinds.find((_, i) => at(have, i) < at(need, i));
      return short === undefined ? { id: 'end', values: [] } : { id: 'take', values: [short] };
    },
  };
};

/** Something is to be done and an error says what must be done before it, which may have a condition of its own. */
export const errors: Kind = (sketch) => {
  const { words } = sketch;
  const depth = sketch.size(1, 4);
  const names = words.names(depth + sketch.size(0, 4));
  const [thing] = sketch.some(columnWords, 1);
  const main = sketch.tool('do', doVerbs, sketch.say('does it', `starts a ${thing ?? ''}`, 'what you are asked for'), ['name']);
  const needs = sketch.tool('needs', askVerbs, 'tells what it needs', ['name']);
  const listedTools = sketch.chance(0.3) ? [main, needs] : [main];
  const done = new Set<string>();
  let tried = -1;
  const goal = names[0] ?? '';
  const word = sketch.say('needs', 'requires', 'waits for', 'depends on');
  return {
    tools: listedTools,
    story: sketch.say(
      'Some things need another one first. Read the errors.',
      'If something fails, do what is missing and try again.',
      'Do what is asked for.',
    ),
    opening: sketch.say(`Do ${goal}.`, `Goal: ${goal}`, `Your task is ${goal}.`),
    answer({ id, values: [name = ''] }) {
      const at = names.indexOf(name);
      if (at < 0) return { text: sketch.say(`Error: ${name} is unknown.`, 'Error: not found.') };
      const before = at < depth - 1 ? (names[at + 1] ?? '') : undefined;
      if (id === 'needs') return { text: before === undefined ? `${name} needs nothing.` : `${name} needs ${before}.` };
      if (before !== undefined && !done.has(before)) {
        tried = Math.max(tried, at);
        return {
          text: sketch.say(
            `Error: ${name} ${word} ${before}.`,
            `Failed: ${before} is missing.`,
            `Not yet. First ${before}.`,
            `error: "${before}" must come before "${name}"`,
          ),
        };
      }
      done.add(name);
      if (name === goal) return { text: 'Done.', solved: true };
      return { text: sketch.say('OK.', `${name} is done.`, `Finished ${name}.`) };
    },
    next() {
      if (tried < 0) return { id: 'do', values: [goal] };
      for (let at = Math.min(tried + 1, depth - 1); at >= 0; at--) {
        if (!done.has(names[at] ?? '')) return { id: 'do', values: [names[at] ?? ''] };
      }
      return null;
    },
  };
};

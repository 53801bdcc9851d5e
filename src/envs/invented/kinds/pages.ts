/** Searching and reading: a list of results with numbers, a page of many lines, the one line that was asked for; and forms to fill in. */
import { columnWords, type Kind } from '../world.ts';
import { answerVerbs } from './questions.ts';

const searchVerbs: readonly string[] = 'search find query look google list lookup scan'.split(' ');
const openVerbs: readonly string[] = 'open click view read show goto select enter'.split(' ');
const setVerbs: readonly string[] = 'set fill type enter put write update change'.split(' ');
const sendVerbs: readonly string[] = 'submit send save confirm finish apply'.split(' ');

export const pages: Kind = (sketch) => {
  const { words, random } = sketch;
  const many = sketch.size(1, 5);
  const names = words.names(many);
  const fields = sketch.some(columnWords, sketch.size(1, 6));
  const records = names.map((name) => [name, ...fields.map(() => words.names(1)[0] ?? '')]);
  const ids = words.names(many, random.pick(['number', 'code', 'numbered'] as const));
  const target = random.below(many);
  const column = random.below(fields.length);
  const asked = sketch.size(1, 2, 0.3) === 1 ? [column] : sketch.some([...fields.keys()], Math.min(2, fields.length));
  const answers = asked.map((at) => records[target]?.[at + 1] ?? '').join(', ');
  const [field, name] = [asked.map((at) => fields[at] ?? '').join(' and the '), names[target] ?? ''];
  const search = sketch.tool('search', searchVerbs, 'lists what fits', ['words']);
  const open = sketch.tool('open', openVerbs, 'opens a result', ['id']);
  const end = sketch.tool('answer', answerVerbs, 'gives the answer and ends', ['answer']);
  const searches = sketch.chance(0.6);
  const results = `${sketch.say('Results:', 'Found:', `${many} results`)}\n${names
    .map((each, i) => sketch.say(`[${ids[i] ?? ''}] ${each}`, `${ids[i] ?? ''} ${each}`, `${each} (${ids[i] ?? ''})`))
    .join('\n')}`;
  const page = (at: number): string => {
    const record = records[at] ?? [];
    return sketch.chance(0.5)
      ? [record[0], ...fields.map((each, i) => `${each}: ${record[i + 1] ?? ''}`)].join('\n')
      : sketch.write({ columns: ['name', ...fields], rows: [record] });
  };
  const question = sketch.say(
    `What is the ${field} of ${name}?`,
    `Find the ${field} of ${name}.`,
    `Tell me the ${field} of ${name}.`,
  );
  let [state, opened] = [searches ? 'start' : 'listed', -1];
  return {
    tools: [...(searches ? [search] : []), open, end],
    story: sketch.say(
      'Look the answer up.',
      'Open pages until you find what is asked for, then answer.',
      'Use the site to answer.',
    ),
    opening: searches ? question : `${question}\n\n${results}`,
    answer({ id, values: [text = ''] }) {
      if (id === 'answer') return { text: text === answers ? 'Correct.' : 'Wrong.', solved: text === answers };
      if (id === 'search') {
        if (!names.includes(text)) return { text: 'No results.' };
        state = 'listed';
        return { text: results };
      }
      const at = ids.indexOf(text);
      if (at < 0 || state === 'start')
        return { text: sketch.say(`There is nothing with the number ${text}.`, 'Error: unknown id.') };
      opened = at;
      return { text: page(at) };
    },
    next() {
      if (opened === target) return { id: 'answer', values: [answers] };
      return state === 'start' ? { id: 'search', values: [name] } : { id: 'open', values: [ids[target] ?? ''] };
    },
  };
};

/** A record in the prompt goes into a form, field by field; the form names them in another order. */
export const form: Kind = (sketch) => {
  const { words, random } = sketch;
  const many = sketch.size(1, 3);
  const names = words.names(many);
  const fields = sketch.some(columnWords, sketch.size(1, 5));
  const records = names.map((name) => [name, ...fields.map(() => words.names(1)[0] ?? '')]);
  const target = random.below(many);
  const order = random.shuffle([...fields.keys()]);
  const set = sketch.tool('set', setVerbs, 'fills in a field', ['field', 'value'], [sketch.say('to', 'as', 'with', '=')]);
  const send = sketch.tool('send', sendVerbs, 'sends the form');
  const filled = new Map<number, string>();
  const right = (at: number): string => records[target]?.[at + 1] ?? '';
  const open = (): number[] => order.filter((at) => filled.get(at) !== right(at));
  const names_ = order.map((at) => fields[at] ?? '').join(', ');
  const missing = (): string => {
    const [at] = open();
    if (at === undefined) return sketch.say('Nothing is missing.', 'Complete.');
    return sketch.say(`Missing: ${fields[at] ?? ''}.`, `The ${fields[at] ?? ''} is empty.`, `next: ${fields[at] ?? ''}`);
  };
  return {
    tools: [set, send],
    story: sketch.say('Fill in the form with what is known, then send it.', 'Copy the record into the form.'),
    opening: `${sketch.write({ columns: ['name', ...fields], rows: records })}\n\n${sketch.say(
      `Form for ${names[target] ?? ''}: ${names_}.`,
      `Fill in ${names_} for ${names[target] ?? ''}.`,
    )}`,
    answer({ id, values: [field = '', value = ''] }) {
      if (id === 'send') {
        const solved = open().length === 0;
        return solved ? { text: 'Sent.', solved } : { text: `Error: ${missing()}` };
      }
      const at = fields.indexOf(field);
      if (at < 0) return { text: `There is no field ${field}.` };
      filled.set(at, value);
      return { text: missing() };
    },
    next() {
      const [at] = open();
      return at === undefined ? { id: 'send', values: [] } : { id: 'set', values: [fields[at] ?? '', right(at)] };
    },
  };
};

/** Recordings and AgentGym's questions on a disk. The only file of the tool environments that touches one; it asks for it when it is used. */
import { AgogeError } from '../../../core/error.ts';
import { isList, parseLiteral, type Value } from '../../../core/python/values.ts';
import { questionIn, recordedIn, Recordings, type GivenQuestion } from './recorded.ts';

const bad = (what: string, cause?: unknown): AgogeError => new AgogeError('ENV_BAD_RECORDINGS', what, { cause });

/** All recordings of a folder: its .json and .jsonl files. */
export function readRecordings(folder: string): Recordings {
  const names = filesIn(folder).filter((name) => /\.jsonl?$/.test(name));
  if (names.length === 0) throw bad(`${folder} has no .json or .jsonl file: put recorded answers there (docs/tools.md)`);
  const recorded = names.sort().flatMap((name) =>
    entriesOf(`${folder}/${name}`).flatMap((entry, at) => {
      const found = recordedIn(entry);
      if (found) return found;
      throw bad(`entry ${at + 1} of ${name} is neither {"tool", "input", "answer"} nor a conversation: correct or remove it`);
    }),
  );
  const recordings = new Recordings(recorded);
  if (recordings.size === 0) throw bad(`the files of ${folder} have no recorded call: check that they are of this environment`);
  return recordings;
}

/** AgentGym's questions by item number. */
export function readQuestions(path: string, count: number): readonly GivenQuestion[] {
  const questions = entriesOf(path).map((entry, at) => {
    const question = questionIn(entry);
    if (question) return question;
    throw bad(`line ${at + 1} of ${path} is no question with goal and subgoals: give AgentGym's Toolusage/data file`);
  });
  if (questions.length < count)
    throw bad(`${path} has ${questions.length} questions, AgentGym's items count to ${count}: give the whole file`);
  return questions;
}

function entriesOf(path: string): readonly Value[] {
  const text = contents(path);
  if (!path.endsWith('.jsonl')) {
    const value = valueOf(text, path);
    return isList(value) ? value : [value];
  }
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [valueOf(line, `line ${at + 1} of ${path}`)]));
}

function valueOf(text: string, where: string): Value {
  const value = parseLiteral(text);
  if (value === undefined) throw bad(`${where} is not JSON: repair the file`);
  return value;
}

function contents(path: string): string {
  try {
    return disk().readFileSync(path, 'utf8');
  } catch (cause) {
    throw bad(`${path} cannot be read: check the path`, cause);
  }
}

function filesIn(folder: string): string[] {
  try {
    return disk().readdirSync(folder);
  } catch (cause) {
    throw bad(`${folder} cannot be read as a folder: check the path`, cause);
  }
}

function disk(): typeof import('node:fs') {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const found = process?.getBuiltinModule?.('node:fs');
  if (!found) throw bad('files cannot be read here: leave recorded and questions out, or run agoge in Node');
  return found;
}

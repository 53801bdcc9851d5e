/**
 * The commands that a launch script would run, with their words expanded. Nothing is run: variables, arrays, functions, conditions and loops are
 * followed; a condition on what only the other machine knows (files, answers of commands) takes the branch that goes on.
 */
import { isAbsolute, resolve } from 'node:path';
import { assign, isAssignment, type Assignable } from './assign.ts';
import { bordersOf, calculated, expandDocument, expandText, expandWord, glob } from './expand.ts';
import { testOf, type Status } from './conditions.ts';
import { isInput } from './lex.ts';
import { parseShell, type Node, type Step } from './parse.ts';
import { outputOf } from './output.ts';
import { linesOf, readOptions, readValues, type Input } from './read.ts';

export interface ShellCommand {
  readonly words: readonly string[];
  /** The folder that the script stands in then. */
  readonly folder: string;
  /** The text of the script that has the command. */
  readonly source: string;
}

export interface ShellOptions {
  /** Of the script: `$1`, `$@`. */
  readonly args?: readonly string[];
  /** Given after the arguments; part of `$@` only, never `$1`. */
  readonly rest?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The script's own path. */
  readonly file?: string;
  /** The text of another script that this one calls, where it is here. */
  readonly scripts?: ((path: string) => string | undefined) | undefined;
}

/** A variable that the script does not go on without, and what it says then. */
export interface Lack {
  readonly name: string;
  readonly message: string;
}

/** The commands up to where the script ends, and what it lacks where it ends early. */
export function readShell(source: string, options: ShellOptions = {}): { commands: ShellCommand[]; lack: Lack | undefined } {
  const shell = new Shell(source, options);
  shell.whole(parseShell(source));
  return shell;
}

/** Ends a script, or the brackets within it. */
class Ended extends Error {}

const silent = new Set([
  'echo',
  'printf',
  'set',
  'mkdir',
  'tee',
  'sleep',
  'ulimit',
  'trap',
  'wait',
  'source',
  '.',
  ':',
  'rm',
  'exec',
]);
const passes = 400; // of all loops together: scripts that launch so many runs are sweeps

class Shell implements Assignable {
  readonly commands: ShellCommand[] = [];
  private variables = new Map<string, readonly string[]>();
  private readonly functions = new Map<string, readonly Step[]>();
  positional: readonly string[];
  /** Of `$@` outside of functions. */
  private rest: readonly string[];
  /** Of the function that runs: what its own variables were before it. */
  private locals: Map<string, readonly string[] | undefined> | undefined;
  private folder = process.cwd();
  /** The text that the command that runs was given. */
  private input: Input | undefined;
  lack: Lack | undefined;
  private loops = 0;
  private depth = 0;

  constructor(
    private readonly source: string,
    private readonly options: ShellOptions,
  ) {
    this.positional = options.args ?? [];
    this.rest = options.rest ?? [];
    this.variables.set('IFS', [' \t\n']);
    if (options.file !== undefined) this.variables.set('0', [options.file]).set('BASH_SOURCE', [options.file]);
  }

  get args(): readonly string[] {
    return [...this.positional, ...this.rest];
  }

  get(name: string): readonly string[] | undefined {
    if (name === 'PWD') return [this.folder];
    if (name === 'PIPESTATUS') return ['0'];
    if (/^\d+$/.test(name) && name !== '0') return undefined;
    const own = this.variables.get(name);
    // A shell sets its own, whatever it was started with.
    if (name === 'IFS') return own;
    const outside = this.options.env?.[name];
    return own ?? (outside === undefined ? undefined : [outside]);
  }

  own(name: string): readonly string[] | undefined {
    return this.variables.get(name);
  }

  set(name: string, value: readonly string[]): void {
    this.variables.set(name, value);
  }

  lacks(name: string, message: string): never {
    this.lack ??= { name, message };
    throw new Ended();
  }

  output(command: string): string {
    return this.apart(() => this.printed(command)) ?? '';
  }

  private printed(command: string): string {
    const words = parseShell(command).flatMap(({ node }) => {
      if (node.kind !== 'simple') return [];
      const [given, own] = [node.words.filter(isInput), node.words.filter((word) => !isInput(word))];
      if (own.every(isAssignment)) {
        for (const word of own) assign(word, this);
        return [];
      }
      // What a command is given is what the one before it would have printed.
      return [...given.map((word) => ['echo', this.inputText(word).replace(/\n$/, '')]), this.expanded(own)];
    });
    const called = this.functions.get(words[0]?.[0] ?? '');
    const body = called?.find(({ node }) => node.kind === 'simple')?.node;
    return outputOf(body?.kind === 'simple' ? [this.expanded(body.words)] : words, this.folder) ?? `$(${command})`;
  }

  /** To its end, or to where it ends early. */
  whole(steps: readonly Step[]): void {
    this.apart(() => this.run(steps));
  }

  run(steps: readonly Step[]): Status {
    let status: Status = true;
    for (const { after, node } of steps) {
      if (after === '&&' && status === false) continue;
      if (after === '||' && status !== false) continue;
      status = this.step(node);
    }
    return status;
  }

  private step(node: Node): Status {
    switch (node.kind) {
      case 'simple':
        return this.simple(node.words);
      case 'group':
        return node.apart ? (this.apart(() => this.run(node.body)) ?? false) : this.run(node.body);
      case 'function':
        this.functions.set(node.name, node.body);
        return true;
      case 'if':
        return this.choose(node.arms, node.otherwise);
      case 'case': {
        const value = expandText(node.word, this);
        const matches = (pattern: string): boolean => new RegExp(`^(?:${glob(expandText(pattern, this))})$`).test(value);
        return this.run(node.choices.find(({ patterns }) => patterns.some(matches))?.body ?? []);
      }
      case 'for': {
        if (node.name.startsWith('((')) return this.count(node.name.slice(2, -2), node.body);
        const items = node.items?.flatMap((item) => expandWord(item, this)) ?? this.args;
        for (const item of items) {
          if (++this.loops > passes) break;
          this.set(node.name, [item]);
          this.run(node.body);
        }
        return true;
      }
      case 'while':
        return this.loop(node);
    }
  }

  /** `for ((first; condition; next))` */
  private count(head: string, body: readonly Step[]): Status {
    const [first = '', condition = '', next = ''] = head.split(';');
    for (calculated(first, this); calculated(condition, this) !== 0 && ++this.loops <= passes; calculated(next, this))
      this.run(body);
    return true;
  }

  /** Over the lines that the script itself has. Others wait for a server, or read options and files that are not here. */
  private loop({ condition, body, input }: Extract<Node, { kind: 'while' }>): Status {
    const reads = condition.length === 1 && condition[0]?.node.kind === 'simple' && condition[0].node.words.includes('read');
    if (input === undefined || !reads) return true;
    return this.withInput(input, () => {
      while (this.run(condition) === true && ++this.loops <= passes) this.run(body);
      return true;
    });
  }

  /** What happens here to variables and the folder does not last, and what ends here ends no more than this; undefined then. */
  private apart<T>(work: () => T): T | undefined {
    const [variables, folder] = [new Map(this.variables), this.folder];
    try {
      return work();
    } catch (thrown) {
      if (!(thrown instanceof Ended)) throw thrown;
      return undefined;
    } finally {
      this.variables = variables;
      this.folder = folder;
    }
  }

  private choose(arms: Extract<Node, { kind: 'if' }>['arms'], otherwise: readonly Step[]): Status {
    for (const { condition, body } of arms) {
      const status = this.run(condition);
      if (status === false) continue;
      // Scripts leave where something is missing; here they are only read.
      if (leaves(body)) continue;
      return this.run(body);
    }
    return leaves(otherwise) ? true : this.run(otherwise);
  }

  private simple(written: readonly string[]): Status {
    const given = written.findLast(isInput);
    const words = written.filter((word) => !isInput(word));
    return given === undefined ? this.called(words) : this.withInput(given, () => this.called(words));
  }

  private withInput<T>(word: string, work: () => T): T {
    const before = this.input;
    this.input = { text: this.inputText(word), at: 0 };
    try {
      return work();
    } finally {
      this.input = before;
    }
  }

  private inputText(word: string): string {
    if (word.startsWith('<<<')) return `${expandText(word.slice(3), this)}\n`;
    return word.startsWith("<<'") ? word.slice(3) : expandDocument(word.slice(3), this);
  }

  private called(words: readonly string[]): Status {
    const [first = ''] = words;
    if (first === '[[' || first === '[' || first === 'test')
      return testOf(
        words.slice(1).filter((word) => !/^\]\]?$/.test(word)),
        this,
      );
    if (first === '!') {
      const status = this.simple(words.slice(1));
      return status === undefined ? undefined : !status;
    }
    if (first.startsWith('((')) return calculated(first.slice(2, -2), this) !== 0;
    const command = words.findIndex((word) => !isAssignment(word));
    if (command < 0) {
      for (const word of words) assign(word, this);
      return true;
    }
    // NAME=value before a command is for that command alone, and its own words do not see it.
    const given = this.expanded(words.slice(command));
    const assigned = words.slice(0, command);
    const names = assigned.map((word) => /^\w+/.exec(word)?.[0] ?? '');
    const before = names.map((name) => this.variables.get(name));
    for (const word of assigned) assign(word, this);
    const status = this.command(words.slice(command), given);
    names.forEach((name, i) => this.putBack(name, before[i]));
    return status;
  }

  /** `words` as they are written, `given` as the command gets them. */
  private command(words: readonly string[], given: readonly string[]): Status {
    const [name = ''] = words;
    if (/^(export|local|declare|readonly|typeset)$/.test(name)) {
      for (const word of words.slice(1)) {
        if (/^(local|declare|typeset)$/.test(name)) this.makeLocal(word);
        if (isAssignment(word)) assign(word, this);
      }
      return true;
    }
    const [called = '', ...rest] = given;
    if (called === 'cd') this.folder = resolve(this.folder, rest[0] ?? '.');
    else if (called === 'shift') this.positional = this.positional.slice(Number(rest[0] ?? 1));
    else if (called === 'unset') for (const each of rest) this.variables.delete(each);
    else if (called === 'false') return false;
    else if (called === 'set' && rest[0] === '--') [this.positional, this.rest] = [rest.slice(1), []];
    else if (called === 'read') return this.read(rest);
    else if (called === 'mapfile' || called === 'readarray') this.set(rest.at(-1) ?? 'MAPFILE', linesOf(this.input?.text ?? ''));
    else if (called === 'let') return rest.map((one) => calculated(one, this)).at(-1) !== 0;
    else if (called === 'printf' && rest[0] === '-v')
      this.set(rest[1] ?? '', [outputOf([['printf', ...rest.slice(2)]], '') ?? '']);
    else if (called === 'eval') this.run(parseShell(rest.filter((word) => !word.startsWith('$(')).join(' ')));
    else if (this.functions.has(called)) this.call(called, rest);
    else if (/^(bash|sh|zsh)$/.test(called) && rest[0] === '-c') this.run(parseShell(rest[1] ?? ''));
    else if (!silent.has(called) && called !== '' && !/^(exit|return|true)$/.test(called)) return this.outside(given);
    return true;
  }

  /** A program of the other machine, or another script. */
  private outside(words: readonly string[]): Status {
    const [called = '', second = ''] = words;
    const script = /^(bash|sh|zsh)$/.test(called) ? second : /\.sh$/.test(called) ? called : undefined;
    const path = script === undefined ? undefined : isAbsolute(script) ? script : resolve(this.folder, script);
    const text = path === undefined || this.depth > 3 ? undefined : this.options.scripts?.(path);
    if (path === undefined || text === undefined) {
      this.commands.push({ words, folder: this.folder, source: this.source });
      return undefined;
    }
    const env = {
      ...this.options.env,
      ...Object.fromEntries([...this.variables].map(([name, value]) => [name, value.join(' ')])),
    };
    const at = words.indexOf(script ?? '');
    const inside = new Shell(text, { ...this.options, env, file: path, args: words.slice(at + 1), rest: [] });
    inside.folder = this.folder;
    inside.depth = this.depth + 1;
    inside.whole(parseShell(text));
    this.lack ??= inside.lack;
    this.commands.push(...inside.commands);
    return undefined;
  }

  private call(name: string, args: readonly string[]): void {
    if (this.depth > 20) return;
    const { positional, rest, locals } = this;
    [this.positional, this.rest, this.locals] = [args, [], new Map()];
    this.depth++;
    try {
      this.run(this.functions.get(name) ?? []);
    } finally {
      this.depth--;
      for (const [own, before] of this.locals) this.putBack(own, before);
      [this.positional, this.rest, this.locals] = [positional, rest, locals];
    }
  }

  private putBack(name: string, value: readonly string[] | undefined): void {
    if (value) this.variables.set(name, value);
    else this.variables.delete(name);
  }

  /** From the text that the script gives it. What comes from elsewhere is not known here. */
  private read(words: readonly string[]): Status {
    const options = readOptions(words);
    if (!this.input || !options) return true;
    const values = readValues(this.input, options, bordersOf(this));
    for (const [name, value] of values ?? []) this.set(name, value);
    return values !== undefined;
  }

  /** What a function calls its own is as before once it ends. */
  private makeLocal(word: string): void {
    const name = /^\w+/.exec(word)?.[0];
    if (name === undefined || !this.locals || this.locals.has(name)) return;
    this.locals.set(name, this.variables.get(name));
  }

  private expanded(words: readonly string[]): string[] {
    return words.flatMap((word) => expandWord(word, this));
  }
}

function leaves(steps: readonly Step[]): boolean {
  return steps.some(({ node }) => node.kind === 'simple' && node.words[0] === 'exit' && node.words[1] !== '0');
}

/** The commands of a launch script as a tree: simple ones, conditions, loops, cases, functions. What is no script still gives a tree. */
import { isInput, lex, type Token } from './lex.ts';

export type Node =
  | { readonly kind: 'simple'; readonly words: readonly string[] }
  | { readonly kind: 'if'; readonly arms: readonly Arm[]; readonly otherwise: readonly Step[] }
  | { readonly kind: 'for'; readonly name: string; readonly items: readonly string[] | undefined; readonly body: readonly Step[] }
  /** `input`: the text that stands behind its end (`done <<< "$X"`), as the lexer gives it. */
  | {
      readonly kind: 'while';
      readonly condition: readonly Step[];
      readonly body: readonly Step[];
      readonly input: string | undefined;
    }
  | { readonly kind: 'case'; readonly word: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'function'; readonly name: string; readonly body: readonly Step[] }
  /** `apart`: in brackets, where what is set does not last. */
  | { readonly kind: 'group'; readonly body: readonly Step[]; readonly apart: boolean };

/** A command and what joins it to the one before. */
export interface Step {
  readonly after: ';' | '&&' | '||' | '|';
  readonly node: Node;
}

interface Arm {
  readonly condition: readonly Step[];
  readonly body: readonly Step[];
}

interface Choice {
  readonly patterns: readonly string[];
  readonly body: readonly Step[];
}

export function parseShell(source: string): readonly Step[] {
  const reader = new Reader(lex(source));
  const steps: Step[] = [];
  while (!reader.ended) {
    steps.push(...reader.list([]));
    reader.next(); // a word such as `fi` without its `if`, or nothing
  }
  return steps;
}

class Reader {
  private at = 0;
  constructor(private readonly tokens: readonly Token[]) {}

  get ended(): boolean {
    return this.at >= this.tokens.length;
  }

  next(): Token | undefined {
    return this.tokens[this.at++];
  }

  /** Commands up to one of these words (which is left) or the end. */
  list(ends: readonly string[]): Step[] {
    const steps: Step[] = [];
    let after: Step['after'] = ';';
    for (;;) {
      const token = this.tokens[this.at];
      if (!token || ends.includes(token.text) || reserved.includes(token.text)) return steps;
      if (token.kind === 'operator' && token.text !== '(') {
        if (token.text === ')' || token.text === ';;') return steps;
        this.at++;
        if (token.text !== '\n' || steps.length === 0) after = joint(token.text);
        else if (after !== '&&' && after !== '||' && after !== '|') after = ';';
        continue;
      }
      steps.push({ after, node: this.command() });
      after = ';';
    }
  }

  private command(): Node {
    const token = this.next();
    const text = token?.text ?? '';
    if (token?.kind === 'operator') return { kind: 'group', body: this.closed(')'), apart: true };
    if (text === 'if') return this.condition();
    if (text === 'for' || text === 'select') return this.loop();
    if (text === 'while' || text === 'until') {
      const condition = this.list(['do']);
      const body = this.between('do', 'done');
      const input = this.tokens[this.at];
      if (text === 'until' || input?.kind !== 'word' || !isInput(input.text))
        return { kind: 'while', condition, body, input: undefined };
      this.at++;
      return { kind: 'while', condition, body, input: input.text };
    }
    if (text === 'case') return this.choose();
    if (text === '{') return { kind: 'group', body: this.closed('}'), apart: false };
    if (text === 'function') return this.named(this.next()?.text ?? '');
    if (this.is('(') && this.tokens[this.at + 1]?.text === ')') return this.named(text);
    return this.simple(text);
  }

  private simple(first: string): Node {
    const words = [first];
    for (let token = this.tokens[this.at]; token?.kind === 'word'; token = this.tokens[this.at]) {
      words.push(token.text);
      this.at++;
    }
    return { kind: 'simple', words };
  }

  private condition(): Node {
    const arms: Arm[] = [];
    let otherwise: readonly Step[] = [];
    for (let word = 'if'; word === 'if' || word === 'elif';) {
      const condition = this.list(['then']);
      this.skip('then');
      arms.push({ condition, body: this.list(['elif', 'else', 'fi']) });
      word = this.next()?.text ?? 'fi';
      if (word === 'else') otherwise = this.closed('fi');
    }
    return { kind: 'if', arms, otherwise };
  }

  private loop(): Node {
    const name = this.next()?.text ?? '';
    const given = this.is('in') ? this.simple(this.next()?.text ?? '') : undefined;
    const items = given?.kind === 'simple' ? given.words.slice(1) : undefined;
    while (this.is(';') || this.is('\n')) this.at++;
    return { kind: 'for', name, items, body: this.between('do', 'done') };
  }

  private choose(): Node {
    const word = this.next()?.text ?? '';
    while (!this.ended && !this.is('in')) this.at++;
    this.skip('in');
    const choices: Choice[] = [];
    for (;;) {
      while (this.is('\n') || this.is(';;') || this.is('(')) this.at++;
      if (this.ended || this.is('esac')) break;
      const patterns: string[] = [];
      for (let token = this.next(); token && token.text !== ')'; token = this.next())
        if (token.kind === 'word') patterns.push(token.text);
      choices.push({ patterns, body: this.list([';;', 'esac']) });
    }
    this.skip('esac');
    return { kind: 'case', word, choices };
  }

  private named(name: string): Node {
    while (this.is('(') || this.is(')') || this.is('\n')) this.at++;
    this.skip('{');
    return { kind: 'function', name, body: this.closed('}') };
  }

  private between(open: string, close: string): readonly Step[] {
    this.skip(open);
    return this.closed(close);
  }

  private closed(end: string): readonly Step[] {
    const body = this.list([end]);
    this.skip(end);
    return body;
  }

  private is(text: string): boolean {
    return this.tokens[this.at]?.text === text;
  }

  private skip(text: string): void {
    if (this.is(text)) this.at++;
  }
}

/** Words that end a list where a command would begin. */
const reserved = ['then', 'do', 'done', 'fi', 'else', 'elif', 'esac', '}'];

function joint(operator: string): Step['after'] {
  return operator === '&&' || operator === '||' || operator === '|' ? operator : ';';
}

/**
 * A launch script cut into words and operators, as a POSIX shell would: quotes and expansions stay in the words as they are written, comments,
 * line continuations and redirections are gone. Text that the script gives a command stays, as a word that no other can be: `<<<` and the
 * word behind it, or `<<'` and `<<"` and the here-document (`'`: as it is, `"`: with variables in it).
 */
export type Token = { readonly kind: 'word' | 'operator'; readonly text: string };

const operators = ['&&', '||', ';;', ';', '&', '|', '(', ')', '\n'];

export function lex(source: string): Token[] {
  const text = source.replace(/\r\n/g, '\n').replace(/\\\n/g, ' ');
  const tokens: Token[] = [];
  const heredocs: Heredoc[] = [];
  let at = 0;
  const operator = (op: string): void => {
    tokens.push({ kind: 'operator', text: op });
    at += op.length;
    if (op !== '\n') return;
    for (const heredoc of heredocs.splice(0)) {
      const body = heredocBody(text, at, heredoc);
      tokens[heredoc.token] = { kind: 'word', text: `<<${heredoc.quoted ? "'" : '"'}${body.text}` };
      at = body.end;
    }
  };
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t') at++;
    else if (char === '#') at = lineEnd(text, at);
    else if (text.startsWith('((', at) && startsCommand(tokens)) {
      const close = text.indexOf('))', at);
      const end = close < 0 ? text.length : close + 2;
      tokens.push({ kind: 'word', text: text.slice(at, end) });
      at = end;
    } else if (/^(\d*|&)[<>]/.test(text.slice(at, at + 4))) at = afterRedirection(text, at, tokens, heredocs);
    else {
      const op = operators.find((one) => text.startsWith(one, at));
      if (op !== undefined) operator(op);
      else {
        const end = wordEnd(text, at);
        tokens.push({ kind: 'word', text: text.slice(at, end) });
        at = end;
      }
    }
  }
  tokens.push({ kind: 'operator', text: '\n' });
  return tokens;
}

/** Where a quoted or bracketed piece that begins at `at` ends, just behind it. */
export function pieceEnd(text: string, at: number): number {
  if (text.startsWith("'", at)) return behind(text.indexOf("'", at + 1), text, 1);
  if (text.startsWith("$'", at)) return at + (/^\$'(?:\\[\s\S]|[^'\\])*'?/.exec(text.slice(at))?.[0].length ?? 2);
  if (text.startsWith('"', at)) return nestedEnd(text, at + 1, '"');
  if (text.startsWith('`', at)) return behind(text.indexOf('`', at + 1), text, 1);
  if (text.startsWith('$((', at)) return behind(text.indexOf('))', at), text, 2);
  if (text.startsWith('$(', at)) return nestedEnd(text, at + 2, ')');
  if (text.startsWith('${', at)) return nestedEnd(text, at + 2, '}');
  if (text.startsWith('\\', at)) return Math.min(text.length, at + 2);
  return at + 1;
}

function nestedEnd(text: string, from: number, close: string): number {
  let at = from;
  while (at < text.length && text[at] !== close) {
    const char = text.charAt(at);
    const opens = close === '"' ? /[\\$`]/.test(char) : /[\\$`'"]/.test(char);
    if (close === ')' && char === '(') at = nestedEnd(text, at + 1, ')');
    else at = opens ? pieceEnd(text, at) : at + 1;
  }
  return Math.min(text.length, at + 1);
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !/[\s;&|()<>]/.test(text.charAt(at))) at = pieceEnd(text, at);
  // An array: NAME=( … ) or NAME+=( … )
  if (text.charAt(at) === '(' && /^\w+(\[[^\]]*\])?\+?=$/.test(text.slice(from, at))) return arrayEnd(text, at + 1);
  return Math.max(at, from + 1);
}

/** Behind the bracket that closes an array; comments inside may hold anything. */
function arrayEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== ')') {
    if (text[at] === '#' && /\s/.test(text.charAt(at - 1))) at = lineEnd(text, at);
    else at = pieceEnd(text, at);
  }
  return Math.min(text.length, at + 1);
}

interface Heredoc {
  readonly end: string;
  readonly quoted: boolean;
  /** `<<-`: tabs before lines are not part of it. */
  readonly tabs: boolean;
  /** Where its text goes. */
  readonly token: number;
}

/** A word that is text for a command, not one of its arguments. */
export function isInput(word: string): boolean {
  return word.startsWith('<<');
}

function afterRedirection(text: string, from: number, tokens: Token[], heredocs: Heredoc[]): number {
  const sign = /^(\d*|&)(<<<|<<-?|>>|>&|<&|[<>])(\d+|-)?[ \t]*/.exec(text.slice(from, from + 12));
  const at = from + (sign?.[0].length ?? 1);
  if (sign?.[3] !== undefined && /&$/.test(sign[2] ?? '')) return at;
  // Process substitution, >( … ), reads like a word of its own.
  const end = text.charAt(at) === '(' ? nestedEnd(text, at + 1, ')') : wordEnd(text, at);
  const [kind, word] = [sign?.[2] ?? '', text.slice(at, end)];
  const given = /^<<[<-]?$/.test(kind);
  if (/^<<-?$/.test(kind)) {
    const name = word.replace(/['"\\]/g, '');
    heredocs.push({ end: name, quoted: name !== word, tabs: kind === '<<-', token: tokens.length });
  }
  if (given) tokens.push({ kind: 'word', text: kind === '<<<' ? `<<<${word}` : '<<"' });
  return end;
}

function heredocBody(text: string, from: number, { end, tabs }: Heredoc): { readonly text: string; readonly end: number } {
  const found = new RegExp(`^[\\t ]*${end.replace(/[^\w]/g, '\\$&')}[\\t ]*$`, 'm').exec(text.slice(from));
  const body = text.slice(from, found ? from + found.index : text.length);
  return { text: tabs ? body.replace(/^\t+/gm, '') : body, end: found ? from + found.index + found[0].length : text.length };
}

function startsCommand(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  return !last || (last.kind === 'operator' && last.text !== '(') || /^(if|while|then|do|else|for|!)$/.test(last.text);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function behind(found: number, text: string, length: number): number {
  return found < 0 ? text.length : found + length;
}

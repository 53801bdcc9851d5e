/**
 * Follows a reply through its constraint: which tokens may come next, so that the reply can still be completed within the tokens that are
 * left. What is allowed in a state is remembered, as states come back (inside a string it is always the same one).
 */
import type { CompiledConstraint } from './constraint.ts';
import type { Expression } from './expression.ts';
import type { TokenTree } from './spelling.ts';

/** The tokens that a state allows. */
interface Allowed {
  /** In order. */
  readonly tokens: Int32Array;
  /** Bytes that complete the reply after each of them, at least; and the most of these. */
  readonly needed: Int32Array;
  readonly longest: number;
}

const remembered = 512;

/** A constraint over a vocabulary; shared by all replies that have it. */
export class ConstraintMasks {
  private readonly masks = new Map<Expression, Allowed>();

  constructor(
    readonly constraint: CompiledConstraint,
    private readonly tree: TokenTree,
  ) {}

  /** Tokens after which the reply can be completed with at most `room` bytes. */
  allowed(state: Expression, room: number): Int32Array {
    let mask = this.masks.get(state);
    if (!mask) {
      mask = this.walk(state);
      if (this.masks.size >= remembered) this.masks.clear();
      this.masks.set(state, mask);
    }
    const { tokens, needed, longest } = mask;
    return longest <= room ? tokens : tokens.filter((_, at) => (needed[at] as number) <= room);
  }

  /** What follows a token. */
  after(state: Expression, token: number): Expression {
    const { starts, bytes } = this.tree.spelling;
    const { expressions } = this.constraint;
    let next = state;
    for (let at = starts[token] as number; at < (starts[token + 1] as number); at++)
      next = expressions.derive(next, bytes[at] as number);
    return next;
  }

  private walk(state: Expression): Allowed {
    const { tree } = this;
    const { expressions } = this.constraint;
    const found: [token: number, needed: number][] = [];
    const nodes: number[] = [];
    const states: Expression[] = [];
    const enter = (parent: number, here: Expression): void => {
      for (let node = tree.child[parent] as number; node !== 0; node = tree.sibling[node] as number) {
        const next = expressions.derive(here, tree.byte[node] as number);
        if (next === expressions.nothing) continue;
        nodes.push(node);
        states.push(next);
      }
    };
    enter(0, state);
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      const here = states.pop() as Expression;
      const first = tree.token[node] as number;
      const needed = first >= 0 ? expressions.shortest(here) : Infinity;
      if (needed < Infinity) for (let token = first; token >= 0; token = tree.same[token] as number) found.push([token, needed]);
      enter(node, here);
    }
    found.sort(([a], [b]) => a - b);
    const needed = Int32Array.from(found, ([, bytes]) => bytes);
    return {
      tokens: Int32Array.from(found, ([token]) => token),
      needed,
      longest: needed.reduce((most, bytes) => Math.max(most, bytes), 0),
    };
  }
}

/** One reply on its way. */
export class ConstrainedReply {
  private state: Expression;

  constructor(
    private readonly masks: ConstraintMasks,
    private readonly stopTokens: readonly number[],
  ) {
    this.state = masks.constraint.start;
  }

  /** The tokens that may come next, with `left` tokens to go, the end of the turn among them. */
  next(left: number): Int32Array {
    const { expressions } = this.masks.constraint;
    const tokens = this.masks.allowed(this.state, left - 2);
    return expressions.nullable(this.state) ? Int32Array.from([...tokens, ...this.stopTokens]) : tokens;
  }

  push(token: number): void {
    if (!this.stopTokens.includes(token)) this.state = this.masks.after(this.state, token);
  }
}

/** The bytes of every token of a vocabulary, in shared memory, and a tree of them: which tokens begin with which bytes. */

/** Token `id` has the bytes from `starts[id]` to `starts[id + 1]`; control tokens have none. */
export interface Spelling {
  readonly starts: Int32Array;
  readonly bytes: Uint8Array;
}

/** Of a tokenizer that knows the bytes of its tokens. */
export function spellingOf(size: number, bytesOf: (id: number) => Uint8Array | undefined): Spelling {
  const pieces = Array.from({ length: size }, (_, id) => bytesOf(id) ?? new Uint8Array());
  const starts = new Int32Array(new SharedArrayBuffer(4 * (size + 1)));
  pieces.forEach((piece, id) => (starts[id + 1] = (starts[id] as number) + piece.length));
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(1, starts[size] as number)));
  pieces.forEach((piece, id) => bytes.set(piece, starts[id]));
  return { starts, bytes };
}

/** Tokens as a tree of bytes, in flat arrays: node 0 is the root; 0 as a child or sibling means none. */
export class TokenTree {
  readonly byte: Uint8Array;
  readonly child: Int32Array;
  readonly sibling: Int32Array;
  /** The token that ends at a node, and the next one with the same bytes; −1: none. */
  readonly token: Int32Array;
  readonly same: Int32Array;

  constructor(readonly spelling: Spelling) {
    const { starts, bytes } = spelling;
    const size = starts.length - 1;
    const most = bytes.length + 1;
    this.byte = new Uint8Array(most);
    this.child = new Int32Array(most);
    this.sibling = new Int32Array(most);
    this.token = new Int32Array(most).fill(-1);
    this.same = new Int32Array(size).fill(-1);
    let count = 1;
    for (let id = 0; id < size; id++) {
      const [from, to] = [starts[id] as number, starts[id + 1] as number];
      if (from === to) continue;
      let node = 0;
      for (let at = from; at < to; at++) {
        const byte = bytes[at] as number;
        let next = this.child[node] as number;
        while (next !== 0 && this.byte[next] !== byte) next = this.sibling[next] as number;
        if (next === 0) {
          next = count++;
          this.byte[next] = byte;
          this.sibling[next] = this.child[node] as number;
          this.child[node] = next;
        }
        node = next;
      }
      this.same[id] = this.token[node] as number;
      this.token[node] = id;
    }
  }
}

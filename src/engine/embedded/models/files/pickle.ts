/**
 * Reads Python pickles as data. It executes nothing: names of classes and functions stay names (`Global`), a call stays a record of
 * what would have been called with what (`Call`, for a class `Instance`), and an opcode or a name that tensors do not need is refused.
 */
import { AgogeError } from '../../../../core/error.ts';

export class Global {
  constructor(readonly name: string) {}
}

export class Call {
  constructor(
    readonly callee: Global,
    readonly args: readonly unknown[],
  ) {}
}

/** An object: its class, what it was made of, and the state that it would be given. */
export class Instance {
  state: unknown = undefined;

  constructor(
    readonly type: Global,
    readonly args: readonly unknown[],
  ) {}
}

/** A reference to something outside the pickle (a storage). */
export class Persistent {
  constructor(readonly id: unknown) {}
}

/** Parses a pickle; only names that are `allowed` may occur in it. Dictionaries become Maps, lists and tuples arrays. */
export function readPickle(bytes: Uint8Array, allowed: (name: string) => boolean, where: string): unknown {
  return new Unpickler(bytes, allowed, where).read();
}

const MARK = Symbol('mark');

/** How a pickle names a class inside a class: read as that name, never called. */
const attributeOf: ReadonlySet<string> = new Set(['builtins.getattr', '__builtin__.getattr']);

class Unpickler {
  private at = 0;
  private readonly stack: unknown[] = [];
  private readonly memo = new Map<number, unknown>();
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly allowed: (name: string) => boolean,
    private readonly where: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(): unknown {
    for (;;) {
      const opcode = this.byte();
      if (opcode === 0x2e) return this.pop();
      this.step(opcode);
    }
  }

  private step(opcode: number): void {
    if (this.literal(opcode) || this.memoised(opcode)) return;
    const { stack } = this;
    switch (opcode) {
      case 0x80: // PROTO
        this.byte();
        return;
      case 0x95: // FRAME
        this.take(8);
        return;
      case 0x28:
        stack.push(MARK);
        return;
      case 0x30: // POP
        this.pop();
        return;
      case 0x90: // ADDITEMS
        this.append(this.marked());
        return;
      case 0x74:
        stack.push(this.marked());
        return;
      case 0x85:
      case 0x86:
      case 0x87:
        stack.push(this.last(opcode - 0x84));
        return;
      case 0x63: // GLOBAL
        stack.push(this.global(`${this.line()}.${this.line()}`));
        return;
      case 0x93: {
        // STACK_GLOBAL
        const [module, name] = this.last(2);
        stack.push(this.global(`${String(module)}.${String(name)}`));
        return;
      }
      case 0x51: // BINPERSID
        stack.push(new Persistent(this.pop()));
        return;
      case 0x52: // REDUCE
        this.call();
        return;
      case 0x81: // NEWOBJ
        this.make();
        return;
      case 0x62: {
        // BUILD: what an object's state would be; an ordered dictionary has none that matters
        const state = this.pop();
        const owner = stack.at(-1);
        if (owner instanceof Instance) owner.state = state;
        return;
      }
      case 0x61: // APPEND
        this.append(this.last(1));
        return;
      case 0x65: // APPENDS
        this.append(this.marked());
        return;
      case 0x73: // SETITEM
        this.set(this.last(2));
        return;
      case 0x75: // SETITEMS
        this.set(this.marked());
        return;
      default:
        throw this.refusal(`it holds the instruction 0x${opcode.toString(16)}, which no table of tensors needs`);
    }
  }

  /** Numbers, texts and empty containers; false for another instruction. */
  private literal(opcode: number): boolean {
    switch (opcode) {
      case 0x4e:
        return this.push(null);
      case 0x88:
      case 0x89:
        return this.push(opcode === 0x88);
      case 0x4b:
        return this.push(this.byte());
      case 0x4d:
        return this.push(this.take(2).getUint16(0, true));
      case 0x4a:
        return this.push(this.take(4).getInt32(0, true));
      case 0x8a:
        return this.push(this.long(this.byte()));
      case 0x47:
        return this.push(this.take(8).getFloat64(0, false));
      case 0x58:
        return this.push(this.text(this.take(4).getUint32(0, true)));
      case 0x8c:
        return this.push(this.text(this.byte()));
      case 0x7d:
        return this.push(new Map());
      case 0x5d:
      case 0x29:
        return this.push([]);
      case 0x8f: // EMPTY_SET
        return this.push([]);
      default:
        return false;
    }
  }

  /** What is kept under a number, and taken from there; false for another instruction. */
  private memoised(opcode: number): boolean {
    switch (opcode) {
      case 0x71: // BINPUT
        this.memo.set(this.byte(), this.stack.at(-1));
        return true;
      case 0x72: // LONG_BINPUT
        this.memo.set(this.take(4).getUint32(0, true), this.stack.at(-1));
        return true;
      case 0x94: // MEMOIZE
        this.memo.set(this.memo.size, this.stack.at(-1));
        return true;
      case 0x68: // BINGET
        return this.push(this.remembered(this.byte()));
      case 0x6a: // LONG_BINGET
        return this.push(this.remembered(this.take(4).getUint32(0, true)));
      default:
        return false;
    }
  }

  private push(value: unknown): true {
    this.stack.push(value);
    return true;
  }

  private call(): void {
    const args = this.pop();
    const callee = this.pop();
    if (!(callee instanceof Global) || !Array.isArray(args)) throw this.refusal('it calls something that is no function');
    if (attributeOf.has(callee.name)) {
      // A class inside a class is named by asking for it; the whole name has to be one that is allowed.
      const [owner, name] = args as unknown[];
      if (!(owner instanceof Global) || typeof name !== 'string') throw this.refusal('it asks for attributes of what is no class');
      this.stack.push(this.global(`${owner.name}.${name}`));
      return;
    }
    // The one constructor that is harmless and needed: an empty ordered dictionary.
    this.stack.push(callee.name === 'collections.OrderedDict' ? new Map() : new Call(callee, args as unknown[]));
  }

  private make(): void {
    const args = this.pop();
    const type = this.pop();
    if (!(type instanceof Global) || !Array.isArray(args)) throw this.refusal('it makes an object of something that is no class');
    this.stack.push(new Instance(type, args as unknown[]));
  }

  private global(name: string): Global {
    if (attributeOf.has(name) || this.allowed(name)) return new Global(name);
    throw this.refusal(`it names ${name}, which could run code`);
  }

  private append(values: readonly unknown[]): void {
    const list = this.stack.at(-1);
    if (!Array.isArray(list)) throw this.refusal('it appends to something that is no list');
    list.push(...values);
  }

  private set(pairs: readonly unknown[]): void {
    const map = this.stack.at(-1);
    if (!(map instanceof Map)) throw this.refusal('it sets items of something that is no dictionary');
    for (let at = 0; at + 1 < pairs.length; at += 2) (map as Map<unknown, unknown>).set(pairs[at], pairs[at + 1]);
  }

  private remembered(key: number): unknown {
    if (!this.memo.has(key)) throw this.refusal('it refers to something that it has not said');
    return this.memo.get(key);
  }

  private marked(): unknown[] {
    const at = this.stack.lastIndexOf(MARK);
    if (at < 0) throw this.refusal('it is out of step');
    const values = this.stack.splice(at);
    return values.slice(1);
  }

  private last(count: number): unknown[] {
    if (this.stack.length < count) throw this.refusal('it is out of step');
    return this.stack.splice(-count);
  }

  private pop(): unknown {
    return this.last(1)[0];
  }

  private byte(): number {
    return this.take(1).getUint8(0);
  }

  private long(length: number): number {
    const bytes = this.take(length);
    let value = 0n;
    for (let at = length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes.getUint8(at));
    if (length > 0 && bytes.getUint8(length - 1) >= 0x80) value -= 1n << BigInt(8 * length);
    return Number(value);
  }

  private text(length: number): string {
    const { byteOffset } = this.take(length);
    return new TextDecoder().decode(new Uint8Array(this.bytes.buffer, byteOffset, length));
  }

  private line(): string {
    const end = this.bytes.indexOf(10, this.at);
    if (end < 0) throw this.refusal('it ends in the middle');
    const text = this.text(end - this.at);
    this.at++;
    return text;
  }

  private take(length: number): DataView {
    if (this.at + length > this.bytes.length) throw this.refusal('it ends in the middle');
    const view = new DataView(this.bytes.buffer, this.view.byteOffset + this.at, length);
    this.at += length;
    return view;
  }

  private refusal(why: string): AgogeError {
    return new AgogeError(
      'MODEL_BAD_PICKLE',
      `${this.where} cannot be read as plain tensors: ${why}; use the model's safetensors files, or save it again with torch.save(model.state_dict())`,
    );
  }
}

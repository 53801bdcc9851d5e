/**
 * Reads trajectories of AgentTraj-L out of the bytes of a file. Exactly `{conversations: [{from: human|gpt, loss, value}], item_id}` in
 * valid JSON is read, with its keys in any order and any white space; for everything else, also what is wrong, the caller goes the
 * usual way. Texts are looked at four bytes at a time, and what stands before a text is compared with what stood before others.
 */
import { isUtf8 } from 'node:buffer';
import { FIELDS, RawMessages, RawTrajectory } from './raw-trajectory.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LETTER_U = 0x75;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What a backslash before this byte stands for; 0 where nothing does (`u` is read apart). */
const escapes = new Uint8Array(256);
for (const [letter, meant] of Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }))
  escapes[letter.charCodeAt(0)] = meant.charCodeAt(0);

/** What stood before the text of a message, from its `{` to the quote, and what it said. */
interface Head {
  readonly bytes: Buffer;
  readonly role: number;
  readonly loss: number;
}
const MOST_HEADS = 8;

export class TrajectoryReader {
  /** The byte behind the trajectory that was read last. */
  end = 0;
  private bytes: Buffer = Buffer.alloc(0);
  private view: DataView = new DataView(new ArrayBuffer(0));
  private at = 0;
  /** Texts of the trajectories read so far; those that were handed out stay as they are. */
  private texts = Buffer.alloc(0);
  private textsView = new DataView(new ArrayBuffer(0));
  private textsEnd = 0;
  private places = new Int32Array(64 * FIELDS);
  private readonly heads: Head[] = [];
  /** The inside of the last key or short word. */
  private from = 0;
  private to = 0;

  /** The trajectory that begins here, or undefined where there is something else or it is not whole. */
  read(bytes: Buffer, start: number): RawTrajectory | undefined {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.makeRoom(bytes.length - start);
    this.at = start;
    const before = this.textsEnd;
    const read = this.trajectory(start);
    // Texts of what was not read are written over.
    if (read) this.end = this.at;
    else this.textsEnd = before;
    return read;
  }

  private trajectory(start: number): RawTrajectory | undefined {
    let count = 0;
    let itemId: string | undefined;
    if (!this.passes(OPEN_OBJECT)) return undefined;
    do {
      if (!this.word()) return undefined;
      if (this.is('conversations')) {
        if (count > 0 || !this.passes(COLON)) return undefined;
        count = this.list();
        if (count === 0) return undefined;
      } else {
        if (itemId !== undefined || !this.is('item_id') || !this.passes(COLON) || !this.word()) return undefined;
        itemId = this.bytes.toString('latin1', this.from, this.to);
      }
    } while (this.passes(COMMA));
    if (!this.passes(CLOSE_OBJECT) || count === 0 || itemId === undefined) return undefined;
    const json = this.bytes.subarray(start, this.at);
    if (!isUtf8(json)) return undefined;
    return new RawTrajectory(itemId, new RawMessages(this.texts, this.places.slice(0, count * FIELDS)), json);
  }

  /** How many messages the list has; 0 where it cannot be read. */
  private list(): number {
    let count = 0;
    if (!this.passes(OPEN_ARRAY)) return 0;
    do {
      if ((count + 1) * FIELDS > this.places.length) {
        const larger = new Int32Array(this.places.length * 2);
        larger.set(this.places);
        this.places = larger;
      }
      if (!this.quickMessage(count * FIELDS) && !this.message(count * FIELDS)) return 0;
      count++;
    } while (this.passes(COMMA));
    return this.passes(CLOSE_ARRAY) ? count : 0;
  }

  /** A message that begins like one before it and ends with its text. */
  private quickMessage(place: number): boolean {
    this.passBlanks();
    const start = this.at;
    for (const { bytes, role, loss } of this.heads) {
      let i = 0;
      while (i < bytes.length && bytes[i] === this.bytes[start + i]) i++;
      if (i < bytes.length) continue;
      this.at = start + i;
      const before = this.textsEnd;
      if (this.text(place) && this.passes(CLOSE_OBJECT)) {
        this.places[place + 2] = role;
        this.places[place + 3] = loss;
        return true;
      }
      this.at = start;
      this.textsEnd = before;
      return false;
    }
    return false;
  }

  private message(place: number): boolean {
    const { places } = this;
    let seen = 0;
    const start = this.at;
    let head = 0;
    if (!this.passes(OPEN_OBJECT)) return false;
    do {
      if (!this.word()) return false;
      const key = this.is('value') ? 1 : this.is('from') ? 2 : this.is('loss') ? 4 : 0;
      if (key === 0 || (seen & key) !== 0 || !this.passes(COLON)) return false;
      seen |= key;
      if (key === 1) {
        if (!this.passes(QUOTE)) return false;
        if (seen === 7) head = this.at;
        if (!this.text(place)) return false;
      } else if (key === 2) {
        const role = !this.word() ? -1 : this.is('human') ? 0 : this.is('gpt') ? 1 : -1;
        if (role < 0) return false;
        places[place + 2] = role;
      } else {
        const loss = this.says('null') ? 0 : this.says('true') ? 1 : this.says('false') ? 2 : -1;
        if (loss < 0) return false;
        places[place + 3] = loss;
      }
    } while (this.passes(COMMA));
    if (seen !== 7 || !this.passes(CLOSE_OBJECT)) return false;
    if (head > 0 && this.heads.length < MOST_HEADS) {
      const bytes = Buffer.from(this.bytes.subarray(start, head));
      this.heads.push({ bytes, role: places[place + 2] as number, loss: places[place + 3] as number });
    }
    return true;
  }

  /** The text that goes on here, up to its closing quote, without its escapes and behind its length. */
  private text(place: number): boolean {
    const { bytes, view, texts, textsView } = this;
    const start = this.textsEnd + 4;
    const wholeWords = bytes.length - 4;
    let i = this.at;
    let to = start;
    for (;;) {
      while (i <= wholeWords) {
        const word = view.getInt32(i, true);
        const quote = word ^ 0x22222222;
        const slash = word ^ 0x5c5c5c5c;
        // Not zero where one of the four bytes is a control character, a quote or a backslash.
        const found = ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash);
        if ((found & 0x80808080) !== 0) break;
        textsView.setInt32(to, word, true);
        to += 4;
        i += 4;
      }
      let byte = bytes[i];
      while (byte !== undefined && byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
        texts[to++] = byte;
        byte = bytes[++i];
      }
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) return false;
      const letter = bytes[i + 1] ?? 0;
      const meant = escapes[letter] as number;
      if (meant !== 0) {
        texts[to++] = meant;
        i += 2;
      } else if (letter === LETTER_U) {
        const code = fourDigits(bytes, i + 2);
        if (code < 0) return false;
        if (code >= 0xd800 && code < 0xe000) {
          // Half of a character; without its other half it has no UTF-8.
          const isPair = code < 0xdc00 && bytes[i + 6] === BACKSLASH && bytes[i + 7] === LETTER_U;
          const low = isPair ? fourDigits(bytes, i + 8) : 0;
          if (low < 0xdc00 || low >= 0xe000) return false;
          to += texts.write(String.fromCharCode(code, low), to, 'utf8');
          i += 12;
        } else {
          if (code < 0x80) texts[to++] = code;
          else to += texts.write(String.fromCharCode(code), to, 'utf8');
          i += 6;
        }
      } else return false;
    }
    textsView.setInt32(start - 4, to - start, true);
    this.places[place] = start;
    this.places[place + 1] = to;
    this.textsEnd = to;
    this.at = i + 1;
    return true;
  }

  /** Room for texts that were so many bytes of JSON: a text and its length never take more than the message did. */
  private makeRoom(bytes: number): void {
    if (this.texts.length - this.textsEnd >= bytes + 8) return;
    this.texts = Buffer.allocUnsafeSlow(bytes + 8);
    this.textsView = new DataView(this.texts.buffer, this.texts.byteOffset, this.texts.length);
    this.textsEnd = 0;
  }

  /** Is this the next byte that is no white space? Then it is behind us. */
  private passes(byte: number): boolean {
    this.passBlanks();
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  private passBlanks(): void {
    let byte = this.bytes[this.at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = this.bytes[++this.at];
  }

  /** A string of plain ASCII; its inside lies from `from` to `to`. */
  private word(): boolean {
    if (!this.passes(QUOTE)) return false;
    this.from = this.at;
    let byte = this.bytes[this.at];
    while (byte !== undefined && byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH)
      byte = this.bytes[++this.at];
    this.to = this.at++;
    return byte === QUOTE;
  }

  private is(word: string): boolean {
    if (this.to - this.from !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (this.bytes[this.from + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  /** Does this stand here, without quotes? */
  private says(word: string): boolean {
    this.passBlanks();
    for (let i = 0; i < word.length; i++) if (this.bytes[this.at + i] !== word.charCodeAt(i)) return false;
    this.at += word.length;
    return true;
  }
}

/** The number that four hexadecimal digits say; -1 where they do not. */
function fourDigits(bytes: Buffer, at: number): number {
  let code = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i] ?? 0;
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) code = code * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) code = code * 16 + letter - 0x57;
    else return -1;
  }
  return code;
}

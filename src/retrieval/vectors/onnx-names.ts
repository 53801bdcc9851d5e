/** The names of an ONNX model's inputs and outputs, read from its bytes (protocol buffers) without building anything of it. */

const GRAPH = 7;
const INITIALIZER = 5;
const INPUT = 11;
const OUTPUT = 12;
/** In a weight and in an input, where their names are. */
const WEIGHT_NAME = 8;
const VALUE_NAME = 1;

export function onnxNames(model: Uint8Array): { readonly inputs: string[]; readonly outputs: string[] } {
  const names: Record<number, string[]> = { [INITIALIZER]: [], [INPUT]: [], [OUTPUT]: [] };
  for (const [field, graph] of fields(model)) {
    if (field !== GRAPH) continue;
    for (const [part, value] of fields(graph)) {
      if (!(part in names)) continue;
      const wanted = part === INITIALIZER ? WEIGHT_NAME : VALUE_NAME;
      for (const [inner, text] of fields(value)) if (inner === wanted) names[part]?.push(new TextDecoder().decode(text));
    }
  }
  // Old models list their weights among the inputs.
  const weights = new Set(names[INITIALIZER]);
  return { inputs: (names[INPUT] ?? []).filter((name) => !weights.has(name)), outputs: names[OUTPUT] ?? [] };
}

/** The fields that hold bytes, by number; others are passed over. */
function* fields(bytes: Uint8Array): Generator<readonly [number, Uint8Array]> {
  let at = 0;
  const varint = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    switch (key & 7) {
      case 0:
        varint();
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const length = varint();
        yield [Math.floor(key / 8), bytes.subarray(at, at + length)];
        at += length;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        return;
    }
  }
}

/**
 * Reads the official product files: a JSON array of any length, record by record, so that the million products of the full
 * set never stand in memory as one text. The only file of this environment that touches a disk; it asks for the disk when
 * a file is named, so that a page that never names one can carry it.
 */
import { AgogeError } from '../../core/error.ts';
import { readAnnotation, readProduct, type Annotation, type Product } from './catalogue/product.ts';

export interface ProductFiles {
  /** items_shuffle.json, items_shuffle_1000.json, or products as the original keeps them; JSON lines as well. */
  readonly products: string;
  /** items_ins_v2.json: attributes and instructions by asin. */
  readonly attributes?: string | undefined;
  /** Only the first so many records. */
  readonly limit?: number | undefined;
}

/** The products in file order; records without a proper asin and repeated ones are left out, as in the original. */
export async function readProducts({ products: path, attributes, limit = Infinity }: ProductFiles): Promise<Product[]> {
  const annotations = attributes === undefined ? undefined : await readAnnotations(attributes);
  const name = basename(path);
  const products: Product[] = [];
  const seen = new Set<string>();
  let number = 0;
  for await (const text of recordsOf(path)) {
    if (number >= limit) break;
    number++;
    const where = `record ${number} of ${name}`;
    const given = parsed(text, where);
    const asin = typeof given === 'object' && given !== null && 'asin' in given ? String(given.asin) : '';
    if (asin === 'nan' || asin.length > 10 || seen.has(asin)) continue;
    const product = readProduct(given, where, annotations && (annotations.get(asin) ?? {}));
    seen.add(asin);
    products.push(product);
  }
  if (products.length === 0) {
    throw new AgogeError('ENV_EMPTY_CATALOGUE', `${name} holds no products: give a JSON array with at least one`);
  }
  return products;
}

/** Node's file system. */
function disk(): typeof import('node:fs') {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const found = process?.getBuiltinModule?.('node:fs');
  if (!found)
    throw new AgogeError('ENV_NO_PRODUCTS', 'files cannot be read here: leave webshop.products out, or run agoge in Node');
  return found;
}

function basename(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

async function readAnnotations(path: string): Promise<Map<string, Annotation>> {
  const name = basename(path);
  const given = parsed(await contents(path), name);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new AgogeError('ENV_BAD_PRODUCTS', `${name} is not an object of attributes by asin: give items_ins_v2.json`);
  }
  return new Map(Object.entries(given).map(([asin, entry]) => [asin, readAnnotation(entry, `${asin} in ${name}`)]));
}

async function contents(path: string): Promise<string> {
  try {
    return await disk().promises.readFile(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : '';
    throw new AgogeError('ENV_BAD_PRODUCTS', `${where} is not JSON (${words}): repair the file or fetch it again`, { cause });
  }
}

/** The texts of the objects at the top of a JSON array or of JSON lines; only brackets and strings are looked at. */
async function* recordsOf(path: string): AsyncGenerator<string> {
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let record = '';
  let found = 0;
  let rest = '';
  try {
    for await (const piece of disk().createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
      const text = piece as string;
      let start = depth > 0 ? 0 : -1;
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (quoted) {
          if (escaped) escaped = false;
          else if (unit === BACKSLASH) escaped = true;
          else if (unit === QUOTE) quoted = false;
        } else if (unit === QUOTE && depth > 0) quoted = true;
        else if (unit === OPEN && depth++ === 0) start = i;
        else if (unit === CLOSE && depth > 0 && --depth === 0) {
          found++;
          yield record + text.slice(start, i + 1);
          record = '';
          start = -1;
        } else if (depth === 0 && rest.length < 40 && !SPACES.has(unit)) rest += text[i] ?? '';
      }
      if (start >= 0) record += text.slice(start);
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
  const name = basename(path);
  if (depth > 0 || (found > 0 && rest.startsWith('[') && !rest.includes(']') && rest.length < 40)) {
    const broken = depth > 0 ? `record ${found + 1} of ${name} is cut off` : `${name} ends without "]" after record ${found}`;
    throw new AgogeError('ENV_BAD_PRODUCTS', `${broken}: fetch the file again`);
  }
  const strange = rest.replace(/[[\],]/g, '');
  if (strange !== '') {
    throw new AgogeError(
      'ENV_BAD_PRODUCTS',
      `${name} has "${strange.slice(0, 20)}" between its records: give a JSON array of objects`,
    );
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACES = new Set([0x20, 0x0a, 0x0d, 0x09, 0x2c, 0xfeff]);

function unreadable(path: string, cause: unknown): AgogeError {
  const words = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof AgogeError) return cause;
  return new AgogeError('ENV_NO_PRODUCTS', `${path} cannot be read (${words}): check the path`, { cause });
}

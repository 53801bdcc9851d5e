/**
 * How many threads may share the products of one pack without changing their bits. MLAS, ONNX Runtime's library of products, gives each thread
 * some rows of the result, or some columns where there are more columns than rows. It sums over the inner extent in blocks, and narrow results
 * have larger blocks: where a thread's columns become so few that its blocks change, so do the last bits.
 */
import { keyValueWidth, queryWidth, type ModelConfig } from '../network/config.ts';

/** Rows, columns and inner extent of a product. */
type Product = readonly [rows: number, columns: number, inner: number];

/** What a pack asks of the products: its rows, scored rows in each part of the head, and matrices in each stack of attention. */
export interface PackSizes {
  readonly rows: number;
  readonly scored: readonly number[];
  readonly stacks: readonly number[];
}

/** Columns that a thread gets are a multiple of this. */
const columnStep = 16;
const blockEdge = 128;

/** The most threads up to `limit` with the bits of one. */
export function safeWidth(config: ModelConfig, sizes: PackSizes, limit: number): number {
  const products = productsOf(config, sizes);
  let width = 1;
  // A small product uses fewer threads than there are, so every number up to the width has to be safe.
  while (
    width < limit &&
    products.every((product) => keepsBlocks(product, width + 1)) &&
    sizes.stacks.every((count) => count > width)
  )
    width++;
  return width;
}

function productsOf(config: ModelConfig, { rows, scored }: PackSizes): Product[] {
  const { hidden, intermediate, vocabulary } = config;
  const [query, keyValue] = [queryWidth(config), keyValueWidth(config)];
  const rank = config.lora?.rank;
  const shapes = [
    [query, hidden],
    [keyValue, hidden],
    [query + keyValue, hidden],
    [hidden, query],
    [intermediate, hidden],
    [hidden, intermediate],
  ] as const;
  const adapters =
    rank === undefined
      ? []
      : shapes.flatMap(
          ([out, width]) =>
            [
              [out, rank],
              [rank, width],
            ] as const,
        );
  return [
    ...[...shapes, ...adapters].flatMap((shape) => passesOf(rows, shape)),
    ...scored.flatMap((count) => passesOf(count, [config.head === 'value' ? 1 : vocabulary, hidden])),
  ];
}

/** Forward, backward to the input, backward to the weight. */
function passesOf(rows: number, [out, width]: readonly [number, number]): Product[] {
  return [
    [rows, out, width],
    [rows, width, out],
    [out, width, rows],
  ];
}

function keepsBlocks([rows, columns, inner]: Product, threads: number): boolean {
  if (columns <= rows) return true;
  const steps = Math.ceil(columns / columnStep);
  const fewest = Math.floor(steps / threads) * columnStep;
  return fewest > 0 && blockOf(fewest, inner) === blockOf(columns, inner);
}

/** Inner places that are summed before the sum is written down. */
function blockOf(columns: number, inner: number): number {
  let block = blockEdge;
  if (columns < inner) for (let edge = blockEdge; edge > columnStep && edge / 2 >= columns; edge /= 2) block *= 2;
  return Math.min(inner, block);
}

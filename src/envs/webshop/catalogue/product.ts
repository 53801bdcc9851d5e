/**
 * A product as the shop shows it, and how one is read from a record of the official files: either as they are distributed
 * (`pricing` "$5.99 to $9.99", `customization_options`) or as the original keeps them after loading (`pricing` [5.99, 9.99],
 * `options`). What a record lacks is named with the record.
 */
import * as z from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { pythonFloat } from '../../../core/python/repr.ts';

export interface Option {
  readonly name: string;
  readonly values: readonly string[];
}

export interface Product {
  readonly asin: string;
  readonly title: string;
  readonly description: string;
  readonly bullets: readonly string[];
  /** One price, or the two ends of a range. */
  readonly pricing: readonly number[];
  readonly options: readonly Option[];
  /** Department: beauty, electronics, fashion, garden, grocery. */
  readonly category: string;
  /** The search from which the product was collected: its kind, such as "men's dress shirts". */
  readonly query: string;
  /** Path of categories, separated by ›. */
  readonly productCategory: string;
  readonly attributes: readonly string[];
  /** What a shopper asks for and which of the attributes that names; null for products without a goal. */
  readonly instruction: { readonly text: string; readonly attributes: readonly string[] } | null;
  readonly image: string;
}

/** What the file of attributes says of a product. */
export interface Annotation {
  readonly attributes?: readonly string[] | undefined;
  readonly instruction?: string | null | undefined;
  readonly instruction_attributes?: readonly string[] | null | undefined;
}

/** `$9.99`, or `$9.99 to $19.99`. */
export function priceTag({ pricing }: Product): string {
  return pricing.map((price) => `$${pythonFloat(price)}`).join(' to ');
}

/** The text that the search engine indexes. */
export function searchableText({ title, description, bullets, options }: Product): string {
  const choices = options.map(({ name, values }) => `${name}: ${values.join(', ')}`);
  return [title, description, bullets[0] ?? '', choices.join(', and ')].join(' ').toLowerCase();
}

const text = z.string();
const choice = z.object({ value: text, image: text.nullish() });
const record = z.object({
  asin: text,
  name: text,
  full_description: text.nullish(),
  small_description: z.union([z.array(text), text]).nullish(),
  pricing: z.union([text, z.array(z.number().nonnegative())]).nullish(),
  customization_options: z.union([z.literal(''), z.record(text, z.array(choice).nullable())]).nullish(),
  options: z.record(text, z.array(text)).nullish(),
  category: text,
  query: text,
  product_category: text,
  images: z.array(text).nullish(),
  Attributes: z.array(text).nullish(),
  instruction: text.nullish(),
  instruction_attributes: z.array(text).nullish(),
});

const annotationRecord = z.object({
  attributes: z.array(text).optional(),
  instruction: text.nullish(),
  instruction_attributes: z.array(text).nullish(),
});

/** Reads a record; `where` names it in errors ("record 17 of items.json"). */
export function readProduct(given: unknown, where: string, annotation?: Annotation): Product {
  const parsed = record.safeParse(given);
  if (!parsed.success) throw unreadable(where, given, parsed.error);
  const raw = parsed.data;
  const attributes = annotation ? annotation.attributes : raw.Attributes;
  return {
    asin: raw.asin,
    title: raw.name,
    description: raw.full_description ?? '',
    bullets: typeof raw.small_description === 'string' ? [raw.small_description] : (raw.small_description ?? ['']),
    pricing: readPricing(raw.pricing, where),
    options: readOptions(raw),
    category: raw.category,
    query: raw.query.toLowerCase().trim(),
    productCategory: raw.product_category,
    attributes: attributes ?? ['DUMMY_ATTR'],
    instruction: readInstruction(annotation ?? raw, where),
    image: raw.images?.[0] ?? '',
  };
}

/** Reads the entry of a product in the file of attributes. */
export function readAnnotation(given: unknown, where: string): Annotation {
  const parsed = annotationRecord.safeParse(given);
  if (!parsed.success) throw unreadable(where, given, parsed.error);
  return parsed.data;
}

function readInstruction(from: Annotation, where: string): Product['instruction'] {
  if (from.instruction === null || from.instruction === undefined) return null;
  const attributes = from.instruction_attributes ?? [];
  if (attributes.length === 0) {
    throw new AgogeError(
      'ENV_BAD_PRODUCTS',
      `${where} has an instruction but no instruction_attributes: name at least one, or remove the instruction`,
    );
  }
  return { text: from.instruction, attributes };
}

function readPricing(pricing: z.infer<typeof record>['pricing'], where: string): number[] {
  if (pricing === null || pricing === undefined || pricing.length === 0) return [100];
  const prices =
    typeof pricing === 'string'
      ? pricing
          .split('$')
          .slice(1)
          .map((part) => part.replace(/[^\d.]/g, ''))
          .map((digits) => (/^(\d+\.?\d*|\.\d+)$/.test(digits) ? Number(digits) : NaN))
      : pricing;
  if (prices.length === 0 || prices.some(Number.isNaN)) {
    throw new AgogeError(
      'ENV_BAD_PRODUCTS',
      `the pricing of ${where} is ${JSON.stringify(pricing)}: write it as "$9.99", "$9.99 to $19.99" or ""`,
    );
  }
  return prices.slice(0, 2);
}

function readOptions(raw: z.infer<typeof record>): Option[] {
  if (raw.options) return Object.entries(raw.options).map(([name, values]) => ({ name, values }));
  const options = new Map<string, string[]>();
  for (const [name, choices] of Object.entries(raw.customization_options || {})) {
    if (choices)
      options.set(
        name.toLowerCase(),
        choices.map(({ value }) => value.trim().replaceAll('/', ' | ').toLowerCase()),
      );
  }
  return [...options].map(([name, values]) => ({ name, values }));
}

function unreadable(where: string, given: unknown, error: z.ZodError): AgogeError {
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  const asin = typeof given === 'object' && given !== null && 'asin' in given ? ` (asin ${String(given.asin)})` : '';
  const fault = field === '' ? 'is not an object' : `has a bad or missing "${field}" (${issue?.message ?? ''})`;
  return new AgogeError('ENV_BAD_PRODUCTS', `${where}${asin} ${fault}: repair the record or leave it out`, { cause: error });
}

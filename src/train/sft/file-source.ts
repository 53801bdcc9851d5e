/**
 * Sequences from files, read as a stream and shuffled within a window, epoch after epoch in another order. Every row is read
 * once before the run starts: a bad one is named by file and row, and nothing has been trained.
 */
import { breathe } from '../../agent/breathe.ts';
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { Random } from '../../core/random/random.ts';
import type { ConversationRow } from '../../data/rows.ts';
import { withoutOpening } from '../../data/openings.ts';
import { readConversations } from '../../data/read.ts';
import { isLearned } from '../../data/rows.ts';
import { AgogeError } from '../../core/error.ts';
import { formatOfCounts, formatOfReply } from '../../agent/formats/detect.ts';
import type { Renderer } from '../../policy/renderer.ts';
import type { DataFormat } from '../run/agent-setup.ts';
import { conversationDatum, fitDatum } from './conversation-datum.ts';
import type { SftBatch, SftPosition, SftSource } from './source.ts';

/** Which rows: those that are held out for validation, the others, or all. */
export type Part = 'training' | 'validation' | 'all';

export interface FileSourceOptions {
  readonly paths: readonly string[];
  readonly renderer: Renderer;
  readonly recipe: SftRecipe;
  readonly maxTokens: number;
  readonly part: Part;
  readonly epochs: number | null;
  /** Rows of an epoch of this part, where they were counted: then it is known how far a run has come. */
  readonly rows?: number | undefined;
}

export class FileSource implements SftSource {
  private drawn = 0;
  private epoch = 0;
  /** Drawn when this epoch began, and in the whole one before it. */
  private began = 0;
  private inEpoch = 0;
  private rows: AsyncGenerator<ConversationRow, void> | undefined;
  private held: ConversationRow[] = [];
  private random = Random.of(0);
  private waiting: TrajectoryDatum | undefined;
  /** Something was learned from here, now or before a restart. */
  private gave = false;

  constructor(private readonly options: FileSourceOptions) {}

  get size(): number | undefined {
    const { rows, epochs } = this.options;
    return rows === undefined || epochs === null ? undefined : rows * epochs;
  }

  get position(): SftPosition {
    return { drawn: this.drawn - (this.waiting ? 1 : 0) };
  }

  /** Draws again what was drawn before, without tokenising it. */
  async restore({ drawn }: SftPosition): Promise<void> {
    await this.rows?.return();
    [this.rows, this.held, this.epoch, this.drawn, this.began, this.waiting] = [undefined, [], 0, 0, 0, undefined];
    while (this.drawn < drawn && (await this.draw())) continue;
    this.gave = drawn > 0;
  }

  async next(tokens: number): Promise<SftBatch | undefined> {
    const { epoch } = this;
    const rows = this.options.recipe.batch_conversations;
    const data: TrajectoryDatum[] = [];
    let used = 0;
    while (rows === null ? used < tokens : data.length < rows) {
      const datum = this.waiting ?? (await this.datum());
      this.waiting = undefined;
      if (!datum) break;
      if (rows === null && data.length > 0 && used + datum.tokens.length > tokens * 1.25) {
        this.waiting = datum;
        break;
      }
      data.push(datum);
      used += datum.tokens.length;
    }
    return data.length === 0 ? undefined : { data, epoch };
  }

  private async datum(): Promise<TrajectoryDatum | undefined> {
    const { renderer, recipe, maxTokens } = this.options;
    const from = this.epoch;
    for (;;) {
      const row = await this.draw();
      if (!row) {
        // Epochs of rows that were all skipped are no finished run.
        if (!this.gave && this.drawn > 0) throw nothingFits(this.inEpoch, maxTokens);
        return undefined;
      }
      if (this.epoch > from + 1) throw nothingFits(this.inEpoch, maxTokens);
      const datum = conversationDatum(row, renderer, recipe.data.loss);
      const fitting = datum && fitDatum(datum, maxTokens, recipe.data.too_long, row.itemId ?? `sequence ${this.drawn}`);
      if (!fitting) continue;
      this.gave = true;
      return fitting;
    }
  }

  private async draw(): Promise<ConversationRow | undefined> {
    const { recipe, epochs } = this.options;
    for (;;) {
      if (!this.rows) {
        if (epochs !== null && this.epoch >= epochs) return undefined;
        this.rows = this.read();
        this.random = Random.of(recipe.seed, 'shuffle', this.epoch);
      }
      while (this.held.length < recipe.data.shuffle) {
        const { value, done } = await this.rows.next();
        if (done === true) break;
        this.held.push(value);
      }
      if (this.held.length > 0) {
        const at = this.random.below(this.held.length);
        const row = this.held[at];
        const last = this.held.pop();
        if (last && at < this.held.length) this.held[at] = last;
        this.drawn++;
        return row;
      }
      this.rows = undefined;
      this.epoch++;
      [this.inEpoch, this.began] = [this.drawn - this.began, this.drawn];
    }
  }

  private async *read(): AsyncGenerator<ConversationRow, void> {
    const { paths, recipe, part } = this.options;
    let number = 0;
    for (const path of paths) {
      for await (const row of readConversations(path)) {
        if (part === 'all' || isHeldOut(recipe, number++) === (part === 'validation'))
          yield recipe.data.openings === 'strip' ? withoutOpening(row) : row;
      }
    }
  }
}

/** A whole epoch without a single sequence: going round again would never end. */
function nothingFits(rows: number, maxTokens: number): AgogeError {
  return new AgogeError(
    'TRAIN_TOO_LONG',
    `none of ${rows} conversations has a turn to learn within ${maxTokens} tokens: raise data.max_tokens, or train a model with a longer context`,
  );
}

export interface FileCounts {
  readonly conversations: number;
  /** Of them, held out for validation by the recipe. */
  readonly held: number;
  readonly replies: number;
  /** First observations that begin with words of their client. */
  readonly openings: number;
  /** The prompt format of the replies. */
  readonly written: DataFormat;
}

/** Reads everything once; returns how many conversations and replies there are to learn. */
export async function checkFiles(paths: readonly string[], recipe?: SftRecipe, signal?: AbortSignal): Promise<FileCounts> {
  let [conversations, held, replies, openings] = [0, 0, 0, 0];
  const formats: Record<string, number> = {};
  const said: Record<string, number> = {};
  for (const path of paths) {
    for await (const row of readConversations(path)) {
      await breathe();
      signal?.throwIfAborted();
      if (recipe && isHeldOut(recipe, conversations)) held++;
      conversations++;
      if (withoutOpening(row) !== row) openings++;
      const learned = row.messages.filter(isLearned);
      replies += learned.length;
      const named = row.extra?.['format'];
      if (typeof named === 'string') said[named] = (said[named] ?? 0) + learned.length;
      for (const { content } of learned) {
        const format = formatOfReply(content) ?? 'none';
        formats[format] = (formats[format] ?? 0) + 1;
      }
    }
  }
  if (replies === 0)
    throw new AgogeError('TRAIN_NO_REPLIES', `${paths.join(', ')} has no replies to learn: check that it is the file you meant`);
  return { conversations, held, replies, openings, written: writtenIn(paths, said, formats, replies) };
}

/** What the rows say about themselves counts; where they say nothing, what their replies look like. */
function writtenIn(
  paths: readonly string[],
  said: Readonly<Record<string, number>>,
  formats: Readonly<Record<string, number>>,
  total: number,
): DataFormat {
  const [named] = Object.entries(said).sort((a, b) => b[1] - a[1]);
  const looksLike = formatOfCounts(formats);
  const seen = Object.entries(formats).find(([name]) => name === looksLike);
  const [format, count] = (named && named[1] * 2 > total ? named : seen) ?? [undefined, 0];
  return { where: paths.join(', '), format, replies: count, total };
}

function isHeldOut(recipe: SftRecipe, number: number): boolean {
  return recipe.data.hold_out > 0 && Random.of(recipe.seed, 'held out', number).float() < recipe.data.hold_out;
}

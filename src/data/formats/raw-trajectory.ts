/**
 * A trajectory whose messages have not become objects: their texts lie one after the other in a buffer, each behind its length, as
 * parquet's plain encoding has them. So a conversion copies a row's texts at once; whoever asks for `messages` gets them.
 */
import type { ConversationRow, DataMessage, Role } from '../rows.ts';

const ROLES: readonly Role[] = ['user', 'assistant', 'system'];
const LOSSES: readonly (boolean | null)[] = [null, true, false];
/** Of each message: where its text begins and ends, its role and its loss as numbers of the lists above. */
export const FIELDS = 4;

export class RawMessages {
  readonly length: number;

  constructor(
    readonly bytes: Buffer,
    private readonly places: Int32Array,
  ) {
    this.length = places.length / FIELDS;
  }

  start(index: number): number {
    return this.places[index * FIELDS] as number;
  }

  end(index: number): number {
    return this.places[index * FIELDS + 1] as number;
  }

  role(index: number): Role | undefined {
    return ROLES[this.places[index * FIELDS + 2] ?? -1];
  }

  loss(index: number): boolean | null | undefined {
    return LOSSES[this.places[index * FIELDS + 3] ?? -1];
  }

  content(index: number): string {
    return this.bytes.toString('utf8', this.start(index), this.end(index));
  }

  /** The first message as the system's, without the second one. */
  withSystem(): RawMessages {
    const places = this.places.slice(FIELDS);
    places.set(this.places.subarray(0, FIELDS));
    places[2] = ROLES.indexOf('system');
    return new RawMessages(this.bytes, places);
  }
}

export class RawTrajectory implements ConversationRow {
  readonly kind = 'conversation';
  readonly extra?: undefined;
  private made: readonly DataMessage[] | undefined;

  constructor(
    readonly itemId: string,
    readonly raw: RawMessages,
    /** The record as JSON. */
    private readonly json: Buffer,
  ) {}

  get messages(): readonly DataMessage[] {
    const { raw } = this;
    this.made ??= Array.from({ length: raw.length }, (_, i) => ({
      role: raw.role(i) ?? 'user',
      content: raw.content(i),
      loss: raw.loss(i),
    }));
    return this.made;
  }

  record(): unknown {
    return JSON.parse(this.json.toString('utf8')) as unknown;
  }

  withMessages(raw: RawMessages): RawTrajectory {
    return new RawTrajectory(this.itemId, raw, this.json);
  }
}

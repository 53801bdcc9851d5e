/**
 * An offline run of Weights & Biases, written without its client: `wandb sync <folder>` uploads it. The file is a block log of
 * protobuf records (header, run, one history record per step, exit), of which only the fields that are needed are written.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { BlockLog } from './block-log.ts';
import { int, message, text } from './protobuf.ts';

export interface BoardInfo {
  readonly project: string;
  readonly run: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export class WandbRun {
  /** What `wandb sync` is given. */
  readonly folder: string;
  private readonly id = randomBytes(4).toString('hex');
  private readonly log: BlockLog;
  private readonly started: number;
  private records = 0;

  constructor(
    under: string,
    private readonly info: BoardInfo,
    now = new Date(),
  ) {
    this.started = now.getTime();
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
    this.folder = join(under, `offline-run-${stamp}-${this.id}`);
    this.log = new BlockLog(join(this.folder, `run-${this.id}.wandb`), { name: ':W&B', magic: 0xbee1, version: 0 });
  }

  async scalars(step: number, values: Readonly<Record<string, number>>, seconds = Date.now() / 1000): Promise<void> {
    const runtime = seconds - this.started / 1000;
    const items = Object.entries({ ...finite(values), _step: step, _timestamp: seconds, _runtime: runtime });
    // HistoryRecord { item = 1 { nested_key = 2, value_json = 16 }, step = 2 { num = 1 } }
    const history = Buffer.concat([
      ...items.map(([key, value]) => message(1, text(2, key), text(16, JSON.stringify(value)))),
      message(2, int(1, step)),
    ]);
    await this.log.append([...(this.records === 0 ? this.opening() : []), this.record(2, history)]);
  }

  async finish(succeeded: boolean): Promise<void> {
    if (this.records === 0) return;
    const runtime = Math.round((Date.now() - this.started) / 1000);
    await this.log.append([this.record(18, int(1, succeeded ? 0 : 1), int(2, runtime)), this.record(20), this.record(22)]);
  }

  /** Header and run, with the recipe as its configuration. */
  private opening(): Buffer[] {
    const { project, run, config } = this.info;
    const items = Object.entries(config).map(([key, value]) => message(1, text(1, key), text(16, JSON.stringify(value))));
    const started = message(17, int(1, Math.floor(this.started / 1000)), int(2, (this.started % 1000) * 1e6));
    const record = this.record.bind(this);
    return [
      record(21),
      record(17, text(1, this.id), text(3, project), message(4, ...items), text(8, run), text(13, hostname()), started),
    ];
  }

  /** Record { num = 1, one of many kinds } */
  private record(kind: number, ...fields: Buffer[]): Buffer {
    return Buffer.concat([int(1, ++this.records), message(kind, ...fields)]);
  }
}

function finite(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
}

/** The compiled graphs of a network on a device, each made when it is first needed. Shapes are symbolic, so their number is bounded. */
import type { CompiledGraph, Value } from '../../graph/graph.ts';
import { blockGraphs, type BlockGraphs, type Numbers } from '../../network/block.ts';
import type { ModelConfig } from '../../network/config.ts';
import { deviceLanguageHead, type DeviceHeadGraphs } from '../../network/device-head.ts';
import { valueHead, type ValueHeadGraphs } from '../../network/head.ts';
import type { Device } from '../../runtime/device.ts';
import type { DeviceTensor } from '../../runtime/device-tensor.ts';
import { Session } from '../../runtime/session.ts';
import type { BlockPart } from '../sessions.ts';

export type DeviceTensors = Record<string, DeviceTensor>;

export class DeviceSessions implements Disposable {
  private readonly graphs = new Map<number, BlockGraphs>();
  private readonly sessions = new Map<string, Session>();
  private languageHead: DeviceHeadGraphs | undefined;
  private valueHead: ValueHeadGraphs | undefined;

  constructor(
    readonly device: Device,
    private readonly config: ModelConfig,
    readonly numbers: Numbers,
    /** Products of float32 in the card's short form. */
    private readonly tf32: boolean,
  ) {}

  /** Runs a graph, made when it is first needed, with tensors by name for what goes in and what comes out. */
  async run(name: string, graph: () => CompiledGraph, tensors: Readonly<DeviceTensors>, signal?: AbortSignal): Promise<void> {
    let session = this.sessions.get(name);
    if (!session) {
      // Sums of rows by a product with ones and zeros are exact only in full.
      const tf32 = this.tf32 && /^(block|head)/.test(name);
      session = Session.compile(graph(), { device: this.device, tf32 });
      this.sessions.set(name, session);
    }
    await session.run(tensors, tensors, signal);
  }

  block(part: BlockPart, groups: number, tensors: Readonly<DeviceTensors>, signal?: AbortSignal): Promise<void> {
    return this.run(`block ${part} ${groups}`, () => this.blockGraphs(groups)[part], tensors, signal);
  }

  /** What a block's forward keeps for its backward. */
  kept(groups: number): readonly Value[] {
    return this.blockGraphs(groups).kept;
  }

  head(part: keyof DeviceHeadGraphs, tensors: Readonly<DeviceTensors>, signal?: AbortSignal): Promise<void> {
    return this.run(
      `head ${part}`,
      () => (this.languageHead ??= deviceLanguageHead(this.config, this.numbers))[part],
      tensors,
      signal,
    );
  }

  values(part: keyof ValueHeadGraphs, tensors: Readonly<DeviceTensors>, signal?: AbortSignal): Promise<void> {
    return this.run(
      `value ${part}`,
      () => (this.valueHead ??= valueHead(this.config, true, this.numbers))[part],
      tensors,
      signal,
    );
  }

  get size(): number {
    return this.sessions.size;
  }

  [Symbol.dispose](): void {
    for (const session of this.sessions.values()) session[Symbol.dispose]();
    this.sessions.clear();
    this.graphs.clear();
  }

  private blockGraphs(groups: number): BlockGraphs {
    const graphs = this.graphs.get(groups) ?? blockGraphs(this.config, groups, true, this.numbers);
    this.graphs.set(groups, graphs);
    return graphs;
  }
}

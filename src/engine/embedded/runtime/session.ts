/**
 * A compiled graph, and calls of it with their tensors set in place. A call runs without blocking the event loop and can be
 * cancelled; `runSync` is for work of well under a millisecond.
 */
import { AgogeError } from '../../../core/error.ts';
import { cells, nameTable, textAt, type Address, type Memory } from './library.ts';
import { Runtime } from './runtime.ts';
import type { Device } from './device.ts';
import type { DeviceTensor } from './device-tensor.ts';
import type { Tensor } from './tensor.ts';

/** Lies on the host or on a device; a call takes both. */
export type AnyTensor = Tensor | DeviceTensor;

export interface SessionOptions {
  /** Where it runs. Default: on the CPU, with tensors over our own arrays. */
  readonly device?: Device | undefined;
  /** On a card: record the step of each `graphId` and replay it. Such a session has scratch memory of its own. */
  readonly capture?: boolean | undefined;
  /** On a card: products of float32 in its short form, six times as fast, with ten bits of mantissa. */
  readonly tf32?: boolean | undefined;
  /** Weights frozen into the session (copied and packed for speed); later changes of the arrays are not seen. */
  readonly initializers?: Readonly<Record<string, Tensor>>;
  /** Runs on the calling thread alone, without the pool and without waiting for a turn: several such runs go side by side. */
  readonly alone?: boolean | undefined;
  /** With `alone`: how many threads share the work of each call, the calling one among them. Default 1. */
  readonly width?: number | undefined;
  /** Scratch memory of its own: for many short calls on several threads, which would queue for the lock of the shared arena. */
  readonly ownMemory?: boolean | undefined;
  /** Writes a profile of every run to a file whose name starts so; `endProfiling` closes it. */
  readonly profile?: string | undefined;
  /** More entries for the runtime, such as `session.disable_prepacking`. */
  readonly config?: Readonly<Record<string, string>>;
}

export class Session implements Disposable {
  private session: Address;
  /** Calls in flight and open; the native session must outlive them. */
  private readonly calls = new Set<Call>();
  /** Position of each name among the inputs, then the outputs. */
  readonly places: ReadonlyMap<string, number>;

  private constructor(
    readonly runtime: Runtime,
    readonly inputs: readonly string[],
    readonly outputs: readonly string[],
    readonly alone: boolean,
    readonly device: Device | undefined,
    readonly capture: boolean,
    session: Address,
  ) {
    this.session = session;
    this.places = new Map([...inputs, ...outputs].map((name, place) => [name, place]));
  }

  /** Compiles an ONNX model (see graph/) whose inputs and outputs are named in order. */
  static compile(
    graph: { readonly model: Uint8Array; readonly inputs: readonly string[]; readonly outputs: readonly string[] },
    options: SessionOptions = {},
  ): Session {
    const runtime = Runtime.open();
    const { library } = runtime;
    const out = cells();
    library.check(library.createSessionOptions(out));
    const sessionOptions = out[0] as Address;
    try {
      const { device, capture = false, tf32 = false } = options;
      if (device) device.prepareSession(sessionOptions, { capture, tf32 });
      else if (options.alone === true) library.check(library.setIntraOpNumThreads(sessionOptions, options.width ?? 1));
      else library.check(library.disablePerSessionThreads(sessionOptions));
      library.check(library.disableMemPattern(sessionOptions));
      library.check(library.setSessionGraphOptimizationLevel(sessionOptions, 99));
      const config = {
        ...(options.ownMemory !== true && !capture && { 'session.use_env_allocators': '1' }),
        'session.intra_op.allow_spinning': runtime.spinning ? '1' : '0',
        ...options.config,
      };
      for (const [key, value] of Object.entries(config)) library.check(library.addSessionConfigEntry(sessionOptions, key, value));
      if (options.profile !== undefined) library.check(library.enableProfiling(sessionOptions, options.profile));
      const initializers = Object.entries(options.initializers ?? {});
      if (initializers.length > 0) {
        const names = nameTable(initializers.map(([name]) => name));
        const values = cells(initializers.length);
        initializers.forEach(([, tensor], i) => (values[i] = tensor.address));
        library.check(library.addExternalInitializers(sessionOptions, names.pointers, values, initializers.length));
      }
      const { model } = graph;
      library.check(library.createSessionFromArray(runtime.environment, model, model.byteLength, sessionOptions, out));
    } finally {
      library.releaseSessionOptions(sessionOptions);
    }
    const { device, alone = false } = options;
    const capture = options.capture === true && device?.name === 'cuda';
    const session = new Session(runtime, graph.inputs, graph.outputs, alone && !device, device, capture, out[0] as Address);
    if (capture) device.scratch.watch(session);
    return session;
  }

  /** A call with tensors for all inputs and outputs, by name. Rebind with `set`; dispose when done. */
  prepare(
    inputs: Readonly<Record<string, AnyTensor>>,
    outputs: Readonly<Record<string, AnyTensor>>,
    options: CallOptions = {},
  ): Call {
    const call = new Call(this, options);
    for (const name of this.inputs) call.set(name, given(inputs, name));
    for (const name of this.outputs) call.set(name, given(outputs, name));
    this.calls.add(call);
    return call;
  }

  /** Runs once without keeping the call. */
  async run(
    inputs: Readonly<Record<string, AnyTensor>>,
    outputs: Readonly<Record<string, AnyTensor>>,
    signal?: AbortSignal,
  ): Promise<void> {
    const call = this.prepare(inputs, outputs);
    try {
      await call.run(signal);
    } finally {
      call[Symbol.dispose]();
    }
  }

  /** Closes the profile and gives its file name. */
  endProfiling(): string {
    const { library } = this.runtime;
    const out = cells(2);
    library.check(library.getAllocatorWithDefaultOptions(out));
    const allocator = out[0] as Address;
    library.check(library.sessionEndProfiling(this.address, allocator, out));
    return textAt(out[0] as Address);
  }

  get address(): Address {
    if (!this.session) throw new TypeError('the session was disposed');
    return this.session;
  }

  /** For Call. */
  forget(call: Call): void {
    this.calls.delete(call);
  }

  [Symbol.dispose](): void {
    for (const call of [...this.calls]) call[Symbol.dispose]();
    const { library } = this.runtime;
    if (this.capture) this.device?.scratch.forget(this);
    if (this.session) library.releaseSession(this.session);
    this.session = 0n;
  }
}

export interface CallOptions {
  /** Of a session that captures: names the recording. Its tensors stay where they are from the first run on. */
  readonly graphId?: number | undefined;
  /** When it ends, the session's arena gives back what is free, of the memory named so. */
  readonly shrink?: string | undefined;
}

/** One session with its tensors. At most one run of a call at a time. */
export class Call implements Disposable {
  private readonly inputNames: Memory;
  private readonly outputNames: Memory;
  private readonly inputs: BigUint64Array;
  private readonly outputs: BigUint64Array;
  private readonly keepNames: unknown;
  private readonly tensors = new Map<string, AnyTensor>();
  private options: Address;
  private running = false;

  constructor(
    private readonly session: Session,
    options: CallOptions = {},
  ) {
    const { library } = session.runtime;
    const inputNames = namesOf(session, 'inputs');
    const outputNames = namesOf(session, 'outputs');
    this.inputNames = inputNames.pointers;
    this.outputNames = outputNames.pointers;
    this.keepNames = [inputNames, outputNames];
    this.inputs = cells(session.inputs.length);
    this.outputs = cells(session.outputs.length);
    const out = cells();
    library.check(library.createRunOptions(out));
    this.options = out[0] as Address;
    const { graphId, shrink } = options;
    const recording = session.capture ? { gpu_graph_id: String(graphId ?? 0) } : {};
    const shrinking = shrink === undefined ? {} : { 'memory.enable_memory_arena_shrinkage': shrink };
    for (const [key, value] of Object.entries({ ...session.device?.runEntries, ...recording, ...shrinking }))
      library.check(library.addRunConfigEntry(this.options, key, value));
  }

  /** Puts a tensor in the place of an input or output. */
  set(name: string, tensor: AnyTensor): void {
    const place = this.session.places.get(name);
    if (place === undefined) throw new RangeError(`the session has no input or output "${name}"`);
    if (place < this.inputs.length) this.inputs[place] = tensor.address;
    else this.outputs[place - this.inputs.length] = tensor.address;
    this.tensors.set(name, tensor);
  }

  /**
   * Runs on another thread, after all native work asked for earlier. Rejects soon after the signal aborts. On a card it resolves when the
   * work is on its way: results are there for whatever is asked for later.
   */
  async run(signal?: AbortSignal): Promise<void> {
    const work = async (): Promise<void> => {
      signal?.throwIfAborted();
      if (this.session.capture) {
        // Recordings belong to the thread that made them.
        this.runSync();
        return;
      }
      this.begin();
      const { library } = this.session.runtime;
      const stop = (): void => {
        library.check(library.runOptionsSetTerminate(this.options));
      };
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const status = await new Promise<Address>((resolve, reject) => {
          library.run.async(...this.values(), (error: Error | null, result: Address) => {
            if (error) reject(error);
            else resolve(result);
          });
        });
        this.finish(status, signal);
      } finally {
        signal?.removeEventListener('abort', stop);
        this.running = false;
      }
    };
    await (this.session.alone ? work() : this.session.runtime.inTurn(work));
  }

  /** Runs here and now: for calls so short that leaving the thread would cost more. */
  runSync(): void {
    this.begin();
    try {
      this.finish(this.session.runtime.library.run(...this.values()));
    } finally {
      this.running = false;
    }
  }

  [Symbol.dispose](): void {
    if (this.running) throw new TypeError('a running call cannot be disposed: wait for it first');
    if (this.options) this.session.runtime.library.releaseRunOptions(this.options);
    this.options = 0n;
    this.session.forget(this);
    this.tensors.clear();
  }

  private values(): Parameters<Runtime['library']['run']> {
    const { inputs, outputs } = this;
    return [
      this.session.address,
      this.options,
      this.inputNames,
      inputs,
      inputs.length,
      this.outputNames,
      outputs.length,
      outputs,
    ];
  }

  private begin(): void {
    if (!this.options) throw new TypeError('the call was disposed');
    if (this.running) throw new TypeError('the call is running: one run at a time');
    this.running = true;
  }

  private finish(status: Address, signal?: AbortSignal): void {
    const { library } = this.session.runtime;
    if (signal?.aborted) {
      library.check(library.runOptionsUnsetTerminate(this.options));
      if (status) library.releaseStatus(status);
      throw new AgogeError('ENGINE_CANCELLED', 'the engine call was cancelled; start it again when it is wanted', {
        cause: signal.reason,
      });
    }
    library.check(status);
  }
}

const nameTables = new WeakMap<Session, { inputs: ReturnType<typeof nameTable>; outputs: ReturnType<typeof nameTable> }>();

function namesOf(session: Session, side: 'inputs' | 'outputs'): ReturnType<typeof nameTable> {
  let tables = nameTables.get(session);
  if (!tables) {
    tables = { inputs: nameTable(session.inputs), outputs: nameTable(session.outputs) };
    nameTables.set(session, tables);
  }
  return tables[side];
}

function given(tensors: Readonly<Record<string, AnyTensor>>, name: string): AnyTensor {
  const tensor = tensors[name];
  if (!tensor) throw new RangeError(`no tensor was given for "${name}"`);
  return tensor;
}

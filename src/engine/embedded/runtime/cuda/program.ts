/**
 * Kernels of our own on a card: CUDA's C, compiled by NVRTC when it is first needed, launched by the driver on the stream of the device. NVRTC comes with
 * CUDA's libraries (and PyTorch's); where it is missing, `compileProgram` gives undefined and whoever asked computes by graphs.
 */
import { AgogeError } from '../../../../core/error.ts';
import { cardFailed } from '../card-failed.ts';
import { addressOf, cells, loadKept, type Address, type Memory } from '../library.ts';

/** What a kernel takes, in the order of its parameters: an address (0n: none), or a number of the parameter's own type. */
export type KernelArgument = Address | number;

export interface KernelLaunch {
  readonly blocks: number;
  readonly threads: number;
  /** Bytes of shared memory whose size the launch decides. */
  readonly shared?: number;
}

type Kind = 'address' | 'int' | 'big' | 'float';

interface Kernel {
  readonly handle: Address;
  readonly kinds: readonly Kind[];
}

/** Functions of NVRTC. */
interface Compiler {
  readonly create: (out: Memory, source: string, name: string, headers: number, sources: Address, names: Address) => number;
  readonly compile: (program: Address, count: number, options: Memory) => number;
  readonly cubinSize: (program: Address, out: Memory) => number;
  readonly cubin: (program: Address, out: Memory) => number;
  readonly logSize: (program: Address, out: Memory) => number;
  readonly log: (program: Address, out: Memory) => number;
}

/** Functions of the driver. */
interface Driver {
  readonly load: (out: Memory, image: Memory) => number;
  readonly find: (out: Memory, module: Address, name: string) => number;
  readonly launch: (
    kernel: Address,
    x: number,
    y: number,
    z: number,
    blockX: number,
    blockY: number,
    blockZ: number,
    shared: number,
    stream: Address,
    values: Memory,
    extra: Address,
  ) => number;
}

const mostArguments = 32;

/** A compiled source, whose kernels are launched by name. */
export class Program {
  private readonly kernels = new Map<string, Kernel>();
  private readonly values = new DataView(new ArrayBuffer(8 * mostArguments));
  private readonly pointers = cells(mostArguments);

  constructor(
    private readonly driver: Driver,
    module: Address,
    source: string,
    private readonly stream: Address,
  ) {
    const start = addressOf(this.values);
    for (let i = 0; i < mostArguments; i++) this.pointers[i] = start + BigInt(8 * i);
    for (const [name, kinds] of kernelsOf(source)) {
      const out = cells();
      check(driver.find(out, module, name), `the kernel ${name} is missing`);
      this.kernels.set(name, { handle: out[0] as Address, kinds });
    }
  }

  /** Puts a kernel on the stream. */
  launch(name: string, { blocks, threads, shared = 0 }: KernelLaunch, values: readonly KernelArgument[]): void {
    const kernel = this.kernels.get(name);
    if (!kernel) throw new RangeError(`there is no kernel "${name}"`);
    if (values.length !== kernel.kinds.length)
      throw new RangeError(`${name} takes ${kernel.kinds.length} values, not ${values.length}`);
    if (blocks === 0) return;
    kernel.kinds.forEach((kind, i) => this.put(kind, i, values[i] as KernelArgument));
    const { handle } = kernel;
    check(
      this.driver.launch(handle, blocks, 1, 1, threads, 1, 1, shared, this.stream, this.pointers, 0n),
      `the kernel ${name} cannot be started`,
    );
  }

  private put(kind: Kind, i: number, value: KernelArgument): void {
    if (kind === 'address') this.values.setBigUint64(8 * i, value as bigint, true);
    else if (kind === 'big') this.values.setBigInt64(8 * i, BigInt(value), true);
    else if (kind === 'int') this.values.setInt32(8 * i, value as number, true);
    else this.values.setFloat32(8 * i, value as number, true);
  }
}

/** Compiles a source for the card, or gives undefined where NVRTC or the driver's library is missing or does not know the card. */
export function compileProgram(
  source: string,
  { library, architecture, stream, defines = {} }: CompileOptions,
): Program | undefined {
  const libraries = openLibraries(library);
  if (!libraries) return undefined;
  const image = compile(libraries.compiler, source, architecture, defines);
  if (!image) return undefined;
  const out = cells();
  check(libraries.driver.load(out, image), 'compiled kernels cannot be loaded');
  return new Program(libraries.driver, out[0] as Address, source, stream);
}

export interface CompileOptions {
  /** NVRTC's library. */
  readonly library: string;
  /** Of the card, such as 90. */
  readonly architecture: number;
  readonly stream: Address;
  readonly defines?: Readonly<Record<string, string | number>>;
}

/** Names and parameters of the kernels that a source has. */
function kernelsOf(source: string): Map<string, readonly Kind[]> {
  const found = source.matchAll(/extern "C" __global__ void (\w+)\(([^)]*)\)/g);
  return new Map([...found].map(([, name = '', parameters = '']) => [name, parameters.split(',').map(kindOf)]));
}

function kindOf(parameter: string): Kind {
  if (parameter.includes('*')) return 'address';
  const [type = ''] = parameter.trim().split(/\s+/);
  if (type === 'int' || type === 'float' || type === 'big') return type;
  throw new TypeError(`a kernel's parameter cannot be "${parameter.trim()}"`);
}

/** The machine code; undefined where this NVRTC does not know the architecture. Source that does not compile is our fault and throws. */
function compile(
  compiler: Compiler,
  source: string,
  architecture: number,
  defines: Readonly<Record<string, string | number>>,
): Memory | undefined {
  const out = cells();
  check(compiler.create(out, source, 'agoge.cu', 0, 0n, 0n), 'NVRTC takes no source');
  const program = out[0] as Address;
  const options = [
    `--gpu-architecture=sm_${architecture}`,
    ...Object.entries(defines).map(([name, value]) => `-D${name}=${value}`),
  ];
  const texts = options.map((option) => new Uint8Array(new TextEncoder().encode(`${option}\0`.padEnd(72, '\0'))));
  const pointers = cells(options.length);
  texts.forEach((text, i) => (pointers[i] = addressOf(text)));
  const code = compiler.compile(program, options.length, pointers);
  const invalidOption = 5;
  if (code === invalidOption) return undefined;
  if (code !== 0)
    throw new AgogeError('ENGINE_RUNTIME', `kernels do not compile: ${logOf(compiler, program)}; report it with the card's name`);
  compiler.cubinSize(program, out);
  const image = new Uint8Array(new ArrayBuffer(Math.max(64, Number(out[0]))));
  compiler.cubin(program, image);
  return image;
}

function logOf(compiler: Compiler, program: Address): string {
  const out = cells();
  compiler.logSize(program, out);
  const text = new Uint8Array(new ArrayBuffer(Math.max(64, Number(out[0]))));
  compiler.log(program, text);
  return new TextDecoder().decode(text).replace(/\0.*$/s, '').slice(0, 2000);
}

function openLibraries(path: string): { readonly compiler: Compiler; readonly driver: Driver } | undefined {
  try {
    const nvrtc = loadKept(path);
    const driver = loadKept('libcuda.so.1');
    const from = (library: typeof nvrtc, prototype: string): never => library.func(prototype) as never;
    return {
      compiler: {
        create: from(
          nvrtc,
          'int nvrtcCreateProgram(void* out, const char* source, const char* name, int count, uint64_t sources, uint64_t names)',
        ),
        compile: from(nvrtc, 'int nvrtcCompileProgram(uint64_t program, int count, void* options)'),
        cubinSize: from(nvrtc, 'int nvrtcGetCUBINSize(uint64_t program, void* out)'),
        cubin: from(nvrtc, 'int nvrtcGetCUBIN(uint64_t program, void* out)'),
        logSize: from(nvrtc, 'int nvrtcGetProgramLogSize(uint64_t program, void* out)'),
        log: from(nvrtc, 'int nvrtcGetProgramLog(uint64_t program, void* out)'),
      },
      driver: {
        load: from(driver, 'int cuModuleLoadData(void* out, void* image)'),
        find: from(driver, 'int cuModuleGetFunction(void* out, uint64_t module, const char* name)'),
        launch: from(
          driver,
          'int cuLaunchKernel(uint64_t kernel, unsigned int x, unsigned int y, unsigned int z, unsigned int blockX, unsigned int blockY, unsigned int blockZ, unsigned int shared, uint64_t stream, void* values, uint64_t extra)',
        ),
      },
    };
  } catch {
    return undefined;
  }
}

function check(code: number, what: string): void {
  if (code !== 0) throw cardFailed(`${what}: CUDA's driver says ${code}`);
}

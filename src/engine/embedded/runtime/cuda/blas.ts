/** Products of matrices on a card by cuBLAS itself, on the stream of the device: row by row as everywhere here, with sums in float32. */
import { cardFailed } from '../card-failed.ts';
import { outOfMemory } from '../device.ts';
import { cells, loadKept, type Address, type Memory } from '../library.ts';

/** target = scale · op(a) · op(b) + keep · target, for one pair of matrices or a stack of them. */
export interface Product {
  readonly a: Address;
  readonly b: Address;
  readonly target: Address;
  /** Type of a and b, and of the target. */
  readonly type: 'float32' | 'bfloat16';
  readonly targetType: 'float32' | 'bfloat16';
  readonly rows: number;
  readonly columns: number;
  /** What is summed over. */
  readonly inner: number;
  /** a lies as [inner, rows]. */
  readonly transposeA?: boolean;
  /** b lies as [columns, inner]. */
  readonly transposeB?: boolean;
  readonly scale?: number;
  readonly keep?: 0 | 1;
  /** How many products; matrices of each kind lie one after the other. */
  readonly count?: number;
}

const types = { float32: 0, bfloat16: 14 } as const;
const compute = { full: 68, tf32: 77 } as const;
const byItself = -1;
const workspaceBytes = 32 << 20;

export class Blas {
  private readonly alpha = new Float32Array(new ArrayBuffer(64));
  private readonly beta = new Float32Array(new ArrayBuffer(64));
  private readonly handle: Address;
  private readonly one: (...values: readonly unknown[]) => number;
  private readonly stack: (...values: readonly unknown[]) => number;

  /** `workspace`: memory on the card for its own use; with one of a fixed size and one stream the same product gives the same bits. */
  constructor(library: string, stream: Address, workspace: (bytes: number) => Address) {
    const blas = loadKept(library);
    const out = cells();
    const create = blas.func('int cublasCreate_v2(void* out)') as (out: Memory) => number;
    check(create(out), 'cuBLAS cannot be opened');
    this.handle = out[0] as Address;
    const setStream = blas.func('int cublasSetStream_v2(uint64_t handle, uint64_t stream)') as (a: Address, b: Address) => number;
    check(setStream(this.handle, stream), 'cuBLAS takes no stream');
    const setWorkspace = blas.func('int cublasSetWorkspace_v2(uint64_t handle, uint64_t memory, size_t bytes)') as (
      a: Address,
      b: Address,
      bytes: number,
    ) => number;
    check(setWorkspace(this.handle, workspace(workspaceBytes), workspaceBytes), 'cuBLAS takes no memory');
    this.one = blas.func(
      'int cublasGemmEx(uint64_t handle, int transA, int transB, int m, int n, int k, void* alpha, uint64_t a, int aType, int lda, uint64_t b, int bType, int ldb, void* beta, uint64_t c, int cType, int ldc, int compute, int algorithm)',
    ) as (...values: readonly unknown[]) => number;
    this.stack = blas.func(
      'int cublasGemmStridedBatchedEx(uint64_t handle, int transA, int transB, int m, int n, int k, void* alpha, uint64_t a, int aType, int lda, int64_t strideA, uint64_t b, int bType, int ldb, int64_t strideB, void* beta, uint64_t c, int cType, int ldc, int64_t strideC, int count, int compute, int algorithm)',
    ) as (...values: readonly unknown[]) => number;
  }

  /** cuBLAS counts by columns, so that the product of the transposed matrices in the other order is asked for. */
  multiply(product: Product, tf32: boolean): void {
    const {
      a,
      b,
      target,
      type,
      targetType,
      rows,
      columns,
      inner,
      transposeA = false,
      transposeB = false,
      scale = 1,
      keep = 0,
      count = 1,
    } = product;
    if (rows === 0 || columns === 0 || count === 0) return;
    this.alpha[0] = scale;
    this.beta[0] = keep;
    const { handle, alpha, beta } = this;
    const sizes = [Number(transposeB), Number(transposeA), columns, rows, inner];
    const left = [b, types[type], transposeB ? inner : columns];
    const right = [a, types[type], transposeA ? rows : inner];
    const result = [target, types[targetType], columns];
    const how = [tf32 && type === 'float32' ? compute.tf32 : compute.full, byItself];
    const code =
      count === 1
        ? this.one(handle, ...sizes, alpha, ...left, ...right, beta, ...result, ...how)
        : this.stack(
            handle,
            ...sizes,
            alpha,
            ...left,
            inner * columns,
            ...right,
            inner * rows,
            beta,
            ...result,
            rows * columns,
            count,
            ...how,
          );
    check(code, `a product of ${count} × ${rows} × ${inner} × ${columns} failed`);
  }
}

function check(code: number, what: string): void {
  const allocation = 3;
  if (code === 0) return;
  throw code === allocation
    ? outOfMemory(workspaceBytes, { free: 0, byBound: false })
    : cardFailed(`${what}: cuBLAS says ${code}`);
}

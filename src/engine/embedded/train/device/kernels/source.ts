/**
 * The kernels of training on a card, in CUDA's C, compiled when the first model opens (runtime/cuda/program.ts). Each does in one pass over memory
 * what the graphs do in many. T is the type of products, float or bfloat16 (SHORT); HEAD the size of an attention head. No kernel adds in the order of
 * arrival: a sum belongs to one warp or block, or goes through partial sums in a fixed order. kernels/reference.ts says in TypeScript what each computes.
 */
import { attentionSource } from './source-attention.ts';
import { headSource } from './source-head.ts';

const preludeSource = /* CUDA C */ `
typedef long long big;
#ifdef SHORT
typedef unsigned short T;
__device__ __forceinline__ float wide(T v) { return __uint_as_float((unsigned)v << 16); }
__device__ __forceinline__ T narrow(float v) {
  unsigned u = __float_as_uint(v);
  if ((u & 0x7fffffffu) > 0x7f800000u) return (T)0x7fc0;
  return (T)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}
__device__ __forceinline__ float4 load4(const T* p) {
  uint2 u = *(const uint2*)p;
  return make_float4(__uint_as_float(u.x << 16), __uint_as_float(u.x & 0xffff0000u), __uint_as_float(u.y << 16), __uint_as_float(u.y & 0xffff0000u));
}
__device__ __forceinline__ void store4(T* p, float4 v) {
  uint2 u;
  u.x = (unsigned)narrow(v.x) | ((unsigned)narrow(v.y) << 16);
  u.y = (unsigned)narrow(v.z) | ((unsigned)narrow(v.w) << 16);
  *(uint2*)p = u;
}
#else
typedef float T;
__device__ __forceinline__ float wide(float v) { return v; }
__device__ __forceinline__ float narrow(float v) { return v; }
#endif
__device__ __forceinline__ float4 load4(const float* p) { return *(const float4*)p; }
__device__ __forceinline__ void store4(float* p, float4 v) { *(float4*)p = v; }
__device__ __forceinline__ float warpSum(float v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
__device__ __forceinline__ float warpMax(float v) {
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o));
  return v;
}
`;

/** The stream between blocks, its norms, the gate, sums over rows, the embedding table and AdamW. */
const streamSource = /* CUDA C */ `
extern "C" __global__ void addNorm(const float* x, const T* delta, const T* weight, float* sum, T* h, float* inverse,
                                   int count, int width, float epsilon) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= count) return;
  big at = (big)row * width;
  float squares = 0;
  for (int i = lane * 4; i < width; i += 128) {
    float4 v = load4(x + at + i);
    if (delta) {
      float4 d = load4(delta + at + i);
      v.x += d.x; v.y += d.y; v.z += d.z; v.w += d.w;
      store4(sum + at + i, v);
    }
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  float scale = 1.0f / sqrtf(warpSum(squares) / width + epsilon);
  if (lane == 0) inverse[row] = scale;
  const float* source = (delta ? sum : x) + at;
  for (int i = lane * 4; i < width; i += 128) {
    float4 v = load4(source + i), w = load4(weight + i);
    store4(h + at + i, make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w));
  }
}

extern "C" __global__ void normBackward(const T* dh, const float* x, const float* inverse, const T* weight, const float* dy, float* dx, T* dxShort,
                                        float* partial, int count, int width) {
  extern __shared__ float sums[];
  int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float* mine = sums + warp * width;
  for (int i = lane; i < width; i += 32) mine[i] = 0;
  __syncwarp();
  for (int row = blockIdx.x * warps + warp; row < count; row += gridDim.x * warps) {
    big at = (big)row * width;
    float dot = 0, scale = inverse[row];
    for (int i = lane * 4; i < width; i += 128) {
      float4 g = load4(dh + at + i), v = load4(x + at + i), w = load4(weight + i);
      dot += g.x * v.x * w.x + g.y * v.y * w.y + g.z * v.z * w.z + g.w * v.w * w.w;
    }
    float share = warpSum(dot) * scale * scale / width;
    for (int i = lane * 4; i < width; i += 128) {
      float4 g = load4(dh + at + i), v = load4(x + at + i), w = load4(weight + i), r;
      r.x = (g.x * w.x - v.x * share) * scale;
      r.y = (g.y * w.y - v.y * share) * scale;
      r.z = (g.z * w.z - v.z * share) * scale;
      r.w = (g.w * w.w - v.w * share) * scale;
      if (dy) {
        float4 d = load4(dy + at + i);
        r.x += d.x; r.y += d.y; r.z += d.z; r.w += d.w;
      }
      store4(dx + at + i, r);
      if (dxShort) store4(dxShort + at + i, r);
      mine[i] += g.x * v.x * scale;
      mine[i + 1] += g.y * v.y * scale;
      mine[i + 2] += g.z * v.z * scale;
      mine[i + 3] += g.w * v.w * scale;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    float total = 0;
    for (int w = 0; w < warps; w++) total += sums[w * width + i];
    partial[(big)blockIdx.x * width + i] = total;
  }
}

extern "C" __global__ void partialSums(const T* source, float* partial, int count, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    float total = 0;
    for (int row = blockIdx.x; row < count; row += gridDim.x) total += wide(source[(big)row * width + i]);
    partial[(big)blockIdx.x * width + i] = total;
  }
}

extern "C" __global__ void columnSums(const float* partial, float* target, int blocks, int stride, int width) {
  __shared__ float room[32][33];
  int x = threadIdx.x % 32, y = threadIdx.x / 32, column = blockIdx.x * 32 + x;
  float total = 0;
  if (column < width) for (int b = y; b < blocks; b += 32) total += partial[(big)b * stride + column];
  room[y][x] = total;
  __syncthreads();
  if (y == 0 && column < width) {
    float sum = 0;
    for (int i = 0; i < 32; i++) sum += room[i][x];
    target[column] += sum;
  }
}

extern "C" __global__ void swiglu(const T* gateUp, T* result, int count, int width) {
  big at = ((big)blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (at >= (big)count * width) return;
  big row = at / width, i = at % width;
  float4 g = load4(gateUp + row * 2 * width + i), u = load4(gateUp + row * 2 * width + width + i);
  g.x = g.x / (1.0f + expf(-g.x)) * u.x;
  g.y = g.y / (1.0f + expf(-g.y)) * u.y;
  g.z = g.z / (1.0f + expf(-g.z)) * u.z;
  g.w = g.w / (1.0f + expf(-g.w)) * u.w;
  store4(result + at, g);
}

__device__ __forceinline__ void swigluSlope(float d, float g, float u, float* dg, float* du) {
  float s = 1.0f / (1.0f + expf(-g)), silu = g * s;
  *dg = d * u * (s + silu * (1.0f - s));
  *du = d * silu;
}

extern "C" __global__ void swigluBackward(const T* dResult, const T* gateUp, T* dGateUp, int count, int width) {
  big at = ((big)blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (at >= (big)count * width) return;
  big row = at / width, i = at % width, here = row * 2 * width + i;
  float4 d = load4(dResult + at), g = load4(gateUp + here), u = load4(gateUp + here + width), dg, du;
  swigluSlope(d.x, g.x, u.x, &dg.x, &du.x);
  swigluSlope(d.y, g.y, u.y, &dg.y, &du.y);
  swigluSlope(d.z, g.z, u.z, &dg.z, &du.z);
  swigluSlope(d.w, g.w, u.w, &dg.w, &du.w);
  store4(dGateUp + here, dg);
  store4(dGateUp + here + width, du);
}

extern "C" __global__ void embed(const T* table, const int* tokens, float* x, int count, int width) {
  big at = ((big)blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (at >= (big)count * width) return;
  store4(x + at, load4(table + (big)tokens[at / width] * width + at % width));
}

extern "C" __global__ void embedBackward(const float* dx, const int* tokens, const int* offsets, const int* rows, float* gradient, int width) {
  int from = offsets[blockIdx.x], to = offsets[blockIdx.x + 1];
  float* target = gradient + (big)tokens[blockIdx.x] * width;
  for (int i = threadIdx.x * 4; i < width; i += blockDim.x * 4) {
    float4 sum = load4(target + i);
    for (int j = from; j < to; j++) {
      float4 v = load4(dx + (big)rows[j] * width + i);
      sum.x += v.x; sum.y += v.y; sum.z += v.z; sum.w += v.w;
    }
    store4(target + i, sum);
  }
}

extern "C" __global__ void squares(const float* values, float* partial, big count) {
  __shared__ float room[8];
  float sum = 0;
  for (big i = (big)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (big)gridDim.x * blockDim.x) sum += values[i] * values[i];
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float total = 0;
  for (int w = 0; w < blockDim.x / 32; w++) total += room[w];
  partial[blockIdx.x] = total;
}

extern "C" __global__ void adamw(float* weight, const float* gradient, float* mean, float* square, T* narrowed, big from, big to, float keepMean,
                                 float addMean, float keepSquare, float addSquare, float epsilon, float decay, float rate) {
  for (big i = from + (big)blockIdx.x * blockDim.x + threadIdx.x; i < to; i += (big)gridDim.x * blockDim.x) {
    float g = gradient[i], m = mean[i] * keepMean + g * addMean, s = square[i] * keepSquare + g * g * addSquare;
    float w = weight[i] * decay - m / (sqrtf(s) + epsilon) * rate;
    mean[i] = m;
    square[i] = s;
    weight[i] = w;
    if (narrowed) narrowed[i] = narrow(w);
  }
}
`;

export const trainingSource = preludeSource + streamSource + attentionSource + headSource;

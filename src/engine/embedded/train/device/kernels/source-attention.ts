/**
 * Attention over tiles (train/tiles.ts) on a card: rows of q, k and v into tiles, rotated on the way; softmax of what a row sees; and back. A warp works
 * on one head of one row; a lane holds elements i and i + HALF, which rotate together. A row sees row k if k ≤ row ≤ the last row that extends k.
 */
export const attentionSource = /* CUDA C */ `
#define HALF (HEAD / 2)
#define PER ((HALF + 31) / 32)

__device__ __forceinline__ void loadHead(const T* from, const T* bias, float* lo, float* hi, int lane) {
  for (int j = 0; j < PER; j++) {
    int i = lane + 32 * j;
    lo[j] = i < HALF ? wide(from[i]) + (bias ? wide(bias[i]) : 0.0f) : 0.0f;
    hi[j] = i < HALF ? wide(from[i + HALF]) + (bias ? wide(bias[i + HALF]) : 0.0f) : 0.0f;
  }
}
__device__ __forceinline__ void storeHead(T* to, const float* lo, const float* hi, int lane) {
  for (int j = 0; j < PER; j++) {
    int i = lane + 32 * j;
    if (i < HALF) {
      to[i] = narrow(lo[j]);
      to[i + HALF] = narrow(hi[j]);
    }
  }
}
__device__ __forceinline__ float inverseRoot(const float* lo, const float* hi, float epsilon) {
  float squares = 0;
  for (int j = 0; j < PER; j++) squares += lo[j] * lo[j] + hi[j] * hi[j];
  return 1.0f / sqrtf(warpSum(squares) / HEAD + epsilon);
}

extern "C" __global__ void gatherTiles(const T* qkv, const T* bias, const T* qNorm, const T* kNorm, const T* cosine, const T* sine, const int* positions,
                                       const int* queryRows, const int* keyRows, T* q, T* k, T* v, int tiles, int heads, int keyHeads, int queries,
                                       int keys, float epsilon) {
  big unit = (big)blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  big queryCells = (big)tiles * heads * queries, keyCells = (big)tiles * keyHeads * keys;
  int kind = unit < queryCells ? 0 : unit < queryCells + keyCells ? 1 : 2;
  big cell = kind == 0 ? unit : kind == 1 ? unit - queryCells : unit - queryCells - keyCells;
  if (kind == 2 && cell >= keyCells) return;
  int size = kind == 0 ? queries : keys, parts = kind == 0 ? heads : keyHeads;
  int place = (int)(cell % size), head = (int)(cell / size % parts), tile = (int)(cell / size / parts);
  int row = (kind == 0 ? queryRows : keyRows)[(big)tile * size + place];
  T* target = (kind == 0 ? q : kind == 1 ? k : v) + cell * HEAD;
  float lo[PER], hi[PER];
  if (row < 0) {
    for (int j = 0; j < PER; j++) lo[j] = hi[j] = 0;
    storeHead(target, lo, hi, lane);
    return;
  }
  int column = (kind == 0 ? head : kind == 1 ? heads + head : heads + keyHeads + head) * HEAD;
  loadHead(qkv + (big)row * (heads + 2 * keyHeads) * HEAD + column, bias ? bias + column : bias, lo, hi, lane);
  if (kind < 2) {
    const T* norm = kind == 0 ? qNorm : kNorm;
    float scale = norm ? inverseRoot(lo, hi, epsilon) : 1.0f;
    const T* c = cosine + (big)positions[row] * HALF;
    const T* s = sine + (big)positions[row] * HALF;
    for (int j = 0; j < PER; j++) {
      int i = lane + 32 * j;
      if (i >= HALF) continue;
      float a = lo[j], b = hi[j];
      if (norm) {
        a *= scale * wide(norm[i]);
        b *= scale * wide(norm[i + HALF]);
      }
      lo[j] = a * wide(c[i]) - b * wide(s[i]);
      hi[j] = b * wide(c[i]) + a * wide(s[i]);
    }
  }
  storeHead(target, lo, hi, lane);
}

extern "C" __global__ void softmaxTiles(const float* scores, T* weights, const int* queryRows, const int* keyRows, const int* keyEnds, int tiles,
                                        int heads, int queries, int keys) {
  big cell = (big)blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (cell >= (big)tiles * heads * queries) return;
  big tile = cell / queries / heads;
  int row = queryRows[tile * queries + cell % queries];
  const float* from = scores + cell * keys;
  T* to = weights + cell * keys;
  const int* first = keyRows + tile * keys;
  const int* last = keyEnds + tile * keys;
  float most = -1e30f, sum = 0;
  if (row >= 0) {
    for (int i = lane * 4; i < keys; i += 128) {
      float4 v = load4(from + i);
      int4 f = *(const int4*)(first + i), l = *(const int4*)(last + i);
      v.x = f.x <= row && row <= l.x ? v.x : -1e30f;
      v.y = f.y <= row && row <= l.y ? v.y : -1e30f;
      v.z = f.z <= row && row <= l.z ? v.z : -1e30f;
      v.w = f.w <= row && row <= l.w ? v.w : -1e30f;
      float top = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
      if (top > most) {
        sum *= expf(most - top);
        most = top;
      }
      if (most > -1e30f) sum += expf(v.x - most) + expf(v.y - most) + expf(v.z - most) + expf(v.w - most);
    }
  }
  float all = warpMax(most);
  float total = warpSum(most > -1e30f ? sum * expf(most - all) : 0.0f);
  float scale = row >= 0 ? 1.0f / total : 0.0f;
  for (int i = lane * 4; i < keys; i += 128) {
    float4 v = make_float4(0, 0, 0, 0);
    if (row >= 0) {
      float4 z = load4(from + i);
      int4 f = *(const int4*)(first + i), l = *(const int4*)(last + i);
      if (f.x <= row && row <= l.x) v.x = expf(z.x - all) * scale;
      if (f.y <= row && row <= l.y) v.y = expf(z.y - all) * scale;
      if (f.z <= row && row <= l.z) v.z = expf(z.z - all) * scale;
      if (f.w <= row && row <= l.w) v.w = expf(z.w - all) * scale;
    }
    store4(to + i, v);
  }
}

extern "C" __global__ void softmaxBackward(const T* weights, const float* dWeights, const float* overlaps, T* dScores, big cells, int keys) {
  big cell = (big)blockIdx.x * 4 + threadIdx.x / 32;
  if (cell >= cells) return;
  float overlap = overlaps[cell];
  for (int i = threadIdx.x % 32 * 4; i < keys; i += 128) {
    float4 p = load4(weights + cell * keys + i), d = load4(dWeights + cell * keys + i);
    store4(dScores + cell * keys + i, make_float4(p.x * (d.x - overlap), p.y * (d.y - overlap), p.z * (d.z - overlap), p.w * (d.w - overlap)));
  }
}

extern "C" __global__ void tilesToRows(const T* tiles, const int* base, const int* stride, T* rows, int count, int heads) {
  big at = ((big)blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (at >= (big)count * heads * HEAD) return;
  int row = (int)(at / (heads * HEAD)), rest = (int)(at % (heads * HEAD));
  big cell = base[row] + (big)(rest / HEAD) * stride[row];
  store4(rows + at, load4(tiles + cell * HEAD + rest % HEAD));
}

extern "C" __global__ void rowsToTiles(const T* dRows, const T* rows, const int* queryRows, T* dTiles, float* overlaps, int tiles, int heads, int queries) {
  big cell = (big)blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (cell >= (big)tiles * heads * queries) return;
  int head = (int)(cell / queries % heads), row = queryRows[cell / queries / heads * queries + cell % queries];
  big from = ((big)row * heads + head) * HEAD;
  float overlap = 0;
  for (int i = lane * 4; i < HEAD; i += 128) {
    float4 d = make_float4(0, 0, 0, 0);
    if (row >= 0) {
      d = load4(dRows + from + i);
      float4 o = load4(rows + from + i);
      overlap += d.x * o.x + d.y * o.y + d.z * o.z + d.w * o.w;
    }
    store4(dTiles + cell * HEAD + i, d);
  }
  overlap = warpSum(overlap);
  if (lane == 0) overlaps[cell] = overlap;
}

extern "C" __global__ void qkvBackward(const T* dq, const int* base, const int* stride, const T* dk, const T* dv, const int* offsets, const int* cells,
                                       const int* strides, const T* qkv, const T* bias, const T* qNorm, const T* kNorm, const T* cosine, const T* sine,
                                       const int* positions, T* dqkv, float* partial, int count, int heads, int keyHeads, float epsilon) {
  __shared__ float room[4][2 * HEAD];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, parts = heads + 2 * keyHeads;
  float qLo[PER], qHi[PER], kLo[PER], kHi[PER];
  for (int j = 0; j < PER; j++) qLo[j] = qHi[j] = kLo[j] = kHi[j] = 0;
  for (big unit = (big)blockIdx.x * 4 + warp; unit < (big)count * parts; unit += (big)gridDim.x * 4) {
    int row = (int)(unit / parts), part = (int)(unit % parts);
    int kind = part < heads ? 0 : part < heads + keyHeads ? 1 : 2;
    float lo[PER], hi[PER];
    if (kind == 0) loadHead(dq + (base[row] + (big)part * stride[row]) * HEAD, (const T*)0, lo, hi, lane);
    else {
      int head = kind == 1 ? part - heads : part - heads - keyHeads;
      for (int j = 0; j < PER; j++) lo[j] = hi[j] = 0;
      for (int n = offsets[row]; n < offsets[row + 1]; n++) {
        float a[PER], b[PER];
        loadHead((kind == 1 ? dk : dv) + (cells[n] + (big)head * strides[n]) * HEAD, (const T*)0, a, b, lane);
        for (int j = 0; j < PER; j++) {
          lo[j] += a[j];
          hi[j] += b[j];
        }
      }
    }
    big at = (big)row * parts * HEAD + part * HEAD;
    if (kind < 2) {
      const T* c = cosine + (big)positions[row] * HALF;
      const T* s = sine + (big)positions[row] * HALF;
      for (int j = 0; j < PER; j++) {
        int i = lane + 32 * j;
        if (i >= HALF) continue;
        float a = lo[j], b = hi[j];
        lo[j] = a * wide(c[i]) + b * wide(s[i]);
        hi[j] = b * wide(c[i]) - a * wide(s[i]);
      }
      const T* norm = kind == 0 ? qNorm : kNorm;
      if (norm) {
        float x[PER], y[PER], dot = 0;
        loadHead(qkv + at, bias ? bias + part * HEAD : bias, x, y, lane);
        float scale = inverseRoot(x, y, epsilon);
        for (int j = 0; j < PER; j++) {
          int i = lane + 32 * j;
          if (i >= HALF) continue;
          if (kind == 0) {
            qLo[j] += lo[j] * x[j] * scale;
            qHi[j] += hi[j] * y[j] * scale;
          } else {
            kLo[j] += lo[j] * x[j] * scale;
            kHi[j] += hi[j] * y[j] * scale;
          }
          lo[j] *= wide(norm[i]);
          hi[j] *= wide(norm[i + HALF]);
          dot += lo[j] * x[j] + hi[j] * y[j];
        }
        float share = warpSum(dot) * scale * scale / HEAD;
        for (int j = 0; j < PER; j++) {
          lo[j] = (lo[j] - x[j] * share) * scale;
          hi[j] = (hi[j] - y[j] * share) * scale;
        }
      }
    }
    storeHead(dqkv + at, lo, hi, lane);
  }
  if (!partial) return;
  for (int j = 0; j < PER; j++) {
    int i = lane + 32 * j;
    if (i >= HALF) continue;
    room[warp][i] = qLo[j];
    room[warp][i + HALF] = qHi[j];
    room[warp][HEAD + i] = kLo[j];
    room[warp][HEAD + i + HALF] = kHi[j];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 2 * HEAD; i += blockDim.x)
    partial[(big)blockIdx.x * 2 * HEAD + i] = room[0][i] + room[1][i] + room[2][i] + room[3][i];
}
`;

/**
 * The output layer on a card: log-probabilities and entropies from logits in one pass, and the slope of both written over the logits. A block of 256 works
 * on one row of the vocabulary.
 */
export const headSource = /* CUDA C */ `
struct Mass {
  float most, sum, weighted;
};
__device__ __forceinline__ void addLogit(Mass* mass, float z) {
  if (z > mass->most) {
    float scale = expf(mass->most - z);
    mass->sum *= scale;
    mass->weighted *= scale;
    mass->most = z;
  }
  float e = expf(z - mass->most);
  mass->sum += e;
  mass->weighted += e * z;
}

extern "C" __global__ void crossEntropy(const T* logits, const int* targets, float* scores, float* lse, float* entropy, int vocabulary,
                                        float inverseTemperature) {
  __shared__ float room[3][8];
  const T* row = logits + (big)blockIdx.x * vocabulary;
  Mass mass = {-1e30f, 0.0f, 0.0f};
  if (vocabulary % 4 == 0) {
    for (int i = threadIdx.x * 4; i < vocabulary; i += blockDim.x * 4) {
      float4 z = load4(row + i);
      addLogit(&mass, z.x * inverseTemperature);
      addLogit(&mass, z.y * inverseTemperature);
      addLogit(&mass, z.z * inverseTemperature);
      addLogit(&mass, z.w * inverseTemperature);
    }
  } else
    for (int i = threadIdx.x; i < vocabulary; i += blockDim.x) addLogit(&mass, wide(row[i]) * inverseTemperature);
  float most = warpMax(mass.most), scale = expf(mass.most - most);
  float sum = warpSum(mass.sum * scale), weighted = warpSum(mass.weighted * scale);
  if (threadIdx.x % 32 == 0) {
    room[0][threadIdx.x / 32] = most;
    room[1][threadIdx.x / 32] = sum;
    room[2][threadIdx.x / 32] = weighted;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  most = room[0][0];
  for (int w = 1; w < 8; w++) most = fmaxf(most, room[0][w]);
  sum = weighted = 0;
  for (int w = 0; w < 8; w++) {
    sum += room[1][w] * expf(room[0][w] - most);
    weighted += room[2][w] * expf(room[0][w] - most);
  }
  float all = most + logf(sum);
  lse[blockIdx.x] = all;
  scores[blockIdx.x] = wide(row[targets[blockIdx.x]]) * inverseTemperature - all;
  if (entropy) entropy[blockIdx.x] = all - weighted / sum;
}

__device__ __forceinline__ float logitSlope(float z, float all, float g, float e, float entropy) {
  float logp = z - all;
  return -expf(logp) * (g + e * (logp + entropy));
}

extern "C" __global__ void crossEntropyBackward(T* logits, const int* targets, const float* weight, const float* entropyWeight, const float* lse,
                                                const float* entropy, int vocabulary, float inverseTemperature) {
  T* row = logits + (big)blockIdx.x * vocabulary;
  float all = lse[blockIdx.x], g = weight[blockIdx.x], e = 0, h = 0;
  int target = targets[blockIdx.x];
  if (entropyWeight) {
    e = entropyWeight[blockIdx.x];
    h = entropy[blockIdx.x];
  }
  if (vocabulary % 4 == 0) {
    for (int i = threadIdx.x * 4; i < vocabulary; i += blockDim.x * 4) {
      float4 z = load4(row + i);
      z.x = (logitSlope(z.x * inverseTemperature, all, g, e, h) + (i == target ? g : 0.0f)) * inverseTemperature;
      z.y = (logitSlope(z.y * inverseTemperature, all, g, e, h) + (i + 1 == target ? g : 0.0f)) * inverseTemperature;
      z.z = (logitSlope(z.z * inverseTemperature, all, g, e, h) + (i + 2 == target ? g : 0.0f)) * inverseTemperature;
      z.w = (logitSlope(z.w * inverseTemperature, all, g, e, h) + (i + 3 == target ? g : 0.0f)) * inverseTemperature;
      store4(row + i, z);
    }
  } else
    for (int i = threadIdx.x; i < vocabulary; i += blockDim.x)
      row[i] = narrow((logitSlope(wide(row[i]) * inverseTemperature, all, g, e, h) + (i == target ? g : 0.0f)) * inverseTemperature);
}

extern "C" __global__ void gatherSum(const T* source, const int* offsets, const int* items, T* target, int count, int width) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  if (row >= count) return;
  for (int i = threadIdx.x % 32 * 4; i < width; i += 128) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (int n = offsets[row]; n < offsets[row + 1]; n++) {
      float4 v = load4(source + (big)items[n] * width + i);
      sum.x += v.x; sum.y += v.y; sum.z += v.z; sum.w += v.w;
    }
    store4(target + (big)row * width + i, sum);
  }
}
`;

/* SPDX-License-Identifier: MIT */
LAB_PREDICT(neighbours, 4); // 32 floats are 128 bytes
LAB_PREDICT(shifted, 5);    // the same, but across one more border
LAB_PREDICT(strided, 32);   // a sector each: 7/8 of what moves is not used

__global__ void filter_global(const float *in, const float *weight, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0; // a register
    for (int k = 0; k < TAPS; k++)
        sum += weight[k] * in[clamp(i + k - RADIUS, n)];
    out[i] = sum;
}

cudaError_t set_weights(const float *h_weight)
{
    return cudaMemcpyToSymbol(c_weight, h_weight, sizeof c_weight); // the symbol, not its address
}

__global__ void filter_shared(const float *in, float *out, int n)
{
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int first = blockIdx.x * blockDim.x - RADIUS; // element in tile[0]
    for (int t = threadIdx.x; t < BLOCK + 2 * RADIUS; t += BLOCK)
        tile[t] = in[clamp(first + t, n)];
    __syncthreads(); // all threads, also those beyond n: they have loaded what others read
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += c_weight[k] * tile[threadIdx.x + k]; // the whole warp reads one weight: a broadcast
    out[i] = sum;
}

__global__ void filter_texture(cudaTextureObject_t in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += c_weight[k] * tex1Dfetch<float>(in, clamp(i + k - RADIUS, n));
    out[i] = sum;
}

__host__ __device__ int element_of(int thread, int step, int threads, int steps)
{
    (void)steps;
    return step * threads + thread; // the next thread reads the next float
}

/* SPDX-License-Identifier: MIT
 *
 * Lab 03: memory types
 *
 * Question: one filter, four kinds of memory: what changes, and what moves between them?
 *
 *      out[i] = weight[0] * in[i - 3] + ... + weight[6] * in[i + 3],  in[-1] = in[0], in[n] = in[n - 1], ...
 *
 *     global   in  | . . . . . . . . . . . . . . . . . . . . . . . . . . |   read 7 times, or once ...
 *                        \________________________________/
 *     shared   tile    | 3 halo |   256 of the block   | 3 halo |            ... into a tile a block
 *     constant weight  | 7 |   one read serves a whole warp
 *     texture  in again, behind an object that reads and never writes
 *     register the running sum of each thread
 *
 * Task
 *   1 (20)  filter_global: all from global memory
 *   2 (35)  set_weights and filter_shared: weights in constant memory, the input through a tile
 *   3 (20)  filter_texture: the input through a texture object
 *   4 (25)  predict sectors, and element_of: let a warp read neighbours
 *
 * Run        make lab-03        or without make:
 *   simcc -I. labs/03_memory_types.cu -o 03 && ./03    (build/bin/simcc, or nvcc -std=c++17)
 * You will see
 *   a line a task, and last: 03_memory_types: 100 of 100 points, 4 passed, 0 failed, 0 to do
 *
 * Chapter: docs/03_memory_types.md
 */
#include "common/lab.h"         // for: LAB_TODO, LAB_CHECK, LAB_PREDICT
#include "common/lab_data.h"    // for: random inputs, fenced device arrays, lab_time
#include "common/lab_profile.h" // for: lab_sectors

/* ---- given ---- */

enum { RADIUS = 3, TAPS = 2 * RADIUS + 1, BLOCK = 256 };

__constant__ float c_weight[TAPS]; // what set_weights() fills

__host__ __device__ static inline int clamp(int i, int n) // the index inside of 0 .. n - 1 nearest to i
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

// `threads` threads double threads * steps floats, in the order of your element_of().
__host__ __device__ int element_of(int thread, int step, int threads, int steps);
__global__ void double_all(const float *in, float *out, int steps)
{
    int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; step++) {
        int i = element_of(thread, step, threads, steps);
        out[i] = 2 * in[i];
    }
}

// A texture object over n floats at d, an address that is a multiple of 512 bytes; it owns nothing.
static cudaTextureObject_t texture_of(const float *d, int n)
{
    cudaTextureObject_t texture;
    cudaResourceDesc from = {};
    cudaTextureDesc how = {};
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = (void *)d;
    from.res.linear.desc = cudaCreateChannelDesc<float>();
    from.res.linear.sizeInBytes = n * sizeof *d;
    how.readMode = cudaReadModeElementType;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &from, &how, NULL));
    return texture;
}

/* ---- what you write: n >= 1, blocks of BLOCK threads, one an element, the grid may hold more than n ---- */

__global__ void filter_global(const float *in, const float *weight, float *out, int n);

// Fill c_weight with TAPS floats from host memory.
cudaError_t set_weights(const float *h_weight);

// The same filter; weights from c_weight; each block reads its part of `in` once, into a __shared__ tile.
__global__ void filter_shared(const float *in, float *out, int n);

// The same filter; weights from c_weight, in[i] by tex1Dfetch<float>(in, i), which answers 0 outside.
__global__ void filter_texture(cudaTextureObject_t in, float *out, int n);

// Which float does `thread` read in step 0 .. steps - 1, so that each of the threads * steps floats is read
// once and a warp, threads 32 w .. 32 w + 31, moves as few sectors of 32 bytes as possible in a step?
__host__ __device__ int element_of(int thread, int step, int threads, int steps);

/* ---- YOUR CODE ---- */
#ifdef LAB_IMPL
#include LAB_IMPL
#else

// How many sectors of 32 bytes does one warp move when its thread t reads ...
LAB_PREDICT(neighbours, LAB_UNKNOWN); // ... float number t?
LAB_PREDICT(shifted, LAB_UNKNOWN);    // ... float number t + 1?
LAB_PREDICT(strided, LAB_UNKNOWN);    // ... float number 8 * t?

__global__ void filter_global(const float *in, const float *weight, float *out, int n)
{
    LAB_TODO("one element of the filter, all from global memory");
}

cudaError_t set_weights(const float *h_weight)
{
    LAB_TODO("copy to the symbol c_weight");
    return cudaSuccess;
}

__global__ void filter_shared(const float *in, float *out, int n)
{
    LAB_TODO("fill a tile with its halo, wait, filter from the tile");
}

__global__ void filter_texture(cudaTextureObject_t in, float *out, int n)
{
    LAB_TODO("one element of the filter, through the texture");
}

__host__ __device__ int element_of(int thread, int step, int threads, int steps)
{
    LAB_TODO("this order is right but slow: each thread walks through a part of its own");
    return thread * steps + step;
}

#endif
/* ---- CHECK, do not edit ---- */

static const float weight[TAPS] = {0.5f, -0.25f, 0.125f, 1, -2, 0.75f, 3}; // no symmetry: reversed is wrong
static const double TOLERANCE = 1e-6;                                      // 7 products of floats

static void reference(const float *in, float *out, int n, bool reversed)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < TAPS; k++)
            sum += (double)weight[reversed ? TAPS - 1 - k : k] * in[clamp(i + k - RADIUS, n)];
        out[i] = (float)sum;
    }
}

// The mistake that explains which elements are wrong.
static const char *diagnose(const float *in, const float *want, const float *got, int n, bool tile)
{
    static float other[300007];
    int wrong = 0, at_front = 0, at_back = 0, at_seams = 0;
    for (int i = 0; i < n; i++)
        if (lab_compare(want + i, got + i, 1, TOLERANCE).wrong) {
            wrong++;
            at_front += i < RADIUS;
            at_back += i >= n - 2 * RADIUS;
            at_seams += i >= RADIUS && i < n - 2 * RADIUS && (i + RADIUS) % BLOCK < 2 * RADIUS;
        }
    reference(in, other, n, true);
    if (!lab_compare(other, got, n, TOLERANCE).wrong)
        return "the weights are in reverse order: weight[0] belongs to in[i - 3]";
    if (tile && wrong == at_back)
        return "only the end is wrong: threads without an element must still help to fill the tile";
    if (wrong == at_front + at_back)
        return "only the ends are wrong: clamp the index; in[-1] is not yours, tex1Dfetch() answers 0";
    if (wrong == at_front + at_back + at_seams)
        return "wrong only where blocks meet: the tile needs a halo of 3 elements on either side";
    if (n > BLOCK && wrong >= n - BLOCK && got[n - 1] == LAB_POISON)
        return "only one block is written: i is blockIdx.x * blockDim.x + threadIdx.x";
    return tile ? "wrong inside of blocks: __syncthreads() between filling the tile and reading it?"
                : "wrong all over: weight[k] belongs to in[i + k - RADIUS]";
}

template <class F> static void check_filter(bool tile, F run)
{
    for (int n : {1009, 300007, 257, BLOCK + 0, 255, 1}) {
        float *h = lab_host_random<float>(n), *want = lab_host<float>(n), *got = lab_host<float>(n);
        float *d = lab_device(h, n), *d_out = lab_device<float>(NULL, n);
        reference(h, want, n, false);
        run(d, d_out, n);
        CUDA_CHECK(cudaGetLastError());
        long long hit = lab_fetch(got, d_out, n);
        bool only_inside = hit == LAB_INTACT;
        bool good = LAB_CHECK(true, only_inside, "n = %d: wrote out[%lld]: no guard `if (i < n)`", n, hit);
        good &= LAB_CHECK_ARRAY(want, got, n, TOLERANCE, "n = %d: %s", n, diagnose(h, want, got, n, tile));
        lab_release();
        if (!good)
            return;
    }
}

static void check_global(void)
{
    check_filter(false, [](float *in, float *out, int n) {
        filter_global<<<n / BLOCK + 1, BLOCK>>>(in, lab_device(weight, TAPS), out, n);
    });
}

static void check_shared(void)
{
    float *got = lab_host<float>(TAPS); // poison
    CUDA_CHECK(cudaMemcpyToSymbol(c_weight, got, sizeof weight));
    LAB_CHECK(cudaSuccess, set_weights(weight), "it takes the symbol, a host pointer, bytes");
    CUDA_CHECK(cudaMemcpyFromSymbol(got, c_weight, sizeof weight));
    LAB_CHECK_ARRAY(weight, got, TAPS, 0, "%s",
                    got[0] == LAB_POISON
                        ? "assigning to the name changes the host's shadow only: cudaMemcpyToSymbol"
                        : "c_weight holds TAPS floats, and sizes are in bytes");
    CUDA_CHECK(cudaMemcpyToSymbol(c_weight, weight, sizeof weight));
    check_filter(true,
                 [](float *in, float *out, int n) { filter_shared<<<n / BLOCK + 1, BLOCK>>>(in, out, n); });
}

static void check_texture(void)
{
    CUDA_CHECK(cudaMemcpyToSymbol(c_weight, weight, sizeof weight));
    check_filter(false, [](float *in, float *out, int n) {
        cudaTextureObject_t texture = texture_of(in, n);
        filter_texture<<<n / BLOCK + 1, BLOCK>>>(texture, out, n);
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaDestroyTextureObject(texture));
    });
}

// How many sectors of 32 bytes hold the floats that a warp reads at once.
template <class F> static int sectors(F index)
{
    int count = 0;
    for (int t = 0; t < 32; t++) {
        int u = 0;
        while (index(u) / 8 != index(t) / 8)
            u++;
        count += u == t; // t is the first in its sector
    }
    return count;
}

__global__ void read_floats(const float *in, float *out, int factor, int first)
{
    out[threadIdx.x] = in[factor * threadIdx.x + first];
}

static int sectors_read(int factor, int first)
{
    float *h = lab_host_random<float>(256), *d = lab_device(h, 256), *d_out = lab_device<float>(NULL, 32);
    int computed = sectors([=](int t) { return factor * t + first; });
    int moved =
        lab_sectors("read_floats", computed, [=] { read_floats<<<1, 32>>>(d, d_out, factor, first); });
    lab_release();
    return moved;
}

static void check_order(void)
{
    const char *why = "8 floats share a sector, and a sector moves whole; an array starts at a sector";
    lab_measured(neighbours, sectors_read(1, 0), "sectors for floats t", why);
    lab_measured(shifted, sectors_read(1, 1), "sectors for floats t + 1", why);
    lab_measured(strided, sectors_read(8, 0), "sectors for floats 8 * t", why);
    const int steps = 9, threads = 2 * BLOCK, n = threads * steps;
    float *h = lab_host_random<float>(n), *want = lab_host<float>(n), *got = lab_host<float>(n);
    float *d = lab_device(h, n), *d_out = lab_device<float>(NULL, n);
    int most = 0;
    for (int first = 0; first < threads; first += 32)
        for (int step = 0; step < steps; step++) {
            int count = sectors([=](int t) { return element_of(first + t, step, threads, steps); });
            most = count > most ? count : most;
        }
    for (int i = 0; i < n; i++)
        want[i] = 2 * h[i];
    most =
        lab_sectors("double_all", most, [=] { double_all<<<threads / BLOCK, BLOCK>>>(d, d_out, steps); });
    CUDA_CHECK(cudaGetLastError());
    long long hit = lab_fetch(got, d_out, n);
    bool only_inside = hit == LAB_INTACT;
    LAB_CHECK(true, only_inside, "float %lld is not one of 0 .. threads * steps - 1", hit);
    LAB_CHECK_ARRAY(want, got, n, 0, "each float must belong to one thread in one step");
    LAB_CHECK(4, most, "sectors of a warp in a step: neighbours in a warp must read neighbours");
    lab_release();
}

static void measure(void)
{
    const int n = 1 << 24, steps = 16, blocks = n / BLOCK;
    float *d = lab_device<float>(NULL, n), *d_out = lab_device<float>(NULL, n);
    float *d_weight = lab_device(weight, TAPS);
    cudaTextureObject_t texture = texture_of(d, n);
    size_t bytes = 2 * sizeof(float) * n; // each element read once, written once
    lab_time("filter_global", bytes, [=] { filter_global<<<blocks, BLOCK>>>(d, d_weight, d_out, n); });
    lab_time("filter_shared", bytes, [=] { filter_shared<<<blocks, BLOCK>>>(d, d_out, n); });
    lab_time("filter_texture", bytes, [=] { filter_texture<<<blocks, BLOCK>>>(texture, d_out, n); });
    lab_time("double_all", bytes, [=] { double_all<<<blocks / steps, BLOCK>>>(d, d_out, steps); });
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    lab_release();
}

int main(int argc, char **argv)
{
    lab_begin(argc, argv, "03_memory_types");
    lab_task(20, "global memory", check_global);
    lab_task(35, "constant and shared memory", check_shared);
    lab_task(20, "texture memory", check_texture);
    lab_task(25, "who reads what", check_order);
    if (lab_may_time())
        measure();
    return lab_end();
}

/* SPDX-License-Identifier: MIT
 *
 * Lab 05: streams
 *
 * Question: how do copies and kernels overlap, and what keeps the right ones in order?
 *
 *     one stream        | copy 0 | work 0 | copy 1 | work 1 | copy 2 | work 2 |
 *
 *     stream copy       | copy 0 | copy 1 | copy 2 | copy 3 |           into d[0], d[1], d[0], d[1]
 *                                \        \^       \^                   \ a chunk is there
 *     stream compute             | work 0 | work 1 | work 2 | work 3 |  ^ a buffer is free again
 * Task
 *   1 (15)  predict who waits for whom, and the trap of the legacy default stream
 *   2 (20)  order: one stream waits for another, the host for nobody
 *   3 (40)  pipeline: copy the next chunk while a kernel works on this one
 *   4 (25)  two_steps: memory that is allocated and freed in stream order
 *
 * Run        make lab-05        or without make:
 *   simcc --check -I. labs/05_streams.cu -o 05 && ./05    (build/bin/simcc, or nvcc -std=c++17)
 * You will see
 *   a line a task, and last: 05_streams: 100 of 100 points, 4 passed, 0 failed, 0 to do
 * Chapter: docs/05_streams.md
 */
#include "common/lab.h"         // for: LAB_TODO, LAB_CHECK, LAB_PREDICT
#include "common/lab_capture.h" // for: lab_capture: what must come before what
#include "common/lab_data.h"    // for: fenced device arrays
#include "common/lab_stream.h"  // for: lab_waits, lab_milliseconds

/* ---- given ---- */

enum { BLOCK = 256 }; // threads

__global__ void work(const unsigned *in, unsigned *out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = in[i];
    for (int round = 0; round < rounds; round++)
        x = x * 1664525 + 1013904223;
    out[i] = x;
}

struct lanes {
    cudaStream_t copy, compute;
    cudaEvent_t event; // one is enough: a wait is for the last record before it
    unsigned *d[2];    // room for a chunk each, on the device
};

/* ---- what you write: return the first error; the host waits for nothing ---- */

// What is given to `second` from now on waits for what was given to `first` until now.
cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event);

// Let `work` turn n elements of h_in, pinned, into d_out, in chunks, the last maybe short: chunk k is copied to
// d[k % 2] in stream `copy`, then work<<<.., BLOCK, 0, compute>>>(d[k % 2], d_out + k * chunk, .., rounds).
// While that runs, the next copy fills the other buffer. n may be 0; the streams have nothing to do before.
cudaError_t pipeline(lanes *p, const unsigned *h_in, unsigned *d_out, int n, int chunk, int rounds);

// `work`, 1 round, from d_in to memory that you allocate and free in stream order, in stream a; then again, from
// there to d_out, in stream b. n > 0.
cudaError_t two_steps(const unsigned *d_in, unsigned *d_out, int n, cudaStream_t a, cudaStream_t b,
                      cudaEvent_t event);

/* ---- YOUR CODE ---- */
#ifdef LAB_IMPL
#include LAB_IMPL
#else

// cudaStreamCreate made a and b, cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking) made n. A kernel in ...
LAB_PREDICT(b_after_a, LAB_UNKNOWN);       // ... b: does it wait for work in a? 1 or 0
LAB_PREDICT(a_after_default, LAB_UNKNOWN); // ... a, for work in the default stream?
LAB_PREDICT(n_after_default, LAB_UNKNOWN); // ... n, for work in the default stream?
LAB_PREDICT(b_after_both, LAB_UNKNOWN);    // ... b, for work in a, with a kernel<<<1, 1>>>() given in between?
// Of 8 copies and 8 kernels, how many have to run one after another ...
LAB_PREDICT(serial, LAB_UNKNOWN);    // ... in one stream?
LAB_PREDICT(pipelined, LAB_UNKNOWN); // ... in the pipeline of the drawing?

cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event)
{
    LAB_TODO("record and wait, in the streams");
    return cudaSuccess;
}

cudaError_t pipeline(lanes *p, const unsigned *h_in, unsigned *d_out, int n, int chunk, int rounds)
{
    LAB_TODO("the first copy; for each chunk: the next copy, the kernel, and what they wait for");
    return cudaSuccess;
}

cudaError_t two_steps(const unsigned *d_in, unsigned *d_out, int n, cudaStream_t a, cudaStream_t b,
                      cudaEvent_t event)
{
    LAB_TODO("allocate, work, work, free, each in its stream");
    return cudaSuccess;
}

#endif
/* ---- CHECK, do not edit ---- */

static cudaStream_t a, b;
static cudaEvent_t event;

__global__ void nothing(void) {}

static bool waits(cudaStream_t first, cudaStream_t second) // a kernel in `second`, for work in `first`
{
    return lab_waits(first, [=] { nothing<<<1, 1, 0, second>>>(), cudaStreamSynchronize(second); });
}

static void check_default(void)
{
    cudaStream_t n;
    const char *blocking = "the legacy default stream and those of cudaStreamCreate wait for each other";
    CUDA_CHECK(cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking));
    lab_measured(b_after_a, waits(a, b), "b waits for a", "nothing orders two streams by itself");
    lab_measured(a_after_default, waits(0, a), "a waits for the default stream", blocking);
    lab_measured(n_after_default, waits(0, n), "n waits for the default stream", "it is non-blocking");
    bool both = lab_waits(a, [] { nothing<<<1, 1>>>(), waits(0, b); });
    lab_measured(b_after_both, both, "b waits for a, with a kernel between", blocking);
    CUDA_CHECK(cudaStreamDestroy(n));
}

static void check_order(void)
{
    auto behind = [](cudaStream_t held, cudaStream_t then) { // a kernel in `then` after order(), for `held`
        return lab_waits(held, [=] {
            LAB_CHECK(cudaSuccess, order(a, b, event), "order");
            nothing<<<1, 1, 0, then>>>(), cudaStreamSynchronize(then);
        });
    };
    LAB_CHECK(false, lab_waits(a, [] { order(a, b, event); }), "the host waits: let the stream do that");
    LAB_CHECK(true, behind(a, b), "second does not wait: is the event recorded in first, and before?");
    LAB_CHECK(false, behind(b, a), "first waits for second: the wrong way round");
}

static void serially(lanes *p, const unsigned *h, unsigned *d_out, int n, int chunk, int rounds)
{
    for (int at = 0; at < n; at += chunk) {
        cudaMemcpyAsync(p->d[0], h + at, chunk * sizeof *h, cudaMemcpyHostToDevice, p->copy);
        work<<<chunk / BLOCK + 1, BLOCK, 0, p->copy>>>(p->d[0], d_out + at, chunk, rounds);
    }
}

static void check_overlap(lanes *p, const unsigned *h, unsigned *d, int chunk)
{
    lab_ops ops;
    lab_capture(&ops, a, b, [=] { return serially(p, h, d, 8 * chunk, chunk, 1), cudaSuccess; });
    lab_measured(serial, lab_chain(&ops), "operations, serial", "in a stream each waits for the one before");
    cudaError_t e = lab_capture(&ops, a, b, [=] { return pipeline(p, h, d, 8 * chunk, chunk, 1); });
    bool good = LAB_CHECK(cudaSuccess, e, "%s", lab_capture_why(e));
    for (int k = 0; k < 8 && good; k++) {
        int kernel = lab_op(&ops, d + k * chunk), copies[3];
        for (int i = 0; i < 3; i++)
            copies[i] = lab_op(&ops, h + (k + i) * chunk);
        bool filled = lab_follows(&ops, copies[0], kernel), drained = lab_follows(&ops, kernel, copies[2]);
        bool serial = lab_follows(&ops, kernel, copies[1]);
        good &= LAB_CHECK(true, filled, "kernel %d does not wait for its chunk", k);
        good &= LAB_CHECK(k < 6, drained, "copy %d may overwrite what kernel %d still reads", k + 2, k);
        good &= LAB_CHECK(false, serial, "copy %d waits for kernel %d, so they cannot overlap", k + 1, k);
    }
    lab_measured(pipelined, lab_chain(&ops), "operations, pipelined", "a copy, then a kernel a step");
}

static void check_time(lanes *p, const unsigned *h, unsigned *d, int n, int chunk) // on a GPU
{
    auto ms = [=](int rounds) { return lab_milliseconds([=] { serially(p, h, d, n, chunk, rounds); }); };
    const double copies = ms(0), kernels = ms(1000) - copies;
    const int rounds = (int)(1000 * copies / kernels); // so that a kernel takes as long as a copy
    double one = ms(rounds), two = lab_milliseconds([=] { pipeline(p, h, d, n, chunk, rounds); });
    printf("    one stream %.2f ms, pipeline %.2f ms: %.2f times as fast\n", one, two, one / two);
    bool overlaps = one >= 1.8 * two;
    LAB_CHECK(true, overlaps, "less than 1.8 times the speed of one stream");
}

static void check_pipeline(void)
{
    const int chunk = lab_on_sim ? 1000 : 2 << 20, most = (lab_on_sim ? 8 : 32) * chunk;
    lanes p = {a, b, event, {lab_device<unsigned>(NULL, chunk), lab_device<unsigned>(NULL, chunk)}};
    unsigned *h;
    CUDA_CHECK(cudaMallocHost(&h, most * sizeof *h));
    for (int i = 0; i < most; i++)
        h[i] = i * 2654435761u;
    for (int n : {1, chunk, chunk + 1, 3 * chunk - 1, 8 * chunk, 0}) {
        unsigned *d = lab_device<unsigned>(NULL, n), *want = lab_host<unsigned>(n), *got = lab_host<unsigned>(n);
        for (int i = 0; i < n; i++)
            want[i] = h[i] * 1664525 + 1013904223;
        LAB_CHECK(cudaSuccess, pipeline(&p, h, d, n, chunk, 1), "n = %d", n);
        CUDA_CHECK(cudaDeviceSynchronize());
        LAB_CHECK(LAB_INTACT, lab_fetch(got, d, n), "n = %d: written outside of d_out", n);
        if (!LAB_CHECK_ARRAY(want, got, n, 0, "n = %d, chunks of %d: which chunk is where?", n, chunk))
            break;
    }
    unsigned *d = lab_device<unsigned>(NULL, most);
    check_overlap(&p, h, d, chunk);
    if (!lab_on_sim && lab_run.status == LAB_PASS)
        check_time(&p, h, d, most, chunk);
    lab_release();
    CUDA_CHECK(cudaFreeHost(h));
}

static void check_two_steps(void)
{
    lab_ops ops;
    for (int n : {1, 257, 10007}) {
        unsigned *h = lab_host<unsigned>(n), *want = lab_host<unsigned>(n), *got = lab_host<unsigned>(n);
        for (int i = 0; i < n; i++)
            h[i] = i * 2654435761u, want[i] = (h[i] * 1664525 + 1013904223) * 1664525 + 1013904223;
        unsigned *d = lab_device(h, n), *d_out = lab_device<unsigned>(NULL, n);
        LAB_CHECK(cudaSuccess, two_steps(d, d_out, n, a, b, event), "n = %d", n);
        CUDA_CHECK(cudaDeviceSynchronize());
        lab_fetch(got, d_out, n);
        LAB_CHECK_ARRAY(want, got, n, 0, "n = %d", n);
        cudaError_t e = lab_capture(&ops, a, b, [=] { return two_steps(d, d_out, n, a, b, event); });
        int second = lab_op(&ops, d_out), freed = lab_op_of(&ops, cudaGraphNodeTypeMemFree);
        bool freed_late = lab_follows(&ops, second, freed);
        if (LAB_CHECK(cudaSuccess, e, "%s", lab_capture_why(e)) &&
            LAB_CHECK(true, freed_late, "the free does not wait for the kernel in b, which reads the memory"))
            LAB_CHECK(4, lab_chain(&ops), "allocate, work, work, free: each waits for the one before it");
        lab_release();
        if (lab_run.status == LAB_FAIL)
            break;
    }
}

int main(int argc, char **argv)
{
    lab_begin(argc, argv, "05_streams");
    CUDA_CHECK(cudaStreamCreate(&a));
    CUDA_CHECK(cudaStreamCreate(&b));
    CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    lab_task(15, "who waits for whom", check_default);
    lab_task(20, "one stream waits for another", check_order);
    lab_task(40, "a pipeline", check_pipeline);
    lab_task(25, "memory in stream order", check_two_steps);
    CUDA_CHECK(cudaEventDestroy(event));
    CUDA_CHECK(cudaStreamDestroy(b));
    CUDA_CHECK(cudaStreamDestroy(a));
    return lab_end();
}

/* SPDX-License-Identifier: MIT
 *
 * Lab 05: streams
 *
 * Question: how do copies and kernels overlap, and what keeps the right ones in order?
 *
 *     one stream        | copy 0 | work 0 | copy 1 | work 1 | copy 2 | work 2 |
 *     stream copy       | copy 0 | copy 1 | copy 2 | copy 3 |           into d[0], d[1], d[0], d[1]
 *                                \        \^       \^                   \ a chunk is there
 *     stream compute             | work 0 | work 1 | work 2 | work 3 |  ^ a buffer is free again
 * Task
 *   1 (15)  predict who waits for whom, and the trap of the legacy default stream
 *   2 (20)  order: one stream waits for another, the host for nobody
 *   3 (40)  pipeline: copy the next chunk while a kernel works on this one
 *   4 (25)  twice: memory that is allocated and freed in stream order
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
    unsigned x = i < n ? in[i] : 0;
    for (int round = 0; round < rounds; round++)
        x = x * 1664525 + 1013904223;
    if (i < n)
        out[i] = x;
}

struct lanes {
    cudaStream_t copy, compute;
    cudaEvent_t event; // one is enough, since a wait is for the last record before it; you may make more
    unsigned *d[2];    // room for a chunk each, on the device
};

/* ---- what you write: return the first error; the host waits for nothing ---- */

// What is given to `second` from now on waits for what was given to `first` until now.
cudaError_t order(cudaStream_t first, cudaStream_t second, cudaEvent_t event);

// Let `work` turn n elements of h_in, pinned, into d_out, in chunks, the last maybe short: chunk k is copied
// to d[k % 2] in stream `copy`, then work<<<.., compute>>>(d[k % 2], d_out + k * chunk, .., rounds). The next
// copy fills the other buffer meanwhile. Both streams are idle at the call. n may be 0.
cudaError_t pipeline(lanes *p, const unsigned *h_in, unsigned *d_out, int n, int chunk, int rounds);

// n > 0. Let `work`, 1 round, go from `in` to memory that you allocate, in stream a, and again from there to
// `out`, in stream b. The memory is allocated and freed in stream order.
cudaError_t twice(const unsigned *in, unsigned *out, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e);

/* ---- YOUR CODE ---- */
#ifdef LAB_IMPL
#include LAB_IMPL
#else

// cudaStreamCreate made a and b, cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking) made n. A kernel in ...
LAB_PREDICT(b_after_a, LAB_UNKNOWN);       // ... b: does it wait for work in a? 1 or 0
LAB_PREDICT(a_after_default, LAB_UNKNOWN); // ... a, for work in the default stream?
LAB_PREDICT(n_after_default, LAB_UNKNOWN); // ... n, for work in the default stream?
LAB_PREDICT(b_after_both, LAB_UNKNOWN);    // ... b, for work in a, with a kernel<<<1, 1>>>() in between?
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

cudaError_t twice(const unsigned *in, unsigned *out, int n, cudaStream_t a, cudaStream_t b, cudaEvent_t e)
{
    LAB_TODO("allocate, work, work, free, each in its stream");
    return cudaSuccess;
}

#endif
/* ---- CHECK, do not edit ---- */

static cudaStream_t a, b, n; // n does not wait for the default stream, nor the reverse
static cudaEvent_t event;

static void run_in(cudaStream_t stream)
{
    lab_nothing<<<1, 1, 0, stream>>>();
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

static void check_default(void)
{
    const char *blocking = "the legacy default stream and those of cudaStreamCreate wait for each other";
    CUDA_CHECK(cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking));
    lab_measured(b_after_a, lab_waits(a, [] { run_in(b); }), "b waits for a", "nothing orders the two");
    lab_measured(a_after_default, lab_waits(0, [] { run_in(a); }), "a waits for default", blocking);
    lab_measured(n_after_default, lab_waits(0, [] { run_in(n); }), "n waits for default", "non-blocking");
    bool both = lab_waits(a, [] { lab_nothing<<<1, 1>>>(), run_in(b); });
    lab_measured(b_after_both, both, "b waits for a, a kernel between", blocking);
    CUDA_CHECK(cudaStreamDestroy(n));
}

static void check_order(void)
{
    auto order_then = [](cudaStream_t next) { order(a, b, event), run_in(next); };
    LAB_CHECK(cudaSuccess, order(a, b, event), "record, then wait");
    LAB_CHECK(false, lab_waits(a, [] { order(a, b, event); }), "the host waits: let the stream do that");
    LAB_CHECK(true, lab_waits(a, [=] { order_then(b); }), "second does not wait: record in first, then wait");
    LAB_CHECK(false, lab_waits(b, [=] { order_then(a); }), "first waits for second: the wrong way round");
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
    LAB_CHECK(cudaSuccess, e, "%s", lab_capture_why(e));
    for (int k = 0; k < 8 && lab_run.status == LAB_PASS; k++) {
        // A copy goes by its source, a kernel by its output.
        const unsigned *copy = h + k * chunk, *kernel = d + k * chunk;
        bool drained = k >= 6 || lab_follows(&ops, kernel, copy + 2 * chunk);
        LAB_CHECK(true, lab_follows(&ops, copy, kernel), "kernel %d does not wait for its chunk", k);
        LAB_CHECK(true, drained, "copy %d may overwrite what kernel %d still reads", k + 2, k);
        LAB_CHECK(false, lab_follows(&ops, kernel, copy + chunk), "copy %d waits for kernel %d", k + 1, k);
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
    LAB_CHECK(true, one >= 1.8 * two, "less than 1.8 times the speed of one stream");
}

static void check_pipeline(void)
{
    const int chunk = lab_on_sim ? 1000 : 4 << 20, most = (lab_on_sim ? 8 : 32) * chunk;
    lanes p = {a, b, event, {lab_device<unsigned>(NULL, chunk), lab_device<unsigned>(NULL, chunk)}};
    unsigned *h, *d = lab_device<unsigned>(NULL, most), *want = lab_host<unsigned>(most);
    CUDA_CHECK(cudaMallocHost(&h, most * sizeof *h));
    for (int i = 0; i < most; i++)
        h[i] = i * 2654435761u, want[i] = h[i] * 1664525 + 1013904223;
    check_overlap(&p, h, d, chunk);
    for (int n : {1, chunk, chunk + 1, 3 * chunk - 1, 8 * chunk, 0}) {
        unsigned *got = lab_host<unsigned>(n), *d_out = lab_device<unsigned>(NULL, n);
        LAB_CHECK(cudaSuccess, pipeline(&p, h, d_out, n, chunk, 1), "n = %d", n);
        LAB_CHECK(LAB_INTACT, lab_fetch(got, d_out, n), "n = %d: written outside of d_out", n);
        if (!LAB_CHECK_ARRAY(want, got, n, 0, "n = %d, chunks of %d: which chunk is where?", n, chunk))
            break;
    }
    if (!lab_on_sim && lab_run.status == LAB_PASS)
        check_time(&p, h, d, most, chunk);
    lab_release();
    CUDA_CHECK(cudaFreeHost(h));
}

static void check_twice(void)
{
    lab_ops ops;
    for (int n : {1, 257, 10007}) {
        unsigned *h = lab_host<unsigned>(n), *want = lab_host<unsigned>(n), *got = lab_host<unsigned>(n);
        for (int i = 0; i < n; i++)
            h[i] = i * 2654435761u, want[i] = (h[i] * 1664525 + 1013904223) * 1664525 + 1013904223;
        unsigned *d = lab_device(h, n), *out = lab_device<unsigned>(NULL, n);
        cudaError_t e = lab_capture(&ops, a, b, [=] { return twice(d, out, n, a, b, event); });
        if (!LAB_CHECK(cudaSuccess, e, "%s", lab_capture_why(e)))
            break;
        LAB_CHECK(true, lab_follows(&ops, out, lab_free_op), "freed while the kernel in b may read it");
        LAB_CHECK(4, lab_chain(&ops), "allocate, work, work, free: each waits for the one before it");
        LAB_CHECK(cudaSuccess, twice(d, out, n, a, b, event), "n = %d", n);
        lab_fetch(got, out, n);
        LAB_CHECK_ARRAY(want, got, n, 0, "n = %d", n);
    }
    lab_release();
}

int main(int argc, char **argv)
{
    auto make = [] {
        CUDA_CHECK(cudaStreamCreate(&a));
        CUDA_CHECK(cudaStreamCreate(&b));
        CUDA_CHECK(cudaEventCreate(&event));
    };
    auto end = [] { cudaEventDestroy(event), cudaStreamDestroy(b), cudaStreamDestroy(a); };
    lab_begin(argc, argv, "05_streams", make, end);
    lab_task(15, "who waits for whom", check_default);
    lab_task(20, "one stream waits for another", check_order);
    lab_task(40, "a pipeline", check_pipeline);
    lab_task(25, "memory in stream order", check_twice);
    return lab_end();
}

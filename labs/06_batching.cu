/* SPDX-License-Identifier: MIT
 *
 * Lab 06: batching
 *
 * Question: ten thousand small problems: how few calls, and how few bytes, do they need?
 *
 *     one by one   |p0|   |p1|   |p2|   ...      memory, two copies and a launch for each
 *     padded       |p0......|p1......|p2......|  one array; problem k begins at k * the largest
 *     packed       |p0.|p1......|p2...|          one array; problem k begins at[k], and is as long as it is
 * Task
 *   1 (25)  predict operations and lengths; pack: a place for each problem
 *   2 (45)  solve_all and enqueue: two copies and one launch for all
 *   3 (30)  record: the same as a graph, one call each time
 *
 * Run        make lab-06  (chapter: docs/06_batching.md)  or without make:
 *   simcc --check -I. labs/06_batching.cu -o 06 && ./06    (build/bin/simcc, or nvcc -std=c++17)
 * You will see
 *   what padding and packing move, and last: 06_batching: 100 of 100 points, 3 passed, 0 failed, 0 to do
 */
#include "common/lab.h"         // for: LAB_TODO, LAB_CHECK, LAB_PREDICT
#include "common/lab_capture.h" // for: lab_capture: what is given to a stream
#include "common/lab_data.h"    // for: fenced device arrays, comparison
#include "common/lab_profile.h" // for: lab_count_loads
#include "common/lab_stream.h"  // for: lab_stream_create, lab_milliseconds

/* ---- given ---- */

enum { COUNT = 10000, FEW = 8, WARP = 32 };
static const int few[FEW] = {5, 100, 1, 33, 64, 2, 17, 9}; // lengths of eight problems
struct batch {
    int count;               // problems
    size_t total;            // length of x, with what lies between problems and must not change
    const int *n, *d_n;      // problem k has the length n[k], at least 1; the same on the device
    const size_t *at, *d_at; // ... and begins at x + at[k]; the same on the device
    unsigned *x, *d_x;       // all problems, in pinned memory; room for them on the device
};
typedef cudaError_t work(const struct batch *b, cudaStream_t stream); // gives it work, waits for nothing

// A warp solves a problem, of whatever kind: here x[i] becomes n * x[i] + i.
__device__ void solve(int n, unsigned *x)
{
    for (int i = threadIdx.x; i < n; i += WARP)
        x[i] = n * x[i] + i;
}
__global__ void solve_one(int n, unsigned *x) { solve(n, x); }

static cudaError_t one_by_one(const struct batch *b, cudaStream_t stream) // what is to become faster
{
    for (int k = 0; k < b->count; k++) {
        unsigned *d, *x = b->x + b->at[k];
        size_t bytes = b->n[k] * sizeof *d;
        CUDA_CHECK(cudaMallocAsync(&d, bytes, stream));
        CUDA_CHECK(cudaMemcpyAsync(d, x, bytes, cudaMemcpyHostToDevice, stream));
        solve_one<<<1, WARP, 0, stream>>>(b->n[k], d);
        CUDA_CHECK(cudaMemcpyAsync(x, d, bytes, cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaFreeAsync(d, stream));
    }
    return cudaGetLastError();
}

/* ---- what you write ---- */

// Give `count` >= 0 problems of the lengths n[k] a place each: in order, at[k] a multiple of `align`, a
// power of two, as tight as that can be. Return the length of the whole: where the last one ends.
size_t pack(const int *n, int count, size_t align, size_t *at);

// Block k, one warp, solves problem k. All three are on the device.
__global__ void solve_all(const int *n, const size_t *at, unsigned *x);

// Queue in the stream: x goes up in one copy, one launch solves all, x comes down in one copy. Return the
// first error. Without problems there is nothing to do, and a grid of 0 blocks is refused.
cudaError_t enqueue(const struct batch *b, cudaStream_t stream);

// Make *exec, a graph of what queue(b, stream) gives to the stream; nothing runs now. Return the first error,
// be it an answer of queue() or one of the capture; then, too, the stream captures no more.
cudaError_t record(cudaGraphExec_t *exec, cudaStream_t stream, work *queue, const struct batch *b);

/* ---- YOUR CODE ---- */
#ifdef LAB_IMPL
#include LAB_IMPL
#else
LAB_PREDICT(operations, LAB_UNKNOWN); // that one_by_one() gives to the stream for eight problems
LAB_PREDICT(packed, LAB_UNKNOWN);     // length of x for them, packed with align = 8

size_t pack(const int *n, int count, size_t align, size_t *at)
{
    LAB_TODO("one behind the other, each at the next multiple of align");
    return 0;
}

__global__ void solve_all(const int *n, const size_t *at, unsigned *x)
{
    LAB_TODO("which problem is this block's, and where does it begin?");
}

cudaError_t enqueue(const struct batch *b, cudaStream_t stream)
{
    LAB_TODO("a copy, a launch, a copy, all in the stream");
    return cudaSuccess;
}

cudaError_t record(cudaGraphExec_t *exec, cudaStream_t stream, work *queue, const struct batch *b)
{
    LAB_TODO("begin a capture, queue, end it, instantiate");
    return cudaErrorNotSupported;
}

#endif
/* ---- CHECK, do not edit ---- */

static cudaStream_t stream;
static int length[COUNT];   // 1 to 255, most of them short
static size_t place[COUNT]; // at first padded: 255 for each

// Make a batch; run(&b) says how often it has been solved, for comparison with the host's answer.
template <class F> LAB_UNSEEN static void try_out(int count, F run)
{
    size_t total = count ? place[count - 1] + length[count - 1] : 0;
    struct batch b = {count, total, length, lab_device(length, count), place, lab_device(place, count),
                      NULL, lab_device<unsigned>(NULL, total)};
    unsigned *want = lab_host<unsigned>(total);
    CUDA_CHECK(cudaMallocHost(&b.x, (total + 1) * sizeof *b.x));
    for (size_t i = 0; i < total; i++)
        want[i] = b.x[i] = (unsigned)i * 2654435761u;
    int times = run(&b);
    for (int k = 0; k < count * times; k++)
        for (int i = 0, n = length[k % count]; i < n; i++)
            want[place[k % count] + i] = n * want[place[k % count] + i] + i;
    CUDA_CHECK(cudaStreamSynchronize(stream));
    LAB_CHECK_ARRAY(want, b.x, times ? total : 0, 0, "block k solves problem k, at x + at[k]");
    CUDA_CHECK(cudaFreeHost(b.x));
    lab_release();
}

static void check_pack(void)
{
    size_t at[FEW + 1] = {};
    for (int count : {0, 1, FEW + 0})
        for (size_t align : {1, 64, 8}) {
            size_t end = 0, total = pack(few, count, align, at);
            for (int k = 0; k < count; end = at[k] + few[k], k++)
                LAB_CHECK((end + align - 1) / align * align, at[k], "up to a multiple of %zu", align);
            LAB_CHECK(end, total, "the end of the last one, not rounded up; align is %zu", align);
            LAB_CHECK(0, at[count], "of %d problems the last is number %d", count, count - 1);
        }
    lab_measured(packed, pack(few, FEW, 8, at), "length of x, packed", "all are rounded up but the last");
}

static void check_batch(void)
{
    for (int n : {FEW + 0, 1, 0})
        try_out(n, [=](batch *b) {
            lab_ops ops;
            CUDA_CHECK(lab_capture(&ops, stream, stream, [=] { return one_by_one(b, stream); }));
            if (n == FEW)
                lab_measured(operations, ops.count, "operations, one by one", "each line of its loop is one");
            cudaError_t e = lab_capture(&ops, stream, stream, [=] { return enqueue(b, stream); });
            LAB_CHECK(cudaSuccess, e, "%d problems: %s", n, lab_capture_why(e));
            LAB_CHECK(n > 0, ops.kernels, "launches in the stream for %d problems", n);
            LAB_CHECK(n > 0 ? 2 : 0, ops.copies, "copies in the stream for %d problems", n);
            return lab_run.status == LAB_PASS && LAB_CHECK(cudaSuccess, enqueue(b, stream), "which call?");
        });
    for (size_t align : {0, 64, 8, 1}) { // 0: padded
        if (lab_run.status != LAB_PASS || (align && !lab_run.count[LAB_PASS])) // task 1 packs
            return;
        if (align)
            pack(length, COUNT, align, place);
        try_out(COUNT, [=](batch *b) {
            int times = 0;
            auto go = [&] { enqueue(b, stream), times++; };
            double cost = lab_on_sim ? lab_count_loads("solve_all", go).sectors : lab_milliseconds(go);
            printf("    %s to %3zu: %7zu numbers, %.*f %s\n", align ? "packed" : "padded",
                   align ? align : 255, b->total, lab_on_sim ? 0 : 3, cost, lab_on_sim ? "sectors" : "ms");
            return times;
        });
    }
}

static cudaError_t failing(const batch *, cudaStream_t) { return cudaErrorNotReady; }
static void check_graph(void)
{
    try_out(COUNT, [](batch *b) {
        cudaStreamCaptureStatus status;
        cudaGraphExec_t exec = NULL;
        LAB_CHECK(cudaErrorNotReady, record(&exec, stream, failing, b), "what queue() answered");
        CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
        LAB_CHECK(cudaStreamCaptureStatusNone, status, "it still captures: end that on every way out");
        LAB_CHECK(cudaSuccess, record(&exec, stream, enqueue, b), "begin, queue, end, instantiate");
        if (lab_run.status != LAB_PASS)
            return 0;
        CUDA_CHECK(cudaStreamSynchronize(stream));
        LAB_CHECK(2654435761u, b->x[1], "it has run: queue() comes between begin and end of the capture");
        int times = 0;
        for (; times < 2; times++) // the second time on what the first has left
            CUDA_CHECK(cudaGraphLaunch(exec, stream));
        if (!lab_on_sim && lab_run.status == LAB_PASS) {
            double each = lab_milliseconds([&] { one_by_one(b, stream), times++; });
            double all = lab_milliseconds([&] { enqueue(b, stream), times++; });
            double graph = lab_milliseconds([&] { cudaGraphLaunch(exec, stream), times++; });
            printf("    one by one %.3f ms, a batch %.3f ms, its graph %.3f ms\n", each, all, graph);
            LAB_CHECK(true, each > 10 * all, "less than 10 times the speed of one by one");
        }
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaGraphExecDestroy(exec));
        return times;
    });
}

int main(int argc, char **argv)
{
    lab_begin(argc, argv, "06_batching", [] { stream = lab_stream_create(); },
              [] { CUDA_CHECK(cudaStreamDestroy(stream)); });
    for (int k = 0; k < COUNT; k++)
        place[k] = 255 * k, length[k] = (int)exp2(4 * (lab_random() + 1));
    lab_task(25, "a place for each", check_pack);
    lab_task(45, "one launch for all", check_batch);
    lab_task(30, "a graph", check_graph);
    return lab_end();
}

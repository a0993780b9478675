/* SPDX-License-Identifier: MIT
 *
 * A lab made of the tasks that SCENE names, each of which provokes one thing that the harness must do;
 * run.py beside this file says what.
 */
#include "common/lab.h"
#include "common/lab_capture.h"
#include "common/lab_data.h"
#include "common/lab_profile.h"
#include "common/lab_stream.h"

#ifdef cudaGetDeviceCount // renamed on the command line: a machine where no device answers
extern "C" cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 0;
    return cudaErrorNoDevice;
}
#endif

LAB_PREDICT(open_guess, LAB_UNKNOWN);
LAB_PREDICT(good_guess, 42);
LAB_PREDICT(bad_guess, 41);

__global__ void undone(int *out)
{
    LAB_TODO("a kernel");
    *out = 1;
}

__global__ void write_at(float *out, long long i)
{
    out[i] = 1;
}

static void pass(void)
{
    LAB_CHECK(2, 1 + 1, "never said");
}

static void fail(void)
{
    LAB_CHECK(3, 1 + 1, "it is %s", "two");
    LAB_CHECK(4, 1 + 1, "it still is");
}

static void show(void)
{
    LAB_CHECK(cudaErrorMemoryAllocation, cudaErrorInvalidValue, "names");
    LAB_CHECK(18446744073709551615ull, (size_t)7, "unsigned");
    LAB_CHECK(-1, 5LL, "signed");
    LAB_CHECK(0.5, 0.25f, "real");
    LAB_CHECK(true, false, "truth");
    LAB_CHECK((void *)0x10, (void *)0x20, "address");
    LAB_CHECK((const char *)"ONE", (const char *)"OTHER", "text");
}

static void todo(void)
{
    for (int i = 0; i < 2; i++)
        LAB_TODO("once");
    LAB_CHECK(1, LAB_TODO("an expression"), "silent");
}

static void kernel_todo(void)
{
    int *d;
    CUDA_CHECK(cudaMalloc(&d, sizeof *d));
    undone<<<2, 64>>>(d);
    CUDA_CHECK(cudaDeviceSynchronize());
    LAB_CHECK(1, 2, "silent");
    CUDA_CHECK(cudaFree(d));
}

static void stop(void)
{
    void *d;
    CUDA_CHECK(cudaMalloc(&d, (size_t)1 << 60));
}

static void held(void)
{
    lab_device<float>(NULL, 100);
    stop();
}

static void leak(void)
{
    void *d;
    CUDA_CHECK(cudaMalloc(&d, 5000));
}

static void pending(void)
{
    cudaMalloc((void **)NULL, 1);
}

static void clean(void)
{
    LAB_CHECK(cudaSuccess, cudaGetLastError(), "an error of another task");
}

static void fault(void)
{
    write_at<<<1, 1>>>(NULL, 0);
}

static void fault_seen(void)
{
    float *d = lab_device<float>(NULL, 1);
    write_at<<<1, 1>>>(NULL, 0);
    LAB_CHECK(cudaSuccess, cudaDeviceSynchronize(), "the fault");
    CUDA_CHECK(cudaMemset(d, 0, sizeof *d));
}

static void guess_open(void)
{
    lab_measured(open_guess, 42, "the answer", "because");
}

static void guess_good(void)
{
    lab_measured(good_guess, 42, "the answer", "because");
}

static void guess_bad(void)
{
    lab_measured(bad_guess, 42, "the answer", "because");
}

static void equal(void)
{
    const float want[] = {1, -2, 0, INFINITY, -INFINITY, NAN, 1000},
                got[] = {1, -2, -0.f, INFINITY, -INFINITY, NAN, 1000.5f};
    LAB_CHECK_ARRAY(want, got, 7, 1e-3, "never said");
    LAB_CHECK_ARRAY(want, got, 3, 0, "never said");
    LAB_CHECK_ARRAY(want, got, 0, 0, "never said");
}

static void unequal(void)
{
    const float want[] = {1, 2, 3, INFINITY, 5}, got[] = {1, NAN, 3.1f, -INFINITY, INFINITY},
                nobody[] = {LAB_POISON};
    LAB_CHECK_ARRAY(want, got, 5, 1e-3, "four");
    LAB_CHECK_ARRAY(want, got, 3, 1e-1, "one");
    LAB_CHECK_ARRAY(want + 3, got + 4, 1, 1, "never said");
    LAB_CHECK_ARRAY(want, nobody, 1, 1, "poison");
    const long long big = 9007199254740992, bigger = big + 1;
    LAB_CHECK_ARRAY(&big, &bigger, 1, 0, "exact");
}

static void fences(void)
{
    const float h[] = {5, 6, 7};
    float got[3];
    float *in = lab_device(h, 3), *out = lab_device<float>(NULL, 3);
    LAB_CHECK(LAB_INTACT, lab_fetch(got, out, 3), "nothing has been written");
    for (long long i : {2LL, -1LL, 3LL}) {
        write_at<<<1, 1>>>(out, i);
        LAB_CHECK(i == 2 ? LAB_INTACT : i, lab_fetch(got, out, 3), "where the damage is");
    }
    CUDA_CHECK(cudaMemcpy(got, in, sizeof got, cudaMemcpyDeviceToHost));
    LAB_CHECK_ARRAY(h, got, 3, 0, "the input");
    lab_release();
}

__global__ void count(float *sum)
{
    *sum += 1; // race
}

static void race(void)
{
    const float none = 0;
    float got, *sum = lab_device(&none, 1);
    count<<<1, 3>>>(sum);
    lab_fetch(&got, sum, 1);
    LAB_CHECK(3, got, "one thread at a time, as here, it counts right");
    lab_release();
}

static void race_todo(void)
{
    LAB_TODO("not done yet");
    race();
}

static void outside(void)
{
    float *d = lab_device<float>(NULL, 1);
    write_at<<<1, 1>>>(d, 1);
    cudaDeviceSynchronize();
}

static void provoked(void)
{
    lab_run.device_lost = true;
    lab_expect_finding("out of bounds");
    outside();
}

static void unwritten(void)
{
    float *d, got[] = {1, 2}, want[] = {1, 2};
    CUDA_CHECK(cudaMalloc(&d, sizeof got));
    CUDA_CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    LAB_CHECK_ARRAY(want, got, 2, 0, "what the harness reads is no finding");
    CUDA_CHECK(cudaFree(d));
}

static void numbers(void)
{
    double *h = lab_host_random<double>(1000), sum = 0;
    for (int i = 0; i < 1000; i++) {
        LAB_CHECK(true, h[i] > -1 && h[i] < 1 && h[i] != 0, "in (-1, 1), never 0");
        sum += h[i];
    }
    LAB_CHECK(true, fabs(sum) < 100, "even");
    LAB_CHECK(LAB_POISON, h[1000], "the sentinel");
    printf("    numbers %.6f %.6f\n", h[0], h[999]);
    lab_release();
}

static void quotes(void)
{
    LAB_CHECK(1, 0, "a \"quoted\" \\ line\nand a tab\t%c, and 20 %%", 1);
}

static void waits(void)
{
    cudaStream_t a, b;
    CUDA_CHECK(cudaStreamCreate(&a));
    CUDA_CHECK(cudaStreamCreate(&b));
    LAB_CHECK(true, lab_waits(a, [=] { cudaStreamSynchronize(a); }), "it waits for a");
    LAB_CHECK(true, lab_waits(a, [] { cudaDeviceSynchronize(); }), "it waits for all");
    LAB_CHECK(false, lab_waits(a, [=] { cudaStreamSynchronize(b); }), "it waits for b alone");
    LAB_CHECK(false, lab_waits(a, [] {}), "it does nothing");
    CUDA_CHECK(cudaStreamDestroy(b));
    CUDA_CHECK(cudaStreamDestroy(a));
}

__global__ void pass_on(const float *in, float *out)
{
    *out = *in;
}

// A copy, then a kernel in each of two streams, then memory that comes and goes behind one of them.
static cudaError_t fan_out(cudaStream_t a, cudaStream_t b, cudaEvent_t e, float *d, const float *h)
{
    void *scratch;
    cudaMemcpyAsync(d, h, sizeof *d, cudaMemcpyHostToDevice, a);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    pass_on<<<1, 1, 0, a>>>(d, d + 1);
    pass_on<<<1, 1, 0, b>>>(d, d + 2);
    cudaMallocAsync(&scratch, 4, b);
    return cudaFreeAsync(scratch, b);
}

static void captures(void)
{
    static float h[1] = {1};
    float *d = lab_device<float>(NULL, 3);
    lab_ops ops;
    cudaStream_t a, b;
    cudaEvent_t e;
    CUDA_CHECK(cudaStreamCreate(&a));
    CUDA_CHECK(cudaStreamCreate(&b));
    CUDA_CHECK(cudaEventCreate(&e));
    LAB_CHECK(cudaSuccess, lab_capture(&ops, a, b, [=] { return fan_out(a, b, e, d, h); }), "captured");
    LAB_CHECK(5, ops.count, "a copy, two kernels, an allocation, a free");
    LAB_CHECK(true, lab_follows(&ops, h, d + 1), "in the stream");
    LAB_CHECK(true, lab_follows(&ops, h, d + 2), "by the event");
    LAB_CHECK(false, lab_follows(&ops, d + 2, h), "not the other way round");
    LAB_CHECK(false, lab_follows(&ops, d + 1, d + 2), "nothing orders them");
    LAB_CHECK(true, lab_follows(&ops, h, lab_free_op), "through three others");
    LAB_CHECK(4, lab_chain(&ops), "copy, kernel, allocate, free");
    cudaError_t waiting = lab_capture(&ops, a, b, [] { return cudaDeviceSynchronize(); });
    LAB_CHECK(cudaErrorStreamCaptureUnsupported, waiting, "the host waits");
    auto launch = [=] { return pass_on<<<1, 1>>>(d, d), cudaGetLastError(); };
    LAB_CHECK(cudaErrorStreamCaptureImplicit, lab_capture(&ops, a, b, launch), "the default stream");
    LAB_CHECK(0, lab_chain(&ops), "nothing was captured");
    LAB_CHECK(cudaSuccess, lab_capture(&ops, a, b, [] { return cudaSuccess; }), "the streams are as before");
    CUDA_CHECK(cudaEventDestroy(e));
    CUDA_CHECK(cudaStreamDestroy(b));
    CUDA_CHECK(cudaStreamDestroy(a));
    lab_release();
}

static cudaStream_t made;
static int times_made;
static void in_stream(void)
{
    LAB_CHECK(lab_run.tasks == 1 ? 1 : 2, times_made, "made anew after a task that a failed call ended");
    CUDA_CHECK(cudaStreamSynchronize(made));
}

static void captures_nothing(void)
{
    lab_ops ops;
    cudaStream_t other;
    CUDA_CHECK(cudaStreamCreate(&other));
    cudaError_t e = lab_capture(&ops, made, other, [] { return cudaSuccess; });
    LAB_CHECK(cudaSuccess, e, "nothing is no mistake");
    LAB_CHECK(0, ops.count, "never said");
    CUDA_CHECK(cudaStreamDestroy(other));
}

static void sectors(void)
{
    float *d = lab_device<float>(NULL, 2);
    int moved = lab_sectors("pass_on", 7, [=] { pass_on<<<1, 1>>>(d, d + 1); });
    LAB_CHECK(sim_is_checked() ? 1 : 7, moved, "counted, or else computed");
    lab_release();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*check)(void);
    } scenes[] = {{"pass", pass},
                  {"fail", fail},
                  {"show", show},
                  {"todo", todo},
                  {"kernel_todo", kernel_todo},
                  {"stop", stop},
                  {"held", held},
                  {"leak", leak},
                  {"pending", pending},
                  {"clean", clean},
                  {"fault", fault},
                  {"fault_seen", fault_seen},
                  {"guess_open", guess_open},
                  {"guess_good", guess_good},
                  {"guess_bad", guess_bad},
                  {"equal", equal},
                  {"unequal", unequal},
                  {"fences", fences},
                  {"race", race},
                  {"race_todo", race_todo},
                  {"outside", outside},
                  {"provoked", provoked},
                  {"unwritten", unwritten},
                  {"numbers", numbers},
                  {"quotes", quotes},
                  {"waits", waits},
                  {"captures", captures},
                  {"in_stream", in_stream},
                  {"captures_nothing", captures_nothing},
                  {"sectors", sectors}};
    char names[256];
    lab_begin(argc, argv, "harness", [] { CUDA_CHECK(cudaStreamCreate(&made)), times_made++; },
              [] { CUDA_CHECK(cudaStreamDestroy(made)); });
    snprintf(names, sizeof names, "%s", getenv("SCENE"));
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "))
        for (const auto &scene : scenes)
            if (!strcmp(name, scene.name))
                lab_task(10, name, scene.check);
    return lab_end();
}

/* SPDX-License-Identifier: MIT
 *
 * Lab 01: the device
 *
 * Question: what can a program know about its GPU, and how does the GPU say that something is wrong?
 *
 *      host                            device
 *     +---------------+  calls        +------------------------------------------+
 *     | your program  | ------------> | total memory                             |
 *     | last error: 2 | <------------ | [ 2 MiB page ][ 2 MiB page ][   free   ] |
 *     +---------------+  cudaError_t  |   ^ 1 byte: takes the whole page         |
 *                                     +------------------------------------------+
 *
 * Task
 *   1 (20)  describe_device: ask the device what it is and how much of its memory is in use
 *   2 (20)  predict what small allocations take from the free memory
 *   3 (30)  try_alloc: ask for memory that may not be there, and leave nothing behind
 *   4 (30)  classify: tell an error that passes from one that ends the process
 *
 * Run        make lab-01        or without make:
 *   simcc -I. labs/01_device.cu -o 01_device && ./01_device    (build/bin/simcc, or nvcc -std=c++17)
 *
 * You will see
 *   a line a task, and last: 01_device: 100 of 100 points, 4 passed, 0 failed, 0 to do
 *
 * Chapter: docs/01_device.md
 */
#include "common/lab.h" // for: LAB_TODO, LAB_CHECK, LAB_PREDICT

/* ---- given ---- */

struct device_facts {
    int multiprocessors;       // SMs
    int warp_size;             // threads that run together
    int max_threads_per_block; // the most that a launch may ask for
    size_t shared_bytes;       // shared memory a block may use without asking for more
    size_t total_bytes;        // device memory, all of it
    size_t used_bytes;         // device memory that is not free now
};

enum error_kind { NO_ERROR, PASSING, STICKY };

__global__ void write_to(int *p)
{
    *p = 1;
}

/* ---- what you write ---- */

// Fill *facts for device 0, from cudaGetDeviceProperties() or cudaDeviceGetAttribute() and cudaMemGetInfo().
void describe_device(device_facts *facts);

// Try to allocate `bytes` of device memory and give it back at once. Return what cudaMalloc() answered to
// this request, whatever happened before. Afterwards no error is pending: cudaGetLastError() says so.
cudaError_t try_alloc(size_t bytes);

// Wait for all work given to the device so far, then say what is wrong: nothing; an error that is over once
// it has been read (PASSING); or one after which the device refuses every call (STICKY). *error is the error.
// Afterwards no error is pending, unless it is sticky.
error_kind classify(cudaError_t *error);

/* ---- YOUR CODE ---- */
#ifdef LAB_IMPL
#include LAB_IMPL
#else

// By how many bytes does the free memory of the device drop ...
LAB_PREDICT(first_byte, LAB_UNKNOWN);      // ... at the first cudaMalloc() of 1 byte?
LAB_PREDICT(second_byte, LAB_UNKNOWN);     // ... at the second?
LAB_PREDICT(three_mebibytes, LAB_UNKNOWN); // ... at a cudaMalloc() of 3 MiB?

void describe_device(device_facts *facts)
{
    LAB_TODO("fill *facts");
    *facts = device_facts();
}

cudaError_t try_alloc(size_t bytes)
{
    LAB_TODO("allocate, free, return the answer");
    return bytes ? cudaSuccess : cudaErrorInvalidValue;
}

error_kind classify(cudaError_t *error)
{
    LAB_TODO("wait, read the error, find out whether the device still works");
    *error = cudaSuccess;
    return NO_ERROR;
}

#endif
/* ---- CHECK, do not edit ---- */

static int attribute(cudaDeviceAttr which)
{
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

static size_t free_memory(void)
{
    size_t free_bytes, total;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    return free_bytes;
}

static const char *name(error_kind kind)
{
    static const char *const names[] = {"NO_ERROR", "PASSING", "STICKY"};
    return (unsigned)kind < 3 ? names[kind] : "none of the three";
}

static void check_describe(void)
{
    device_facts facts = {-1, -1, -1, 1, 1, 1}; // nothing a device would say
    size_t free_bytes, total;
    void *block;
    CUDA_CHECK(cudaMalloc(&block, 10 << 20)); // so that used memory is not 0 and not half
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    describe_device(&facts);
    CUDA_CHECK(cudaFree(block));
    LAB_CHECK(attribute(cudaDevAttrMultiProcessorCount), facts.multiprocessors,
              "this is not the number of SMs");
    LAB_CHECK(attribute(cudaDevAttrWarpSize), facts.warp_size, "this is not the warp size");
    LAB_CHECK(attribute(cudaDevAttrMaxThreadsPerBlock), facts.max_threads_per_block,
              "a block's limit is not a multiprocessor's limit");
    LAB_CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlock), facts.shared_bytes,
              "the opt-in limit and a multiprocessor's total are larger: a plain launch gets neither");
    LAB_CHECK(total, facts.total_bytes, "%s",
              facts.total_bytes == free_bytes
                  ? "this is the free memory: cudaMemGetInfo() gives free first, total second"
                  : "all of the device's memory, in bytes");
    LAB_CHECK(total - free_bytes, facts.used_bytes, "used is total minus free, at the time of the question%s",
              facts.used_bytes == free_bytes ? "; this is the free memory"
              : facts.used_bytes > total     ? "; free > total gives 2^64 - ...: cudaMemGetInfo() gives free "
                                               "first, total second"
                                             : "");
}

static void check_predictions(void)
{
    const size_t bytes[] = {1, 1, 3 << 20};
    const lab_prediction predictions[] = {first_byte, second_byte, three_mebibytes};
    const char *what[] = {"bytes that the first 1-byte allocation takes", "bytes that the second takes",
                          "bytes that 3 MiB take"};
    void *block[3];
    for (int i = 0; i < 3; i++) {
        size_t before = free_memory();
        CUDA_CHECK(cudaMalloc(&block[i], bytes[i]));
        lab_measured(
            predictions[i], (long long)(before - free_memory()), what[i],
            "device memory is handed out in pages of 2 MiB; small blocks share one, 512 bytes apart");
    }
    for (int i = 0; i < 3; i++)
        CUDA_CHECK(cudaFree(block[i]));
}

static void check_try_alloc(void)
{
    LAB_CHECK(cudaErrorMemoryAllocation, try_alloc((size_t)1 << 60),
              "no device has 2^60 bytes: return the refusal");
    LAB_CHECK(cudaSuccess, cudaGetLastError(),
              "the refusal is left pending: it stays the last error until cudaGetLastError() reads it");
    LAB_CHECK(cudaSuccess, try_alloc(5 << 20), "5 MiB are there");
    LAB_CHECK(cudaErrorInvalidValue, cudaMalloc((void **)NULL, 16), "this call is given");
    LAB_CHECK(cudaSuccess, try_alloc(5 << 20),
              "this error is older than your call: take what cudaMalloc() returns, not the last error");
    LAB_CHECK(cudaSuccess, cudaGetLastError(), "an older error is left pending: read it away");
}

static void check_classify(void)
{
    cudaError_t error = cudaErrorUnknown;
    int *d;
    CUDA_CHECK(cudaMalloc(&d, sizeof *d));
    write_to<<<1, 1>>>(d);
    LAB_CHECK(name(NO_ERROR), name(classify(&error)), "a good launch is no error");
    LAB_CHECK(cudaSuccess, error, "a good launch is no error");
    write_to<<<1, 4096>>>(d);
    LAB_CHECK(name(PASSING), name(classify(&error)),
              "a refused launch harms nothing: the device still works, try it");
    LAB_CHECK(true, error == cudaErrorInvalidValue || error == cudaErrorInvalidConfiguration,
              "a block of 4096 threads is too large; cudaGetLastError() reads what the launch left");
    LAB_CHECK(cudaSuccess, cudaGetLastError(),
              "the error is left pending: the next to ask would blame an innocent");
    CUDA_CHECK(cudaFree(d));
    if (lab_is_todo())
        return;
    lab_run.device_lost = true; // the null pointer below ends all work on the device: nothing can follow
    lab_expect_finding("kernel fault");
    write_to<<<1, 1>>>((int *)NULL);
    error_kind kind = classify(&error);
    LAB_CHECK(cudaErrorIllegalAddress, error, "%s",
              error == cudaSuccess
                  ? "the kernel had not run yet: a fault shows at the next synchronisation, so wait first"
                  : "the kernel wrote through a null pointer");
    LAB_CHECK(name(STICKY), name(kind),
              "reading the error does not heal the device: ask it to do something and see");
}

int main(int argc, char **argv)
{
    lab_begin(argc, argv, "01_device");
    lab_task(20, "ask the device", check_describe);
    lab_task(20, "predict what an allocation takes", check_predictions);
    lab_task(30, "an allocation that may fail", check_try_alloc);
    lab_task(30, "passing and sticky errors", check_classify); // last: it ends the device's work
    return lab_end();
}

/* SPDX-License-Identifier: MIT
 *
 * Lab 02: copy
 *
 * Question: how does data get to the device and back, and who counts the bytes?
 *
 *      host (pageable)                        device
 *     +--------------------+  HostToDevice   +--------------------+
 *     | h_in  a b c ... z  | --------------> | d_in  a b c ... z  |
 *     +--------------------+                 +--------------------+
 *                                               | a kernel, or DeviceToDevice
 *     +--------------------+  DeviceToHost   +--v-----------------+
 *     | h_out z y x ... a  | <-------------- | d_out z y x ... a  |
 *     +--------------------+                 +--------------------+
 *     |<- n * sizeof(double) bytes ->|       Default: the addresses say which way
 *
 * Task
 *   1 (15)  predict three sizes
 *   2 (30)  upload, download, copy_on_device, copy_any: the four directions
 *   3 (35)  reverse_kernel and reverse_on_device: allocate, copy, launch, copy back, free
 *   4 (20)  reverse_on_device when the device is full: report it, leave nothing behind
 *
 * Run        make lab-02        or without make:
 *   simcc -I. labs/02_copy.cu -o 02_copy && ./02_copy    (build/bin/simcc, or nvcc -std=c++17)
 *
 * You will see
 *   a line a task, and last: 02_copy: 100 of 100 points, 4 passed, 0 failed, 0 to do
 *
 * Chapter: docs/02_copy.md
 */
#include "common/lab.h"      // for: LAB_TODO, LAB_CHECK, LAB_PREDICT
#include "common/lab_data.h" // for: random inputs, fenced device arrays

/* ---- given ---- */

static const int BLOCK = 256; // threads in a block

/* ---- what you write ---- */

// Copy n doubles from host to device, device to host, device to device. Return what the copy answered.
cudaError_t upload(double *d, const double *h, size_t n);
cudaError_t download(double *h, const double *d, size_t n);
cudaError_t copy_on_device(double *d_to, const double *d_from, size_t n);

// Copy `bytes` bytes, wherever the two ends are. Return what the copy answered.
cudaError_t copy_any(void *to, const void *from, size_t bytes);

// One thread an element: out[n - 1 - i] = in[i]. The grid may hold more than n threads.
__global__ void reverse_kernel(const double *in, double *out, size_t n);

// Reverse n doubles on the device, in blocks of BLOCK threads: two buffers, allocated before anything is
// copied. All device memory is free again at the return, whatever happens. Return the first error, or
// cudaSuccess; n may be 0.
cudaError_t reverse_on_device(const double *h_in, double *h_out, size_t n);

/* ---- YOUR CODE ---- */
#ifdef LAB_IMPL
#include LAB_IMPL
#else

LAB_PREDICT(array_bytes, LAB_UNKNOWN);   // bytes that 1000 doubles take
LAB_PREDICT(pointer_bytes, LAB_UNKNOWN); // what sizeof says of a pointer to them
LAB_PREDICT(blocks, LAB_UNKNOWN);        // blocks of 256 threads so that each of 1000 elements gets a thread

cudaError_t upload(double *d, const double *h, size_t n)
{
    LAB_TODO("copy from h to d");
    return cudaSuccess;
}

cudaError_t download(double *h, const double *d, size_t n)
{
    LAB_TODO("copy from d to h");
    return cudaSuccess;
}

cudaError_t copy_on_device(double *d_to, const double *d_from, size_t n)
{
    LAB_TODO("copy from d_from to d_to");
    return cudaSuccess;
}

cudaError_t copy_any(void *to, const void *from, size_t bytes)
{
    LAB_TODO("copy without saying which way");
    return cudaSuccess;
}

__global__ void reverse_kernel(const double *in, double *out, size_t n)
{
    LAB_TODO("move one element");
}

cudaError_t reverse_on_device(const double *h_in, double *h_out, size_t n)
{
    LAB_TODO("allocate, upload, launch, download, free");
    return cudaSuccess;
}

#endif
/* ---- CHECK, do not edit ---- */

static const size_t sizes[] = {1009, 300007, 257, 256, 255, 1, 0};

static void check_sizes(void)
{
    lab_measured(array_bytes, sizeof(double[1000]), "bytes in 1000 doubles", "a double has 8 bytes");
    lab_measured(pointer_bytes, sizeof(double *), "sizeof a pointer to them", "sizeof sees only the pointer");
    lab_measured(blocks, (1000 + BLOCK - 1) / BLOCK, "blocks for 1000 elements",
                 "3 blocks have only 768 threads");
}

static const char *amount(const double *want, const double *got, size_t n)
{
    size_t right = lab_compare(want, got, n, 0).first;
    return right == 1 && n > 1 ? "8 bytes arrived: sizeof of a pointer is not the size of what it points to"
           : right == n / 8    ? "n bytes arrived, not n doubles: copies count bytes"
                               : "n doubles have n * sizeof(double) bytes";
}

static void check_copies(void)
{
    bool good = true;
    for (size_t i = 0; good && i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i], half = n / 2;
        double *h = lab_host_random<double>(n), *h_out = lab_host<double>(n), *h_back = lab_host<double>(n);
        double *d = lab_device<double>(NULL, n), *d_out = lab_device<double>(NULL, n);
        good &= LAB_CHECK(cudaSuccess, upload(d, h, n), "wrong direction? To the device is HostToDevice");
        bool only_n = lab_fetch(h_out, d, n) == LAB_INTACT;
        good &= LAB_CHECK_ARRAY(h, h_out, n, 0, "n = %zu, upload: %s", n, amount(h, h_out, n));
        good &=
            LAB_CHECK(cudaSuccess, copy_on_device(d_out, d, n), "wrong direction? Both are on the device");
        only_n &= lab_fetch(h_out, d_out, n) == LAB_INTACT;
        good &= LAB_CHECK_ARRAY(h, h_out, n, 0, "n = %zu, copy_on_device: %s", n, amount(h, h_out, n));
        good &=
            LAB_CHECK(cudaSuccess, download(h_back, d, n), "wrong direction? To the host is DeviceToHost");
        only_n &= h_back[n] == LAB_POISON;
        good &= LAB_CHECK_ARRAY(h, h_back, n, 0, "n = %zu, download: %s", n, amount(h, h_back, n));
        good &= LAB_CHECK(cudaSuccess, copy_any(d, h + half, half * sizeof *h), "up: Default knows the way");
        good &= LAB_CHECK(cudaSuccess, copy_any(h_back, d, half * sizeof *h), "down: Default knows the way");
        good &= LAB_CHECK_ARRAY(h + half, h_back, half, 0, "n = %zu, copy_any: it is given bytes", half);
        good &= LAB_CHECK(true, only_n, "n = %zu: more than n doubles were copied", n);
        lab_release();
    }
}

static void check_reverse(void)
{
    bool good = true;
    for (size_t i = 0; good && i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i], last = n % BLOCK;
        double *h = lab_host_random<double>(n), *want = lab_host<double>(n), *h_out = lab_host<double>(n);
        double *d = lab_device(h, n), *d_out = lab_device<double>(NULL, n), *got = lab_host<double>(n);
        for (size_t k = 0; k < n; k++)
            want[n - 1 - k] = h[k];
        reverse_kernel<<<(unsigned)(n / BLOCK + 2), BLOCK>>>(d, d_out, n); // more threads than elements
        CUDA_CHECK(cudaGetLastError());
        long long hit = lab_fetch(got, d_out, n);
        bool only_inside = hit == LAB_INTACT, shifted = hit == (long long)n && got[0] == LAB_POISON;
        good &= LAB_CHECK(true, only_inside, "n = %zu: one thread wrote out[%lld]: %s", n, hit,
                          shifted ? "one too far, and none wrote out[0]; the last index is n - 1, not n"
                                  : "threads that have no element must do nothing, `if (i < n)`");
        good &= LAB_CHECK_ARRAY(want, got, n, 0, "n = %zu, the kernel: is i the index in the grid?", n);
        good &= LAB_CHECK(cudaSuccess, reverse_on_device(h, h_out, n), "n = %zu: %s", n,
                          n ? "does cudaMalloc get n * sizeof(double) bytes? Are both directions right?"
                            : "nothing to do is no error, but a launch of 0 blocks is");
        good &= LAB_CHECK_ARRAY(want, h_out, n, 0, "n = %zu, reverse_on_device: %s", n,
                                last && lab_compare(want, h_out, n, 0).wrong == last
                                    ? "the last, partly filled block was not launched: n / BLOCK rounds down"
                                    : "the kernel is right, so look at sizes and order of the calls");
        bool end_untouched = h_out[n] == LAB_POISON;
        good &= LAB_CHECK(true, end_untouched, "n = %zu: written past the end of h_out", n);
        lab_release();
    }
}

static size_t free_memory(void)
{
    size_t free_bytes, total;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    return free_bytes;
}

static void check_full(void)
{
    const size_t n = 2 << 20, page = 2 << 20, room = 12 * page; // a buffer takes 8 pages: one fits, not two
    double *h = lab_host_random<double>(n), *h_out = lab_host<double>(n);
    size_t before, after, used = 0;
    void *filler[256];
    for (size_t size = free_memory() / page * page; size >= page; size = size / 2 / page * page)
        while (used < 256 && free_memory() >= size + room && cudaMalloc(&filler[used], size) == cudaSuccess)
            used++;
    cudaGetLastError(); // a filler may have been refused
    CUDA_CHECK(lab_in_use(&before));
    LAB_CHECK(cudaErrorMemoryAllocation, reverse_on_device(h, h_out, n), "the device is full: say so");
    CUDA_CHECK(lab_in_use(&after));
    bool nothing_lost = after <= before;
    LAB_CHECK(true, nothing_lost, "the way out after a failed cudaMalloc leaks what the first one got");
    bool untouched = h_out[0] == LAB_POISON;
    LAB_CHECK(true, untouched, "h_out was written although there was no memory for the work");
    while (used > 0)
        CUDA_CHECK(cudaFree(filler[--used]));
    lab_release();
}

int main(int argc, char **argv)
{
    lab_begin(argc, argv, "02_copy");
    lab_task(15, "predict three sizes", check_sizes);
    lab_task(30, "the four directions", check_copies);
    lab_task(35, "a round trip", check_reverse);
    lab_task(20, "a full device", check_full);
    return lab_end();
}

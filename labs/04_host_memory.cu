/* SPDX-License-Identifier: MIT
 *
 * Lab 04: host memory
 *
 * Question: five kinds of memory on the host, one link to the device: which kind, and who waits for whom?
 *
 *      host                                  link            device
 *     pageable    malloc             --[ pinned stage ]---->   copies pass through the driver's stage
 *     pinned      cudaMallocHost     ---------------------->   the copy engine reads it by itself, later:
 *     registered  malloc, pinned now ---------------------->     hands off until the copy is done
 *     mapped      cudaHostAlloc      <----------------------   a kernel reaches over, sector by sector
 *     managed     cudaMallocManaged  <=== whole pages =====>   moves to whoever touches it
 *     task 3:  h | 0 | 1 | 2 | 3 | 4 |  -->  half 0: 0, 2, 4   half 1: 1, 3  -->  d | 0 | 1 | 2 | 3 | 4 |
 * Task
 *   1 (30)  host_get, host_put: memory of each kind, and how it is given back
 *   2 (20)  predict which copies make the host wait
 *   3 (35)  upload: a long pageable array through two short pinned halves
 *   4 (15)  predict what mapped memory moves, and when pinning pays
 *
 * Run        make lab-04        or without make:
 *   simcc --check -I. labs/04_host_memory.cu -o 04 && ./04    (build/bin/simcc, or nvcc -std=c++17)
 * You will see
 *   a line a task, and last: 04_host_memory: 100 of 100 points, 4 passed, 0 failed, 0 to do
 * Chapter: docs/04_host_memory.md
 */
#include "common/lab.h"         // for: LAB_TODO, LAB_CHECK, LAB_PREDICT
#include "common/lab_data.h"    // for: fenced device arrays
#include "common/lab_profile.h" // for: lab_sectors
#include "common/lab_stream.h"  // for: lab_stream_create, lab_waits, lab_milliseconds, lab_link_share
#include <malloc.h>             // for: mallopt

/* ---- given ---- */

enum host_kind { PAGEABLE, PINNED, REGISTERED, MAPPED, MANAGED };
static const size_t PIECE = 64 << 10; // bytes in one half of a stage

struct stage {
    char *half[2];       // PIECE bytes each, pinned
    cudaEvent_t sent[2]; // you record it behind the last copy out of that half; a new one counts as passed
};

__global__ void pick(const int *in, int *out)
{
    out[threadIdx.x] = in[16 * threadIdx.x];
}

/* ---- what you write ---- */

// *p becomes `bytes` bytes of this kind; a registered block is malloc's, pinned afterwards. When there is no
// memory: return the error, *p is NULL, and neither memory nor a pending error is left behind.
cudaError_t host_get(host_kind kind, void **p, size_t bytes);

// Give back what host_get() gave. Return the first error.
cudaError_t host_put(host_kind kind, void *p);

// Queue the copies of `bytes` bytes from h, pageable, to d: piece 0 through half 0 of s, 1 through half 1, 2
// through half 0, ... Wait only for the half that is to be filled, should it be in flight, also from the call
// before. At the return h may be changed; two copies may still be in flight. Return the first error.
cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream);

/* ---- YOUR CODE ---- */
#ifdef LAB_IMPL
#include LAB_IMPL
#else

// Work is going on in the stream. Does cudaMemcpyAsync() wait for its end (1), or return before (0), when ...
LAB_PREDICT(pinned_up, LAB_UNKNOWN);     // ... it copies from pinned memory to the device?
LAB_PREDICT(pageable_up, LAB_UNKNOWN);   // ... from pageable memory to the device, 32 MiB?
LAB_PREDICT(pageable_down, LAB_UNKNOWN); // ... from the device to pageable memory?

// One warp runs pick(), for which 512 ints lie in host memory. How many bytes of them cross the link when ...
LAB_PREDICT(by_copy, LAB_UNKNOWN);   // ... all are copied to the device first?
LAB_PREDICT(by_sector, LAB_UNKNOWN); // ... the kernel reads them where they lie, in mapped memory?
// Pinning takes 20 ms; a copy takes 9 ms without, 1 ms with it. How many copies until it has saved time?
LAB_PREDICT(pays_after, LAB_UNKNOWN);

cudaError_t host_get(host_kind kind, void **p, size_t bytes)
{
    LAB_TODO("five kinds");
    *p = NULL;
    return cudaErrorMemoryAllocation;
}

cudaError_t host_put(host_kind kind, void *p)
{
    LAB_TODO("each kind has its own way back");
    return cudaSuccess;
}

cudaError_t upload(char *d, const char *h, size_t bytes, stage *s, cudaStream_t stream)
{
    LAB_TODO("for each piece: wait for its half, fill it, send it, record its event");
    return cudaSuccess;
}

#endif
/* ---- CHECK, do not edit ---- */

static cudaStream_t stream;

static void check_kinds(void)
{
    const int n = 20011;
    static const char *const names[] = {"pageable", "pinned", "registered", "mapped", "managed"};
    auto type_of = [](const void *p) {
        cudaPointerAttributes attributes;
        CUDA_CHECK(cudaPointerGetAttributes(&attributes, p));
        return attributes.type;
    };
    for (host_kind kind : {PAGEABLE, PINNED, REGISTERED, MAPPED, MANAGED}) {
        const char *what = names[kind];
        cudaMemoryType type = kind == PAGEABLE ? cudaMemoryTypeUnregistered : cudaMemoryTypeHost;
        type = kind == MANAGED ? cudaMemoryTypeManaged : type;
        void *p = &p;
        float *want = lab_host_random<float>(n), *got = lab_host<float>(n), *h = NULL;
        float *d = lab_device<float>(NULL, n);
        LAB_CHECK(cudaSuccess, host_get(kind, (void **)&h, n * sizeof *h), "%s memory is there", what);
        if (!h || !LAB_CHECK(type, type_of(h), "%s: the runtime takes it for another kind", what))
            return lab_release();
        if (kind == REGISTERED && LAB_CHECK(cudaSuccess, cudaHostUnregister(h), "it is not malloc's"))
            CUDA_CHECK(cudaHostRegister(h, n * sizeof *h, cudaHostRegisterDefault));
        memcpy(h, want, n * sizeof *h);
        CUDA_CHECK(cudaMemcpy(d, h, n * sizeof *h, cudaMemcpyDefault));
        lab_fetch(got, d, n);
        LAB_CHECK_ARRAY(want, got, n, 0, "%s: has the block `bytes` bytes?", what);
        LAB_CHECK(cudaSuccess, host_put(kind, h), "%s: that call is for another kind", what);
        LAB_CHECK(cudaMemoryTypeUnregistered, type_of(h), "%s: it was not given back", what);
        lab_release();
        LAB_CHECK(cudaErrorMemoryAllocation, host_get(kind, &p, 1ull << 60), "%s: malloc says NULL", what);
        LAB_CHECK((void *)NULL, p, "%s: there is no exbibyte, so *p is NULL", what);
        LAB_CHECK(cudaSuccess, cudaGetLastError(), "%s: a refusal stays pending until it is read", what);
        if (lab_on_sim || lab_run.status != LAB_PASS)
            continue;
        const size_t much = 256 << 20; // on a GPU: what it costs, and the same transfer from each kind
        auto get = [&] { CUDA_CHECK(host_get(kind, &p, much)), memset(p, 1, much); };
        double cost = lab_milliseconds([&] { get(), host_put(kind, p); });
        printf("    %-24s %8.3f ms to get, fill and put\n", what, cost);
        get();
        double share = lab_link_share(what, p, much);
        LAB_CHECK(true, kind != PINNED || share >= 0.98, "pinned memory has the link's rate: %.2f", share);
        CUDA_CHECK(host_put(kind, p));
    }
}

static void check_waits(void)
{
    const size_t few = 4096, much = 32 << 20;
    void *h = calloc(1, much), *d, *pinned;
    const char *engine = "the copy engine itself reads and writes pinned memory, when the stream gets there";
    const char *driver = "the host moves the bytes between pageable memory and the driver's pinned stage";
    auto waits = [](void *to, void *from, size_t n) {
        return lab_waits(stream, [=] { cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, stream); });
    };
    CUDA_CHECK(cudaMalloc(&d, much));
    CUDA_CHECK(cudaMallocHost(&pinned, few));
    lab_measured(pinned_up, waits(d, pinned, few), "a copy from pinned memory waits", engine);
    lab_measured(pageable_up, waits(d, h, much), "a copy from pageable memory waits", driver);
    lab_measured(pageable_down, waits(h, d, few), "a copy to pageable memory waits", driver);
    CUDA_CHECK(cudaFreeHost(pinned));
    CUDA_CHECK(cudaFree(d));
    free(h);
}

static void check_upload(void)
{
    stage s;
    for (int i : {0, 1}) {
        CUDA_CHECK(cudaMallocHost(&s.half[i], PIECE));
        CUDA_CHECK(cudaEventCreate(&s.sent[i]));
    }
    for (size_t n : {0 * PIECE + 1, 5 * PIECE + 1009, 2 * PIECE, PIECE + 1, PIECE, 0 * PIECE})
        for (int calls = 1; calls <= 2 && lab_run.status != LAB_FAIL; calls++) {
            char *h = lab_host<char>(n), *d = lab_device<char>(NULL, 2 * n);
            char *want = lab_host<char>(2 * n), *got = lab_host<char>(2 * n);
            for (size_t i = 0; i < calls * n; i++)
                want[i] = (char)(i * 40503u >> 8);
            bool waits = lab_waits(stream, [&] {
                for (int c = 0; c < calls; c++) { // the second while the first is in flight, from the same h
                    memcpy(h, want + c * n, n);
                    LAB_CHECK(cudaSuccess, upload(d + c * n, h, n, &s, stream), "is the last piece short?");
                }
            });
            LAB_CHECK(n > 2 * PIECE || (n > 0 && calls == 2), waits, "n = %zu, %d calls: %s", n, calls,
                      waits ? "it waits, though no half that it fills is in flight"
                            : "a half is filled again while its copy is in flight");
            LAB_CHECK(LAB_INTACT, lab_fetch(got, d, 2 * n), "n = %zu: written past its end", n);
            LAB_CHECK_ARRAY(want, got, 2 * n, 0, "n = %zu, %d calls: which piece goes where?", n, calls);
            lab_release();
        }
    for (int i : {0, 1}) {
        CUDA_CHECK(cudaFreeHost(s.half[i]));
        CUDA_CHECK(cudaEventDestroy(s.sent[i]));
    }
}

static void check_costs(void)
{
    int *h, *d = lab_device<int>(NULL, 32);
    CUDA_CHECK(cudaHostAlloc(&h, 512 * sizeof *h, cudaHostAllocMapped));
    memset(h, 1, 512 * sizeof *h);
    lab_measured(by_copy, 512 * sizeof *h, "bytes when it is copied", "a copy moves the whole array");
    lab_measured(by_sector, 32 * lab_sectors("pick", 32, [=] { pick<<<1, 32>>>(h, d); }),
                 "bytes when it is mapped", "sectors of 32 bytes move, and each thread wants another one");
    lab_measured(pays_after, 20 / (9 - 1) + 1, "copies until pinning pays", "20 ms, and a copy saves 8 ms");
    CUDA_CHECK(cudaFreeHost(h));
    lab_release();
}

int main(int argc, char **argv)
{
    lab_begin(argc, argv, "04_host_memory", [] { stream = lab_stream_create(); },
              [] { CUDA_CHECK(cudaStreamDestroy(stream)); });
    mallopt(M_MMAP_THRESHOLD, 64 << 10); // larger blocks share no page: the device pins pages
    lab_task(30, "five kinds of memory", check_kinds);
    lab_task(20, "who waits", check_waits);
    lab_task(35, "a stage of two halves", check_upload);
    lab_task(15, "what it costs", check_costs);
    return lab_end();
}

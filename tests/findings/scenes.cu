/* SPDX-License-Identifier: MIT
 *
 * Programs for run.py beside this file: each scene that is named on the command line makes findings, or none.
 */
#include <sim/check.h>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void spread(int *p, int room)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i < room ? i : room + i] = i; // outside
}

__global__ void claim(const int *p)
{
    assert(!p); // claim
}

__global__ void idle(void)
{
}

static int *block(size_t bytes)
{
    void *p = NULL;
    if (cudaMalloc(&p, bytes) != cudaSuccess) // block
        printf("refused\n");
    return (int *)p;
}

static void outside(void)
{
    int *p = block(800);
    spread<<<4, 64>>>(p, 200);
    cudaDeviceSynchronize();
    printf("after the launch\n");
}

static __global__ void nothing()
{
}

/* Longer than the two seconds after which a terminal is told how far a launch is. */
static void slow(void)
{
    nothing<<<1 << 26, 1>>>();
    cudaDeviceSynchronize();
}

static void twice(void)
{
    int *p = block(4);
    for (volatile int i = 0; i < 3; i++) // volatile: one call, not three
        cudaFree(p); // twice
    cudaGetLastError();
}

static void leak(void)
{
    for (int i = 0; i < 3; i++)
        block(100);
    void *other;
    cudaMallocHost(&other, 50); // other leak
}

static void claimed(void)
{
    claim<<<2, 32>>>(block(4));
    cudaDeviceSynchronize();
}

static void refused(void)
{
    idle<<<1, 4096>>>(); // refused
}

static void read_refusal(void)
{
    refused();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

static void pending(void)
{
    cudaSetDevice(99); // pending
}

static void in_host_code(void)
{
    *block(4) = 1; // in host code
}

static void aborts(void)
{
    twice();
    abort();
}

static void killed(void)
{
    twice();
    raise(SIGTERM);
}

__global__ void killed_here(int *p)
{
    if (threadIdx.x == 0)
        p[200] = 1; // before the end
    else
        raise(SIGTERM); // in the midst
}

static void killed_in_kernel(void)
{
    killed_here<<<1, 2>>>(block(800));
    cudaDeviceSynchronize();
}

static void own_handler(void)
{
    static int *p = block(4);
    atexit([] {
        printf("freed at exit: %s\n", cudaGetErrorName(cudaFree(p)));
        twice();
    });
}

static void allocations(void)
{
    void *p = NULL;
    size_t pitch;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    int number = 0;
    auto say = [&](const char *call, cudaError_t e) {
        printf("%d %s %s\n", ++number, call, cudaGetErrorName(e));
    };
    say("cudaMalloc", cudaMalloc(&p, 1)), cudaFree(p), p = NULL; // first
    say("cudaMallocHost", cudaMallocHost(&p, 1)), cudaFreeHost(p), p = NULL;
    say("cudaMallocManaged", cudaMallocManaged(&p, 1)), cudaFree(p), p = NULL;
    say("cudaMallocPitch", cudaMallocPitch(&p, &pitch, 1, 1)), cudaFree(p), p = NULL;
    say("cudaMallocAsync", cudaMallocAsync(&p, 1, 0)), cudaFreeAsync(p, 0), p = NULL; // fifth
    if (cudaError_t e = cudaMallocArray(&array, &format, 8))
        say("cudaMallocArray", e);
    else
        say("cudaMallocArray", e), cudaFreeArray(array);
    cudaGetLastError();
    cudaDeviceSynchronize();
}

static void many(void)
{
    void *p;
    int refused = 0;
    for (int i = 0; i < 1000; i++)
        if (cudaMalloc(&p, 4) != cudaSuccess)
            refused++;
        else
            cudaFree(p);
    cudaGetLastError();
    printf("%d refused\n", refused);
}

static void waits(void)
{
    int h = 1, *p = block(4);
    cudaEvent_t event;
    cudaEventCreate(&event);
    auto say = [](const char *call, cudaError_t e) { printf("%s %s\n", call, cudaGetErrorName(e)); };
    say("1 cudaMemcpy", cudaMemcpy(p, &h, 4, cudaMemcpyHostToDevice));
    say("2 cudaDeviceSynchronize", cudaDeviceSynchronize());
    say("3 cudaStreamSynchronize", cudaStreamSynchronize(0));
    cudaEventRecord(event);
    say("4 cudaEventSynchronize", cudaEventSynchronize(event));
    say("cudaFree", cudaFree(p));
    cudaEventDestroy(event);
}

static void interface(void)
{
    struct sim_finding f;
    unsigned before = sim_finding_total();
    printf("checked %d, count %u, at %d\n", sim_is_checked(), sim_finding_count(), sim_finding_at(0, &f));
    twice();
    int *p = block(4);
    cudaFree(p + 1);
    cudaFree(p);
    cudaGetLastError();
    printf("count %u, total %u\n", sim_finding_count(), sim_finding_total() - before);
    for (unsigned i = 0; sim_finding_at(i, &f) == 0; i++)
        printf("%s, %s:%d, %s, %s, %u, %u\n", f.kind, f.file, f.line, f.allocation, f.message, f.count,
               f.latest);
    for (const char *kind : {"no such kind", "interior free", (const char *)NULL}) {
        unsigned forgotten = sim_findings_forget(kind);
        printf("forgot %u, left %u, at %d\n", forgotten, sim_finding_count(), sim_finding_at(0, &f));
    }
    twice();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*play)(void);
    } scenes[] = {{"outside", outside},
                  {"twice", twice},
                  {"slow", slow},
                  {"leak", leak},
                  {"claimed", claimed},
                  {"refused", refused},
                  {"read_refusal", read_refusal},
                  {"pending", pending},
                  {"in_host_code", in_host_code},
                  {"aborts", aborts},
                  {"killed", killed},
                  {"killed_in_kernel", killed_in_kernel},
                  {"own_handler", own_handler},
                  {"allocations", allocations},
                  {"many", many},
                  {"waits", waits},
                  {"interface", interface}};
    int status = 0;
    printf("begin\n");
    for (int i = 1; i < argc; i++)
        for (const auto &scene : scenes)
            if (!strcmp(argv[i], scene.name))
                scene.play();
            else
                status = argv[i][0] == '=' ? atoi(argv[i] + 1) : status;
    printf("end\n");
    return status;
}

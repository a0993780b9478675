// SPDX-License-Identifier: MIT
// A block is freed in one stream while another has work queued on it, of every kind. Nothing orders the two.
// expect: cudaMemsetAsync: its memory was freed before it ran
// expect: free_before_work.cu:@LINE:filled@ in
// expect: free_before_work.cu:@LINE:copied-from@ in
// expect: free_before_work.cu:@LINE:copied-to@ in
// expect: free_before_work.cu:@LINE:rows-filled@ in
// expect: free_before_work.cu:@LINE:rows-copied@ in
// expect: free_before_work.cu:@LINE:captured@ in
// expect: the graph launched at free_before_work.cu:@LINE:launched@
// expect: in touch
// expect: free_before_work.cu:@LINE:allocated-late@ in
// expect: made by cudaMalloc at free_before_work.cu:@LINE:allocated@
// expect: made by cudaMallocAsync at free_before_work.cu:@LINE:allocated-pooled@
// expect: freed by cudaFreeAsync at free_before_work.cu:@LINE:freed@
// expect: 28 of 28: illegal address
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void touch(char *p)
{
    p[threadIdx.x] = 1;
}

static cudaStream_t a, b;

static void queue(int work, char *p, char *other)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    switch (work) {
    case 0:
        cudaMemsetAsync(p, 0, 512, a); // filled
        break;
    case 1:
        cudaMemcpyAsync(other, p, 512, cudaMemcpyDeviceToDevice, a); // copied-from
        break;
    case 2:
        cudaMemcpyAsync(p, other, 512, cudaMemcpyDeviceToDevice, a); // copied-to
        break;
    case 3:
        cudaMemset2DAsync(p, 64, 0, 32, 4, a); // rows-filled
        break;
    case 4:
        cudaMemcpy2DAsync(other, 64, p, 64, 32, 4, cudaMemcpyDeviceToDevice, a); // rows-copied
        break;
    case 5:
        touch<<<1, 32, 0, a>>>(p);
        break;
    case 6:
        cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed);
        cudaMemsetAsync(p, 0, 512, a); // captured
        cudaStreamEndCapture(a, &graph);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, a); // launched
    }
}

enum { SMALL, LARGE, POOLED, FREED_FIRST };

static cudaError_t try_it(int work, int how)
{
    size_t bytes = how == SMALL ? 512 : 4 << 20;
    char *p, *other;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMalloc(&other, 512);
    if (how == POOLED)
        cudaMallocAsync(&p, bytes, b); // allocated-pooled
    else
        cudaMalloc(&p, bytes); // allocated
    cudaStreamSynchronize(b);
    if (how != FREED_FIRST)
        queue(work, p, other);
    cudaFreeAsync(p, b); // freed
    if (how == FREED_FIRST)
        queue(work, p, other);
    cudaStreamSynchronize(b);
    return cudaDeviceSynchronize();
}

/* The allocation itself is the work that comes too late. */
static cudaError_t allocate_late()
{
    char *p;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMallocAsync(&p, 4 << 20, a); // allocated-late
    cudaFreeAsync(p, b);
    cudaStreamSynchronize(b);
    return cudaDeviceSynchronize();
}

int main()
{
    int count = 0, tried = 0;
    for (int i = 0; i < 29; i++) {
        if (i % 7 == 5 && i / 7 == SMALL)
            continue; /* a page that is still there: a kernel's stray access is none of the fast build's */
        tried++;
        if (fork() == 0)
            _exit((i < 28 ? try_it(i % 7, i / 7) : allocate_late()) == cudaErrorIllegalAddress);
        int status;
        wait(&status);
        count += WIFEXITED(status) && WEXITSTATUS(status) == 1;
    }
    printf("%d of %d: illegal address\n", count, tried);
    return 0;
}

// SPDX-License-Identifier: MIT
// What a stream of 0 is: the legacy stream, or with --default-stream per-thread the calling thread's own.
#include <cstdio>
#include <thread>

int main()
{
    cudaStream_t apart;
    unsigned long long ids[3];
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaStreamGetId(0, &ids[0]);
    cudaStreamGetId(cudaStreamPerThread, &ids[1]);
    std::thread([&] { cudaStreamGetId(0, &ids[2]); }).join();
    printf("%s\n", ids[0] == ids[1] && ids[0] != ids[2] ? "own" : ids[0] == ids[2] ? "shared" : "?");

    // a stream of 0 that is the thread's own waits for the legacy stream, which waits for it
    int *p, value = 0;
    cudaMalloc(&p, sizeof *p);
    cudaMemsetAsync(p, 1, sizeof *p, cudaStreamLegacy);
    cudaMemcpyAsync(&value, p, sizeof *p, cudaMemcpyDeviceToHost, 0);
    cudaStreamSynchronize(0);
    printf("%x\n", value);
    cudaFree(p);
    cudaStreamDestroy(apart);
}
